// SPDX-License-Identifier: MIT
#include "narsese/scanner.hpp"

#include <algorithm>

#include "narsese/byte_scan.hpp"
#include "narsese/text.hpp"

namespace engram::narsese {
namespace {

// Replaces the second and third byte of a non-ASCII blank in the copy of a text. It counts as no column. Texts cannot
// contain it.
constexpr char filler = '\x1F';

// Replaces all white space of Unicode by blanks: CommonNarsese skips it.
void make_blanks_plain(char* text, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    if (const std::size_t bytes = wide_blank({text + i, size - i}); bytes > 0) {
      text[i] = ' ';
      std::fill_n(text + i + 1, bytes - 1, filler);
    }
}

}  // namespace

Scanner::Scanner(Dialect dialect)
    : dialect_(dialect),
      refused_(handled(dialect, Handling::Kind::refuses)),
      warned_(handled(dialect, Handling::Kind::rounds) | handled(dialect, Handling::Kind::misreads)) {}

Place Scanner::start(std::string_view text, std::size_t max_bytes, PaddedText& copies) {
  used_ = 0;
  const std::size_t size = std::min(text.size(), max_bytes);
  char* const to = copies.add(size);
  begin_ = to;
  end_ = begin_ + size;
  const bool printable = copy_and_check(to, text.data(), size);
  if (text.size() > max_bytes)
    return fail(begin_, "at most " + std::to_string(max_bytes) + " bytes in a line",
                std::to_string(text.size()));
  if (printable) return begin_;
  const std::size_t bad = find_invalid_utf8(text);
  for (std::size_t i = 0; i < bad; ++i)
    if (const auto byte = static_cast<unsigned char>(text[i]);
        byte < 0x80 && byte != '\t' && !is_printable(byte))
      return fail(begin_ + i, "text", byte == 0 ? "a NUL byte" : "a control character");
  if (bad != size) return fail(begin_ + bad, "UTF-8 text", "an invalid byte");
  if (const std::size_t mark = text.find(byte_order_mark); mark != std::string_view::npos)
    return fail(begin_ + mark, "text", misplaced_byte_order_mark);
  if (dialect_ == Dialect::common) make_blanks_plain(to, size);
  return begin_;
}

// Integers of up to 15 digits and powers of ten up to 10^22 are exact doubles, so m / 10^k is rounded once, like
// from_chars (Clinger 1990).
Place Scanner::take_longer_decimal(Place at, double& number) const {
  static constexpr std::array<double, 16> powers{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  constexpr std::ptrdiff_t most_digits = 15;
  std::int64_t mantissa = 0;
  const auto take_digits = [&](Place digit) {
    for (; is_digit(*digit) && digit - at <= most_digits; ++digit) mantissa = 10 * mantissa + (*digit - '0');
    return digit;
  };
  const Place point = take_digits(at);
  const Place stop = *point == '.' ? take_digits(point + 1) : point;
  const std::ptrdiff_t decimals = stop - point - 1;
  if (point == at || decimals == 0 || stop - at > most_digits || (*stop | 0x20) == 'e')
    return take_number(at, number);
  number =
      static_cast<double>(mantissa) / powers[static_cast<std::size_t>(std::max<std::ptrdiff_t>(decimals, 0))];
  return stop;
}

std::size_t Scanner::column(std::size_t offset) const {
  const auto fillers = std::count(begin_, begin_ + offset, filler);
  return count_code_points({begin_, offset}) - static_cast<std::size_t>(fillers) + 1;
}

Place Scanner::fail(Place at, std::string_view expected, std::string_view found) {
  error_ = {offset(at), 1, column(offset(at)), std::string(expected), std::string(found), {}};
  if (found.empty()) error_.found = describe(offset(at));
  return nullptr;
}

Place Scanner::fail_limit(Place at, std::size_t limit, std::string_view unit, std::string_view found) {
  return fail(at, "at most " + std::to_string(limit) + " " + std::string(unit), found);
}

Place Scanner::fail_unclosed(Place at, char close, std::string_view or_else) {
  return fail(at, std::string(or_else) + "'" + close + "'");
}

bool Scanner::refuse(Place at, Construct construct) {
  fail(at, {}, " ");
  error_.refusal = explain(construct, dialect_);
  return false;
}

std::vector<ParseWarning> Scanner::warnings() const {
  std::vector<ParseWarning> warnings;
  if (!has_warnings()) return warnings;
  for (std::size_t c = 0; c < construct_count; ++c)
    if (const auto construct = static_cast<Construct>(c); (used_ & warned_ & bit(construct)) != 0)
      warnings.push_back({column(first_use_[c]), explain(construct, dialect_)});
  return warnings;
}

// The token at an offset, for messages: a bracket or comma, or the text up to the next one.
std::string Scanner::describe(std::size_t offset) const {
  const std::string_view text(begin_, static_cast<std::size_t>(end_ - begin_));
  if (offset >= text.size()) return "end of line";
  constexpr std::size_t longest = 24;
  constexpr std::string_view breaks = " \t,()[]{}<>", arrow_shafts = "-=/|\\";
  std::size_t end = offset + 1;
  if (breaks.find(text[offset]) == std::string_view::npos)
    for (; end < text.size() && end - offset < longest; ++end) {
      const bool arrow_head = text[end] == '>' && arrow_shafts.find(text[end - 1]) != std::string_view::npos;
      if (breaks.find(text[end]) != std::string_view::npos && !arrow_head) break;
    }
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return "'" + std::string(text.substr(offset, end - offset)) + "'";
}

}  // namespace engram::narsese
