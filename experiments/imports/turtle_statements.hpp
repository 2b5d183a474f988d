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

/// Cuts a Turtle file where its statements end, so that a fault in one harms no other: at a full stop outside of
/// IRIs, strings and comments that is no part of a number or name. It knows no more of the grammar. A string
/// in single quotes ends with its line at the latest, an IRI with the next blank. A byte order mark at the start is
/// skipped.
/// Cost  linear in the file; memory for one statement, which is claimed, and a block. Comments between statements are
///       not kept
class TurtleStatements {
 public:
  /// Both outlive this.
  TurtleStatements(std::istream& in, const Advance& advance) : blocks_(in, advance) {}

  /// Reads the next statement, from its first character to its full stop, or what is left at the end of the file.
  /// Errors  std::system_error if the file cannot be read further; core::WorkStopped, after which line() and column()
  ///         tell where the statement begins
  bool next();
  /// The statement; valid until next().
  std::string_view statement() const { return std::string_view(text_).substr(start_, at_ - start_); }
  /// Where it begins; counted from 1, columns in bytes.
  std::uint32_t line() const { return line_; }
  std::uint32_t column() const { return column_; }
  /// How deep its brackets are nested.
  std::size_t depth() const { return depth_; }
  /// SHA-256 of what has been read.
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
  std::unique_ptr<core::Reservation> claim_;  // of the text's room
  std::string text_;                          // from the statement on, as far as the file has been read
  std::size_t start_ = 0, at_ = 0, depth_ = 0;
  std::uint32_t line_ = 1, column_ = 1;
  bool is_at_beginning_ = true;
};

}  // namespace engram::experiments
