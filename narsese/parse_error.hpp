// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace engram::narsese {

/// What a hostile line may ask for. Beyond any of them there is an error, never a crash or a long wait.
struct ParseLimits {
  std::size_t max_line_bytes = 64 * 1024;  // ONA reads 1023, chosen with ample room
  std::size_t max_depth = 256;             // brackets within brackets
  std::size_t max_components = 4096;       // of one compound
  std::size_t max_name_bytes = 1024;       // of an atom, operator or variable
  std::size_t max_variables = 256;         // different ones, in one sentence
};

/// Where a text stopped being Narsese, and why.
struct ParseError {
  std::size_t offset = 0;  // bytes from the start of the text
  std::size_t line = 1;    // counted from 1; the reader of a file sets it
  std::size_t column = 1;  // code points, counted from 1
  std::string expected;
  std::string found;
  std::string refusal = {};  // in place of both: a construct that the dialect does not read
  std::string hint = {};     // what was likely meant, if that can be told

  /// The refusal, or the hint, or "expected X, found Y"
  std::string message() const;
};

/// A place where the dialect's system reads not quite what is written.
struct ParseWarning {
  std::size_t column = 1;
  std::string message;
};

}  // namespace engram::narsese
