// SPDX-License-Identifier: MIT
// A text that the grammar reads: where it begins and ends, what is wrong with it, and which constructs it
// uses.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "narsese/dialect.hpp"
#include "narsese/padded_text.hpp"
#include "narsese/parse_error.hpp"

namespace engram::narsese {

/// Where in a text. What reads takes the place where it starts and returns the one behind what it has read,
/// or nullptr after an error: so a place stays in a register. PaddedText::padding bytes may be looked at.
using Place = const char*;

/// A blank or a tab: of the bytes from 1 to 32, a text that Scanner::start() let pass has these alone.
constexpr bool is_blank(char c) { return static_cast<unsigned char>(c - 1) < ' '; }
/// 0 to 9.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The first place that is no blank.
inline Place skip_blanks(Place at) {
  while (is_blank(*at)) ++at;
  return at;
}

/// At most PaddedText::padding bytes.
inline bool looking_at(Place at, std::string_view token) {
  for (std::size_t i = 0; i < token.size(); ++i)
    if (at[i] != token[i]) return false;
  return true;
}

/// Reads the bytes of a text one after the other, as a dialect has them.
class Scanner {
 public:
  explicit Scanner(Dialect dialect);

  Dialect dialect() const { return dialect_; }

  /// Begins a text, of which it adds the first max_bytes to `copies` (restarted with room for them). An error
  /// where it is too long, no UTF-8, or holds control characters.
  Place start(std::string_view text, std::size_t max_bytes, PaddedText& copies);

  /// Bytes from the begin of the text.
  std::size_t offset(Place at) const { return static_cast<std::size_t>(at - begin_); }
  /// The byte before a place, NUL at the start.
  char before(Place at) const { return at <= begin_ ? '\0' : at[-1]; }
  Place begin() const { return begin_; }
  Place end() const { return end_; }

  /// A number of any arithmetic type. nullptr, without an error, where there is none or it does not fit.
  template <class Number>
  Place take_number(Place at, Number& number) const {
    const auto [stop, code] = std::from_chars(at, end_, number);
    return code == std::errc() ? stop : nullptr;
  }
  /// The same number, faster where it has few digits and no exponent: most are 0.9 or 0.95.
  Place take_decimal(Place at, double& number) const {
    const bool two_decimals = is_digit(at[3]);
    const Place stop = at + 3 + two_decimals;
    if (!is_digit(at[0]) || at[1] != '.' || !is_digit(at[2]) || is_digit(*stop) || (*stop | 0x20) == 'e')
      return take_longer_decimal(at, number);
    const int hundredths = 100 * (at[0] - '0') + 10 * (at[2] - '0') + two_decimals * (at[3] - '0');
    number = hundredths / 100.0;
    return stop;
  }

  /// Notes that the text uses a construct. False, with an error, where the dialect refuses it.
  bool use(Place at, Construct construct) {
    if ((used_ & bit(construct)) != 0) return true;
    used_ |= bit(construct);
    first_use_[static_cast<std::size_t>(construct)] = static_cast<std::uint32_t>(offset(at));
    return (refused_ & bit(construct)) == 0 || refuse(at, construct);
  }
  /// Whether the text has used the construct so far.
  bool uses(Construct construct) const { return (used_ & bit(construct)) != 0; }
  ConstructSet used() const { return used_; }
  bool has_warnings() const { return (used_ & odd_) != 0; }
  std::vector<ParseWarning> warnings() const;

  /// Sets the error and returns nullptr. `found` is described from the text where it is left out.
  Place fail(Place at, std::string_view expected, std::string_view found = {});
  /// For a closing bracket, or what else might stand there.
  Place fail_unclosed(Place at, char close, std::string_view or_else = {});
  /// For a limit: "at most 256 levels of brackets".
  Place fail_limit(Place at, std::size_t limit, std::string_view of_what, std::string_view found = {});
  const ParseError& error() const { return error_; }

 private:
  Place take_longer_decimal(Place at, double& number) const;
  bool refuse(Place at, Construct construct);
  std::string describe(std::size_t offset) const;
  std::size_t column(std::size_t offset) const;

  Dialect dialect_;
  ConstructSet refused_, odd_;
  Place begin_ = nullptr;
  Place end_ = nullptr;
  ConstructSet used_ = 0;
  std::array<std::uint32_t, construct_count> first_use_{};
  ParseError error_;
};

}  // namespace engram::narsese
