// SPDX-License-Identifier: MIT
#include "experiments/imports/turtle_statements.hpp"

#include <algorithm>
#include <utility>

#include "narsese/nal_line.hpp"
#include "narsese/text.hpp"

namespace engram::experiments {
namespace {

constexpr std::string_view blanks = " \t\n\r";

bool is_blank(char c) { return blanks.find(c) != std::string_view::npos; }

}  // namespace

bool TurtleStatements::next() {
  if (std::exchange(is_at_beginning_, false)) {
    constexpr std::string_view mark = narsese::byte_order_mark;
    if (has(mark.size()) && text_.starts_with(mark)) start_ = at_ = mark.size();
  }
  if (!skip_blanks()) return false;
  depth_ = 0;
  for (std::size_t open = 0; has(1);) {
    const char c = text_[at_];
    if (c == '#') {
      skip_comment();
    } else if (c == '<') {
      skip_iri();
    } else if (c == '"' || c == '\'') {
      skip_string(c);
    } else if (c == '\\') {
      at_ += has(2) ? 2 : 1;
    } else {
      if (c == '[' || c == '(') depth_ = std::max(depth_, ++open);
      if ((c == ']' || c == ')') && open > 0) --open;
      ++at_;
      if (c == '.' && ends_statement()) return true;
    }
  }
  return true;
}

// Whether at least `bytes` bytes follow. Reads further blocks if necessary.
bool TurtleStatements::has(std::size_t bytes) {
  while (text_.size() - at_ < bytes)
    if (!fill()) return false;
  return true;
}

// Appends a block of the source. Discards the text before the current statement, and the buffer of a long statement.
bool TurtleStatements::fill() {
  constexpr std::size_t block = SourceBlocks::block_bytes;
  if (start_ > 0 || text_.size() + block > text_.capacity()) {
    const std::size_t room = 2 * (text_.size() - start_) + block;
    auto claim = std::make_unique<core::Reservation>(room);
    std::string moved;
    moved.reserve(room);
    moved.append(text_, start_);
    text_.swap(moved);
    claim_.swap(claim);
    at_ -= std::exchange(start_, 0);
  }
  return blocks_.append_to(text_);
}

// Drops the text up to here; the next statement begins here or later.
void TurtleStatements::discard() {
  const std::string_view passed = statement();
  const std::size_t line_end = passed.rfind('\n');
  line_ += static_cast<std::uint32_t>(std::ranges::count(passed, '\n'));
  column_ = static_cast<std::uint32_t>(line_end == std::string_view::npos ? column_ + passed.size()
                                                                          : passed.size() - line_end);
  start_ = at_;
}

bool TurtleStatements::skip_blanks() {
  bool is_comment = false;
  for (discard(); has(1); discard()) {
    if (is_comment)
      is_comment = (at_ = std::min(text_.find('\n', at_), text_.size())) == text_.size();
    else if (is_blank(text_[at_]))
      at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
    else if (text_[at_] == '#')
      is_comment = true;
    else
      return true;
  }
  return false;
}

void TurtleStatements::skip_comment() {
  while (has(1) && text_[at_] != '\n') at_ = std::min(text_.find('\n', at_), text_.size());
}

void TurtleStatements::skip_iri() {
  while (has(1) && text_[at_] != '>' && !is_blank(text_[at_])) ++at_;
  if (has(1) && text_[at_] == '>') ++at_;
}

bool TurtleStatements::at_three(char quote) {
  return has(3) && std::string_view(text_).substr(at_, 3) == std::string(3, quote);
}

void TurtleStatements::skip_string(char quote) {
  const bool is_long = at_three(quote);
  for (at_ += is_long ? 3 : 1; has(1); ++at_) {
    if (text_[at_] == '\\') {
      if (has(2)) ++at_;
    } else if (is_long ? text_[at_] == quote && at_three(quote) : text_[at_] == quote || text_[at_] == '\n') {
      at_ += is_long ? 3 : 1;
      return;
    }
  }
}

// Whether the full stop just read ends a statement: `ex:c.` ends, 1.5 and ex:a.b do not.
bool TurtleStatements::ends_statement() {
  if (!has(1)) return true;
  const char c = text_[at_];
  return !narsese::is_word_letter(c) && c != '.' && c != '-' && c != ':' && c != '%' && c != '\\';
}

}  // namespace engram::experiments
