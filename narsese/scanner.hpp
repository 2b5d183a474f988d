// SPDX-License-Identifier: MIT
// Scanner: the state of parsing one text, which all functions of the grammar share. The scanner knows the bounds of the
// text, its first error, and the constructs that it uses.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "narsese/byte_scan.hpp"
#include "narsese/dialect.hpp"
#include "narsese/parse_error.hpp"

namespace engram::narsese {

/// Position in a text. A parsing function takes the position where it starts and returns the position after its
/// input, or nullptr after an error, so that positions stay in registers. PaddedText::padding bytes beyond a position
/// are readable.
using Place = const char*;

/// Whether c is a blank or tab. One comparison for the range from 1 to 32 is enough, because Scanner::start() rejects
/// all other bytes in this range. (NUL, which ends a text, wraps around to 255.)
constexpr bool is_blank(char c) { return static_cast<unsigned char>(c - 1) < ' '; }
/// Whether c is a decimal digit.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Returns the first position at or after `at` that has no blank.
inline Place skip_blanks(Place at) {
  while (is_blank(*at)) ++at;
  return at;
}

/// Whether the text at a position begins with `token`, which must have at most PaddedText::padding bytes.
inline bool looking_at(Place at, std::string_view token) {
  for (std::size_t i = 0; i < token.size(); ++i)
    if (at[i] != token[i]) return false;
  return true;
}

/// State of parsing one text of a dialect. Call start() for each text. The functions named take_... and fail... return
/// the next position, or nullptr.
class Scanner {
 public:
  explicit Scanner(Dialect dialect);

  Dialect dialect() const { return dialect_; }

  /// Begins a new text and returns its first position. Copies its first max_bytes bytes to `copies`, which must have
  /// room for them. Fails, with nullptr, if the text is longer, is not UTF-8, or has control characters.
  Place start(std::string_view text, std::size_t max_bytes, PaddedText& copies);

  /// Returns the offset of a position in bytes from the start of the text.
  std::size_t offset(Place at) const { return static_cast<std::size_t>(at - begin_); }
  /// Returns the byte before a position; NUL at the start of the text.
  char before(Place at) const { return at <= begin_ ? '\0' : at[-1]; }
  Place begin() const { return begin_; }
  Place end() const { return end_; }

  /// Parses a number of any arithmetic type and returns the position after it. Returns nullptr, without setting an
  /// error, if the text is not a number or the number does not fit.
  template <class Number>
  Place take_number(Place at, Number& number) const {
    const auto [stop, code] = std::from_chars(at, end_, number);
    return code == std::errc() ? stop : nullptr;
  }
  /// Parses a double like take_number(), faster for few digits without an exponent: most numbers are 0.9 or 0.95.
  Place take_decimal(Place at, double& number) const {
    const bool two_decimals = is_digit(at[3]);
    const Place stop = at + 3 + two_decimals;
    if (!is_digit(at[0]) || at[1] != '.' || !is_digit(at[2]) || is_digit(*stop) || (*stop | 0x20) == 'e')
      return take_longer_decimal(at, number);
    const int hundredths = 100 * (at[0] - '0') + 10 * (at[2] - '0') + two_decimals * (at[3] - '0');
    number = hundredths / 100.0;
    return stop;
  }

  /// Records that the text uses a construct at a position. Returns false, after setting the error, if the dialect
  /// refuses the construct.
  bool use(Place at, Construct construct) {
    if ((used_ & bit(construct)) != 0) return true;
    used_ |= bit(construct);
    first_use_[static_cast<std::size_t>(construct)] = static_cast<std::uint32_t>(offset(at));
    return (refused_ & bit(construct)) == 0 || refuse(at, construct);
  }
  /// Whether the text has used the construct so far.
  bool uses(Construct construct) const { return (used_ & bit(construct)) != 0; }
  ConstructSet used() const { return used_; }
  bool has_warnings() const { return (used_ & warned_) != 0; }
  std::vector<ParseWarning> warnings() const;

  /// Sets the error to "expected X, found Y" at a position and returns nullptr. If `found` is empty, Y describes the
  /// text at the position.
  Place fail(Place at, std::string_view expected, std::string_view found = {});
  /// Sets the error that the bracket `close` was expected, and returns nullptr. `or_else` names other allowed text in
  /// front of it, such as "',' or ".
  Place fail_unclosed(Place at, char close, std::string_view or_else = {});
  /// Sets the error that a limit is exceeded, such as "at most 256 levels of brackets", and returns nullptr.
  Place fail_limit(Place at, std::size_t limit, std::string_view unit, std::string_view found = {});
  const ParseError& error() const { return error_; }

 private:
  Place take_longer_decimal(Place at, double& number) const;
  bool refuse(Place at, Construct construct);
  std::string describe(std::size_t offset) const;
  std::size_t column(std::size_t offset) const;

  Dialect dialect_;
  ConstructSet refused_, warned_;
  Place begin_ = nullptr;
  Place end_ = nullptr;
  ConstructSet used_ = 0;
  std::array<std::uint32_t, construct_count> first_use_{};
  ParseError error_;
};

}  // namespace engram::narsese
