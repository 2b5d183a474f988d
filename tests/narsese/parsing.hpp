// SPDX-License-Identifier: MIT
// Helpers of the parser's tests.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "narsese/text.hpp"

namespace engram::narsese::testing {

/// The canonical spelling of a term, or the error message.
inline std::string read(std::string_view text, const ParseLimits& limits = {}) {
  TermTable table;
  const auto term = parse_term(text, table, limits);
  return term ? print(*term) : "error: " + term.error().message();
}

/// The canonical spelling of a sentence, or the error message.
inline std::string read_sentence(std::string_view text, const ParseLimits& limits = {}) {
  TermTable table;
  const auto sentence = parse_sentence(text, table, limits);
  return sentence ? print(*sentence) : "error: " + sentence.error().message();
}

/// Checks the position and texts of an error. Returns a description of the first flaw, otherwise an empty string.
inline std::string flaw(std::string_view text, const ParseError& error) {
  if (error.offset > text.size()) return "the offset is beyond the text";
  if (error.line != 1) return "the line is not 1";
  if (error.column != count_code_points(text.substr(0, error.offset)) + 1) return "the column is wrong";
  if (error.expected.empty() || error.found.empty()) return "nothing is said";
  if (find_invalid_utf8(error.message()) != error.message().size()) return "the message is no UTF-8";
  return {};
}

inline std::string repeat(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace engram::narsese::testing
