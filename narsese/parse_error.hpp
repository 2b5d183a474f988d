// SPDX-License-Identifier: MIT
// Limits of the parser, its errors and warnings, and hints at what the author of a wrong line likely meant.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace engram::narsese {

/// Limits for input. With these limits no line can exhaust memory, stack or time; a text beyond a limit is an error.
struct ParseLimits {
  std::size_t max_line_bytes = 64 * 1024;  // chosen; ONA reads 1023
  std::size_t max_depth = 256;             // most levels of brackets
  std::size_t max_components = 4096;       // most components of a compound
  std::size_t max_name_bytes = 1024;       // most bytes in the name of an atom, operator or variable
  std::size_t max_variables = 256;         // most distinct variables in a sentence
};

/// A parse error: its position, and what the parser expected and found there.
struct ParseError {
  std::size_t offset = 0;  // bytes from the start of the text
  std::size_t line = 1;    // counted from 1; set by the reader of a file
  std::size_t column = 1;  // code points, counted from 1
  std::string expected;
  std::string found;
  std::string refusal = {};  // instead of both: the construct that the dialect refuses
  std::string hint = {};     // likely intended text, if known

  /// Message for users: `refusal` if it is set, otherwise `hint` if it is set, otherwise "expected X, found Y".
  std::string message() const;
};

/// A place in a text that the system of the dialect reads differently from this parser.
struct ParseWarning {
  std::size_t column = 1;
  std::string message;
};

/// Returns the copula that was likely meant by `found`: `-->` for `->` and `--->`, `==>` for `=>`, `<=>` for `<=` and
/// `<==>`. `found` is ParseError::found, with or without quotes. Returns nothing if no copula is near, if two are
/// equally near, or for `<--` and `<==`, which reverse the direction.
/// Cost     O(1), because long texts are not compared
std::optional<std::string_view> nearest_copula(std::string_view found);

/// Returns the error of parsing `text` with a hint, if its likely cause is a wrong copula or missing brackets. The hint
/// for `->` is "unknown copula '->': did you mean '-->'?". The hint for `a ==> b` is "'==>' outside of brackets: did
/// you mean '<... ==> ...>'?". If a copula is wrong, the position of the error becomes that of the copula.
/// Cost     O(bytes before the error)
ParseError with_hint(ParseError error, std::string_view text);

}  // namespace engram::narsese
