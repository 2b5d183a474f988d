// SPDX-License-Identifier: MIT
// Parser for the output of OpenNARS 3's shell, `CHANNEL: TERM PUNCT[ TENSE][ %f;c%] STAMP `, and of its forks 3.1.2 and
// 1.5.8.
#include <algorithm>
#include <array>

#include "bridge/systems/event_text.hpp"
#include "bridge/systems/nars_system.hpp"

namespace engram::bridge {
namespace {

using Kind = NarsEvent::Kind;
using narsese::Tense;

// Channels with events. All others (ECHO, INFO, ANTICIPATE, CONFIRM, DISAPPOINT, DEBUG, ...) are `other`.
constexpr Heading channels[] = {{"IN: ", Kind::input},      {"OUT: ", Kind::derived},
                                {"Answer: ", Kind::answer}, {"ANSWER: ", Kind::answer},
                                {"EXE: ", Kind::executed},  {"ERR: ", Kind::error},
                                {"ERROR: ", Kind::error}};

// Parses inputs: "(1,0);(-5,7)", or "2;1" in the forks. The number of the NAR is dropped, because it is constant within
// a session.
bool take_inputs(std::string_view list, NarsEvent& event) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(';'), list.size());
    std::string_view one = list.substr(0, end);
    if (one.starts_with("(") && one.ends_with(")")) {
      const auto parts = split_last(one.substr(1, one.size() - 2), ",");
      if (!parts || !number_in<std::int64_t>(parts->first)) return false;
      one = parts->second;
    }
    const auto number = number_in<std::uint64_t>(one);
    if (!number) return false;
    event.stamp.push_back(*number);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return true;
}

// Parses and removes "{CREATION[|OCCURRENCE] : INPUTS}" at the end, if present. A line may also end with a set.
std::optional<Tense> take_opennars_stamp(std::string_view& text, NarsEvent& event) {
  if (!text.ends_with("}")) return Tense{};
  const auto parts = split_last(text.substr(0, text.size() - 1), "{");
  const auto sides = parts ? split_last(parts->second, " : ") : std::nullopt;
  if (!sides) return Tense{};
  Tense tense;
  const auto times = split_last(sides->first, "|");
  if (times) {
    const auto occurrence = number_in<std::int64_t>(times->second);
    if (!occurrence) return std::nullopt;
    tense = {Tense::Kind::at, *occurrence};
  }
  if (!number_in<std::int64_t>(times ? times->first : sides->first)) return std::nullopt;
  if (!take_inputs(sides->second, event)) return std::nullopt;
  text = trimmed(parts->first);
  return tense;
}

// Removes a second budget of two decimals after one of four. Programs that embed OpenNARS may print both.
std::string_view without_second_budget(std::string_view text, std::string& copy) {
  const std::size_t first = text.starts_with("$") ? text.find('$', 1) : text.npos;
  if (first == text.npos || !text.substr(first + 1).starts_with(" $")) return text;
  const std::size_t second = text.find('$', first + 3);
  const std::string_view numbers = text.substr(first + 3, second == text.npos ? 0 : second - first - 3);
  if (numbers.empty() || numbers.find_first_not_of("0123456789.;") != text.npos) return text;
  copy = std::string(text.substr(0, first + 1)) + std::string(text.substr(second + 1));
  return copy;
}

bool take_opennars_knowledge(std::string_view text, narsese::TermTable& table, NarsEvent& event) {
  text = trimmed(text);
  const auto occurrence = take_opennars_stamp(text, event);
  std::string copy;
  if (!occurrence || !take_sentence(without_second_budget(text, copy), table, event)) return false;
  if (*occurrence != Tense{}) event.occurrence = *occurrence;
  return true;
}

bool is_one_of(std::string_view set, char c) { return set.find(c) != set.npos; }

// Splits the arguments between [ and ] at commas outside of brackets.
std::vector<std::string> split_arguments(std::string_view list) {
  const auto in_arrow = [&](std::size_t at) { return at < list.size() && is_one_of("-=|/\\", list[at]); };
  std::vector<std::string> arguments;
  int depth = 0;
  std::string current;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    // The angle bracket of an arrow, --> or <=>, is not a bracket.
    if (is_one_of("([{<", c) && !(c == '<' && in_arrow(i + 1))) ++depth;
    if (is_one_of(")]}>", c) && !(c == '>' && in_arrow(i - 1))) --depth;
    if (c == ',' && depth == 0) {
      arguments.emplace_back(trimmed(current));
      current.clear();
    } else {
      current += c;
    }
  }
  if (!trimmed(current).empty()) arguments.emplace_back(trimmed(current));
  return arguments;
}

// Parses an execution: $0.45;0.90;0.95$ ^say([{SELF}, x])=null
bool take_opennars_execution(std::string_view text, narsese::TermTable& table, NarsEvent& event) {
  text = trimmed(text);
  if (text.starts_with("$")) {
    const std::size_t end = text.find('$', 1);
    if (end == text.npos) return false;
    NarsEvent budgeted;
    if (!take_sentence(std::string(text.substr(0, end + 1)) + " a.", table, budgeted)) return false;
    event.budget = budgeted.budget;
    text = trimmed(text.substr(end + 1));
  }
  const std::size_t open = text.find("([");
  const std::size_t close = text.rfind("])");
  if (!text.starts_with("^") || open == text.npos || close == text.npos || close < open + 2) return false;
  take_operation(text.substr(0, open), split_arguments(text.substr(open + 2, close - open - 2)), table,
                 event);
  return true;
}

std::vector<NarsEvent> read_opennars_line(std::string_view raw, narsese::TermTable& table) {
  const std::string plain = without_colours(raw);
  std::string_view line = plain;
  NarsEvent event{.raw = std::string(raw)};
  if (const auto kind = take_heading(channels, line)) {
    event.kind = *kind;
    if (*kind == Kind::error) return {event};
    const bool valid = *kind == Kind::executed ? take_opennars_execution(line, table, event)
                                               : take_opennars_knowledge(line, table, event);
    return {valid ? event : NarsEvent{.raw = std::string(raw)}};
  }
  if (trimmed(line) == "parsing error" || trimmed(line).starts_with("!!! INVALID INPUT"))
    event.kind = Kind::error;
  return {event};
}

std::string opennars_marker(std::uint64_t number) { return "'engram " + std::to_string(number); }

}  // namespace

const NarsSystem& opennars() {
  static const NarsSystem system{
      .name = "opennars",
      .program = "OpenNARS 3",
      .dialect = narsese::Dialect::opennars,
      .read = read_opennars_line,
      .marker = opennars_marker,
      .is_marker = [](std::string_view line,
                      std::uint64_t number) { return trimmed(line) == "ECHO: " + opennars_marker(number); },
      .reset = "**",
      // Race in OpenNARS: Nar.start() starts the reasoning thread before it sets `running`. A thread that reads
      // `running` too early ends at once. OpenNARS then still reads and prints input, but infers nothing.
      .probe_name = "engram_probe",
      .probe = {"<engram_probe --> alive>.", "<engram_probe --> alive>?"},
      .probe_answer = "Answer: <engram_probe --> alive>.",
      .runs_freely = true,
      // OpenNARS has no command to set a stamp, so a repeated sentence would count as new evidence.
      .steering = {Steering::order, Steering::budgets},
      .mental_operators = {"^believe", "^want", "^wonder", "^evaluate", "^anticipate"},
  };
  return system;
}

}  // namespace engram::bridge
