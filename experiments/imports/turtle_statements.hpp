// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace engram::experiments {

/// Cuts Turtle where its statements end, so that a fault in one harms no other: at a full stop outside of
/// IRIs, strings and comments that is no part of a number or name. It knows no more of the grammar. A string
/// in single quotes ends with its line at the latest, an IRI with the next blank.
class TurtleStatements {
 public:
  explicit TurtleStatements(std::string_view text) : text_(text) {}

  /// The next statement, from its first character to its full stop, or what is left at the end of the text.
  bool next();
  std::string_view statement() const { return text_.substr(start_, at_ - start_); }
  /// Where it begins; counted from 1, columns in bytes.
  std::uint32_t line() const { return line_; }
  std::uint32_t column() const { return static_cast<std::uint32_t>(start_ - line_start_ + 1); }
  /// How deep its brackets are nested.
  std::size_t depth() const { return depth_; }

 private:
  bool skip_blanks();
  void skip_comment();
  void skip_iri();
  void skip_string(char quote);
  bool ends_statement() const;

  std::string_view text_;
  std::size_t start_ = 0, at_ = 0, line_start_ = 0, depth_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace engram::experiments
