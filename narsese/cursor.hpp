// SPDX-License-Identifier: MIT
// A place in a text: what the grammar reads through, and where it notes what is wrong or differs between
// dialects.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "narsese/dialect.hpp"
#include "narsese/padded_text.hpp"
#include "narsese/parse_error.hpp"

namespace engram::narsese {

class Cursor {
 public:
  explicit Cursor(Dialect dialect) : dialect_(dialect), refused_(handled(dialect, Handling::Kind::refuses)) {}

  Dialect dialect() const { return dialect_; }

  /// Begins a text, of which it keeps the first max_bytes in `copy`. False, with an error, where it is too
  /// long, no UTF-8, or holds control characters.
  bool load(std::string_view text, std::size_t max_bytes, PaddedText& copy);

  char peek(std::size_t ahead = 0) const { return at_[ahead]; }
  char before() const { return at_ == begin_ ? '\0' : at_[-1]; }
  bool at_end() const { return at_ == end_; }
  std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

  void advance(std::size_t bytes = 1) { at_ += bytes; }
  void move_to(std::size_t offset) { at_ = begin_ + offset; }
  void skip_blanks() {
    while (*at_ == ' ' || *at_ == '\t') ++at_;
  }
  bool take(char c) {
    if (*at_ != c) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view token) {
    if (!looking_at(token)) return false;
    at_ += token.size();
    return true;
  }
  /// At most PaddedText::padding bytes.
  bool looking_at(std::string_view token) const {
    for (std::size_t i = 0; i < token.size(); ++i)
      if (at_[i] != token[i]) return false;
    return true;
  }
  /// A number of any arithmetic type; false where there is none or it does not fit.
  template <class Number>
  bool take_number(Number& number) {
    const auto [stop, code] = std::from_chars(at_, end_, number);
    if (code != std::errc()) return false;
    at_ = stop;
    return true;
  }

  /// Notes that the text uses a construct, here or at an offset. False, with an error, where the dialect
  /// refuses it.
  bool use(Construct construct) { return use_at(offset(), construct); }
  bool use_at(std::size_t offset, Construct construct) {
    if ((used_ & bit(construct)) != 0) return true;
    used_ |= bit(construct);
    first_use_[static_cast<std::size_t>(construct)] = static_cast<std::uint32_t>(offset);
    return (refused_ & bit(construct)) == 0 || refuse_construct(offset, construct);
  }
  ConstructSet used() const { return used_; }
  std::vector<ParseWarning> warnings() const;

  /// Sets the error and returns false. `found` is described from the text where it is left out.
  bool fail(std::string expected) { return fail_at(offset(), std::move(expected)); }
  bool fail_at(std::size_t offset, std::string expected, std::string found = {});
  bool failed() const { return failed_; }
  const ParseError& error() const { return error_; }

 private:
  bool refuse_construct(std::size_t offset, Construct construct);
  std::string describe(std::size_t offset) const;
  std::size_t column(std::size_t offset) const;

  Dialect dialect_;
  ConstructSet refused_;
  const char* begin_ = nullptr;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  ConstructSet used_ = 0;
  std::array<std::uint32_t, construct_count> first_use_{};
  bool failed_ = false;
  ParseError error_;
};

}  // namespace engram::narsese
