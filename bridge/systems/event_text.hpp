// SPDX-License-Identifier: MIT
// Pieces that the readers of several systems share.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bridge/json/nars_event.hpp"
#include "narsese/term.hpp"

namespace engram::bridge {

/// The text without blanks at its ends.
std::string_view trimmed(std::string_view text);

/// Without the escape sequences that colour a terminal (ECMA-48: ESC [ parameters letter). Anything else,
/// an unfinished sequence too, stays.
std::string without_colours(std::string_view text);

/// The whole text as a number, or nothing.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || stop != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}
/// The whole text as a share in [0, 1].
std::optional<double> share_in(std::string_view text);

/// Splits at the last `mark`: what is before, and what is behind it. Nothing where there is none.
std::optional<std::pair<std::string_view, std::string_view>> split_last(std::string_view text,
                                                                        std::string_view mark);

/// The numbers between separators of one or more characters out of `separators`; nothing where there is
/// anything else.
std::optional<std::vector<std::uint64_t>> numbers_in(std::string_view list, std::string_view separators);

/// Fills term, punctuation, occurrence, truth, budget and delay from a sentence as some NARS writes it.
/// Returns  false, and changes nothing, where it is none
bool take_sentence(std::string_view text, narsese::TermTable& table, NarsEvent& event);

/// <(*,arguments..) --> ^name>, or ^name without arguments; what cannot be read leaves the term out.
void take_operation(std::string_view name, std::vector<std::string> arguments, narsese::TermTable& table,
                    NarsEvent& event);

/// Lines by which ONA, and who reads its commands, learns what it can do, and to try no more than that.
std::vector<std::string> operation_commands(const std::vector<std::string>& names);

/// A line as ONA says that it did something, `^op executed with args ({SELF} * x)`: the arguments are one product, or
/// nothing. Fills kind, term and arguments.
/// Returns  false, and changes nothing, where it is none
bool take_ona_execution(std::string_view line, narsese::TermTable& table, NarsEvent& event);

}  // namespace engram::bridge
