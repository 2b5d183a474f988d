// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <string_view>

#include "core/numbers/work_budget.hpp"
#include "experiments/imports/knowledge.hpp"

namespace engram::experiments {

/// Splits a Turtle file into statements, so that an error in one does not affect the others. A statement ends at a full
/// stop outside of IRIs, strings and comments that is not part of a number or name. No other grammar is checked. A
/// string in single quotes ends at the end of its line at the latest, and an IRI at the next blank. A byte order mark
/// at the start is skipped.
/// Cost  linear in the file; memory for one statement, which is reserved, and one block. Comments between statements
///       are not stored
class TurtleStatements {
 public:
  /// Both arguments must outlive this object.
  TurtleStatements(std::istream& in, const Advance& advance) : blocks_(in, advance) {}

  /// Reads the next statement, from its first character to its full stop, or the rest at the end of the file.
  /// Errors  std::system_error if reading fails; core::WorkStopped, after which line() and column() are the beginning
  ///         of the statement
  bool next();
  /// The statement; valid until next().
  std::string_view statement() const { return std::string_view(text_).substr(start_, at_ - start_); }
  /// Position of its first character, counted from 1; columns in bytes.
  std::uint32_t line() const { return line_; }
  std::uint32_t column() const { return column_; }
  /// Nesting depth of its brackets.
  std::size_t depth() const { return depth_; }
  /// SHA-256 of the bytes read so far.
  std::string digest() const { return blocks_.digest(); }

 private:
  bool has(std::size_t bytes);
  bool fill();
  void discard();
  bool skip_blanks();
  void skip_comment();
  void skip_iri();
  void skip_string(char quote);
  bool at_three(char quote);
  bool ends_statement();

  SourceBlocks blocks_;
  std::unique_ptr<core::Reservation> claim_;  // memory of the text
  std::string text_;                          // from the current statement to the end of the read blocks
  std::size_t start_ = 0, at_ = 0, depth_ = 0;
  std::uint32_t line_ = 1, column_ = 1;
  bool is_at_beginning_ = true;
};

}  // namespace engram::experiments
