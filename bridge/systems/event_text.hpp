// SPDX-License-Identifier: MIT
// Parsing functions that the readers of several systems share.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bridge/json/json_reader.hpp"
#include "bridge/json/nars_event.hpp"
#include "narsese/term.hpp"

namespace engram::bridge {

/// Removes blanks at both ends.
std::string_view trimmed(std::string_view text);

/// Removes the escape sequences of terminal colours (ECMA-48: ESC [ parameters letter). Other text and unfinished
/// sequences remain.
std::string without_colours(std::string_view text);

/// Parses the whole text as a number. Empty if it is not one.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || stop != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}
/// Parses the whole text as a number in [0, 1].
std::optional<double> share_in(std::string_view text);

/// Parses a line of JSON. Null if it is invalid.
Json json_line(std::string_view line);
/// The string member with this name. Empty if it is absent or not a string.
std::string text_of(const Json& json, const char* member);

/// Splits at the last `mark` into the text before and after it. Empty if the mark is absent.
std::optional<std::pair<std::string_view, std::string_view>> split_last(std::string_view text,
                                                                        std::string_view mark);

/// Parses and removes " Stamp=[2,1]" at the end, as ONA prints it, if present.
/// Returns  false if it contains anything else than numbers
bool take_stamp(std::string_view& text, NarsEvent& event);

/// Parses a sentence as any NARS prints it, and fills term, punctuation, occurrence, truth, budget and delay.
/// Returns  false if it is not a sentence; the event is then unchanged
bool take_sentence(std::string_view text, narsese::TermTable& table, NarsEvent& event);

/// Stores an operation, <(*,arguments..) --> ^name>, or ^name without arguments. Leaves the term empty if it cannot be
/// parsed.
void take_operation(std::string_view name, std::vector<std::string> arguments, narsese::TermTable& table,
                    NarsEvent& event);

/// Commands that define the operations of ONA, or of a system with the same commands, and restrict random exploration
/// to them.
std::vector<std::string> operation_commands(const std::vector<std::string>& names);

/// Parses ONA's report of an executed operation, `^op executed with args ({SELF} * x)`. The arguments are
/// one product or absent. Fills kind, term and arguments.
/// Returns  false if it is not such a line; the event is then unchanged
bool take_ona_execution(std::string_view line, narsese::TermTable& table, NarsEvent& event);

}  // namespace engram::bridge
