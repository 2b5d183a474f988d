// SPDX-License-Identifier: MIT
// Functions that parse the output of a NARS: fields, sentences, stamps, operations. The readers of several systems
// share them.
#pragma once

#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bridge/json/json_reader.hpp"
#include "bridge/json/nars_event.hpp"
#include "narsese/term.hpp"

namespace engram::bridge {

/// Removes blanks, tabs and carriage returns at both ends.
std::string_view trimmed(std::string_view text);

/// Removes the escape sequences of terminal colours (ECMA-48: ESC [ parameters letter). Other text and unfinished
/// sequences remain.
std::string without_colours(std::string_view text);

/// Parses the whole text as a number. Empty if it is anything else.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || stop != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}
/// Parses the whole text as a number in [0, 1]. Empty if it is anything else.
std::optional<double> share_in(std::string_view text);

/// Parses a line of JSON. Null if it is invalid.
Json json_line(std::string_view line);
/// The text in a member of a JSON object. Empty if the member is absent or not a text.
std::string text_of(const Json& json, const char* member);

/// Splits at the last `mark` into the text before and after it. Empty if the mark is absent.
std::optional<std::pair<std::string_view, std::string_view>> split_last(std::string_view text,
                                                                        std::string_view mark);

/// A prefix of lines in the output of a NARS, and the kind of event that these lines report.
struct Heading {
  std::string_view text;
  NarsEvent::Kind kind;
};
/// Finds the heading at the start of a line, and removes it from the line. Empty if the line begins with no heading.
std::optional<NarsEvent::Kind> take_heading(std::span<const Heading> headings, std::string_view& line);

/// Parses a stamp at the end of a line, such as " Stamp=[2,1]" from ONA, and removes it. A line may have no stamp.
/// Returns  false if the brackets contain anything but numbers
bool take_stamp(std::string_view& text, NarsEvent& event);

/// Parses a sentence in any dialect, and fills the event's term, punctuation, occurrence, truth, budget and delay.
/// Returns  false if the text is not a sentence; the event is then unchanged
bool take_sentence(std::string_view text, narsese::TermTable& table, NarsEvent& event);

/// Fills the event's term and arguments by an operation: <(*,arguments..) --> ^name>, or ^name without arguments. The
/// term is empty if the name or an argument is invalid.
void take_operation(std::string_view name, std::vector<std::string> arguments, narsese::TermTable& table,
                    NarsEvent& event);

/// Commands for ONA, and for systems with the same commands, that define the available operations. They also restrict
/// random exploration to these operations.
std::vector<std::string> operation_commands(const std::vector<std::string>& names);

/// Parses ONA's report of an executed operation, `^op executed with args ({SELF} * x)`, and fills the event's kind,
/// term and arguments. The arguments are one product, or absent.
/// Returns  false if the line is anything else; the event is then unchanged
bool take_ona_execution(std::string_view line, narsese::TermTable& table, NarsEvent& event);

}  // namespace engram::bridge
