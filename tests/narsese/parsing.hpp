// SPDX-License-Identifier: MIT
// Helpers of the parser's tests.
#pragma once

#include <array>
#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "narsese/nal_reader.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "narsese/text.hpp"

namespace engram::narsese::testing {

/// `systems` has the dialects of the systems, and `dialects` also has `any`.
inline constexpr std::array systems{Dialect::common, Dialect::ona, Dialect::opennars, Dialect::pynars};
inline constexpr std::array dialects{Dialect::common, Dialect::ona, Dialect::opennars, Dialect::pynars,
                                     Dialect::any};

/// The words of a text, which are separated by white space.
inline std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// The canonical spelling of a term, or the error message.
inline std::string read(std::string_view text, const ParseLimits& limits = {},
                        Dialect dialect = Dialect::any) {
  TermTable table;
  const auto term = parse_term(text, table, limits, dialect);
  return term ? print(*term) : "error: " + term.error().message();
}
inline std::string read(std::string_view text, Dialect dialect) { return read(text, {}, dialect); }

/// The canonical spelling of a sentence, or the error message.
inline std::string read_sentence(std::string_view text, const ParseLimits& limits = {},
                                 Dialect dialect = Dialect::any) {
  TermTable table;
  const auto sentence = parse_sentence(text, table, limits, dialect);
  return sentence ? print(*sentence) : "error: " + sentence.error().message();
}
inline std::string read_sentence(std::string_view text, Dialect dialect) {
  return read_sentence(text, {}, dialect);
}

/// All lines of a file with this text.
inline std::vector<NalLine> read_lines(const std::string& text, TermTable& table,
                                       Dialect dialect = Dialect::any, const ParseLimits& limits = {}) {
  std::istringstream in(text);
  NalReader reader(in, table, limits, dialect);
  std::vector<NalLine> lines;
  while (auto line = reader.next()) lines.push_back(std::move(*line));
  return lines;
}

/// Checks the position and texts of an error. Returns a description of the first flaw, otherwise an empty string.
inline std::string flaw(std::string_view text, const ParseError& error) {
  if (error.offset > text.size()) return "the offset is beyond the text";
  if (error.line != 1) return "the line is not 1";
  if (error.column != count_code_points(text.substr(0, error.offset)) + 1) return "the column is wrong";
  if (error.expected.empty() || error.found.empty()) return "a part of the message is empty";
  if (find_invalid_utf8(error.message()) != error.message().size()) return "the message is not UTF-8";
  return {};
}

inline std::string repeat(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace engram::narsese::testing
