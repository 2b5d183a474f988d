// SPDX-License-Identifier: MIT
#include "experiments/imports/turtle_statements.hpp"

#include <algorithm>

#include "narsese/words.hpp"

namespace engram::experiments {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

bool TurtleStatements::next() {
  if (!skip_blanks()) return false;
  depth_ = 0;
  for (std::size_t open = 0; at_ < text_.size();) {
    const char c = text_[at_];
    if (c == '#') {
      skip_comment();
    } else if (c == '<') {
      skip_iri();
    } else if (c == '"' || c == '\'') {
      skip_string(c);
    } else if (c == '\\') {
      at_ = std::min(at_ + 2, text_.size());
    } else {
      if (c == '[' || c == '(') depth_ = std::max(depth_, ++open);
      if ((c == ']' || c == ')') && open > 0) --open;
      ++at_;
      if (c == '.' && ends_statement()) return true;
    }
  }
  return true;
}

// To where the next statement begins; the lines on the way, and those of the statement before, are counted.
bool TurtleStatements::skip_blanks() {
  std::size_t counted = start_;
  while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == '#'))
    if (text_[at_] == '#')
      skip_comment();
    else
      ++at_;
  for (; counted < at_; ++counted)
    if (text_[counted] == '\n') {
      ++line_;
      line_start_ = counted + 1;
    }
  start_ = at_;
  return at_ < text_.size();
}

void TurtleStatements::skip_comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }

void TurtleStatements::skip_iri() {
  while (at_ < text_.size() && text_[at_] != '>' && !is_blank(text_[at_])) ++at_;
  if (at_ < text_.size() && text_[at_] == '>') ++at_;
}

void TurtleStatements::skip_string(char quote) {
  const std::string_view three(quote == '"' ? "\"\"\"" : "'''");
  const bool is_long = text_.substr(at_).starts_with(three);
  at_ += is_long ? 3 : 1;
  for (; at_ < text_.size(); ++at_) {
    if (text_[at_] == '\\') {
      ++at_;
    } else if (is_long ? text_.substr(at_).starts_with(three) : text_[at_] == quote || text_[at_] == '\n') {
      at_ += is_long ? 3 : 1;
      return;
    }
  }
  at_ = text_.size();
}

// After a full stop: 1.5 and ex:a.b go on, `ex:c.` does not.
bool TurtleStatements::ends_statement() const {
  if (at_ == text_.size()) return true;
  const char c = text_[at_];
  return !narsese::is_word_letter(c) && c != '.' && c != '-' && c != ':' && c != '%' && c != '\\';
}

}  // namespace engram::experiments
