// SPDX-License-Identifier: MIT
// Lines of ONA's shell. Its grammar: Memory_printAddedKnowledge, NAR_PrintAnswer, Decision.c, Truth.c,
// Stamp.c.
#include <algorithm>
#include <array>

#include "bridge/systems/event_text.hpp"
#include "bridge/systems/nars_system.hpp"
#include "narsese/parser.hpp"

namespace engram::bridge {
namespace {

using Kind = NarsEvent::Kind;
using narsese::Tense;

constexpr std::array<std::pair<std::string_view, Kind>, 5> headings{{{"Input: ", Kind::input},
                                                                     {"Derived: ", Kind::derived},
                                                                     {"Revised: ", Kind::revised},
                                                                     {"Answer: ", Kind::answer},
                                                                     {"Selected: ", Kind::other}}};

// Takes " Truth: frequency=1.000000, confidence=0.900000" off the end.
bool take_truth(std::string_view& text, NarsEvent& event) {
  const auto parts = split_last(text, " Truth: frequency=");
  if (!parts) return true;
  const auto numbers = split_last(parts->second, ", confidence=");
  if (!numbers) return false;
  const auto frequency = share_in(numbers->first), confidence = share_in(numbers->second);
  if (!frequency || !confidence) return false;
  event.truth = {*frequency, *confidence};
  text = parts->first;
  return true;
}

// Takes " NAME=number" off the end, where it stands there.
template <class Number>
std::optional<Number> take_field(std::string_view& text, std::string_view mark) {
  const auto parts = split_last(text, mark);
  const auto number = parts ? number_in<Number>(parts->second) : std::nullopt;
  if (number) text = parts->first;
  return number;
}

bool take_ona_stamp(std::string_view& text, NarsEvent& event) {
  if (!text.ends_with("]")) return true;
  const auto parts = split_last(text.substr(0, text.size() - 1), " Stamp=[");
  if (!parts) return true;
  const auto numbers = numbers_in(parts->second, ",");
  if (!numbers) return false;
  event.stamp = *numbers;
  text = parts->first;
  return true;
}

// [dt=N ]TERM.[ :|: occurrenceTime=N][ creationTime=N][ Priority=N][ Stamp=[..]][ Truth: ..], read from the
// right: names within a term may be anything.
bool take_ona_knowledge(std::string_view text, narsese::TermTable& table, NarsEvent& event) {
  text = trimmed(text);
  if (!take_truth(text, event) || !take_ona_stamp(text, event)) return false;
  if (const auto priority = take_field<double>(text, " Priority=")) {
    if (*priority < 0) return false;
    event.budget = EventBudget{std::min(*priority, 1.0)};
  }
  take_field<std::int64_t>(text, " creationTime=");
  const auto time = take_field<std::int64_t>(text, " :|: occurrenceTime=");
  const auto truth = event.truth;
  const auto budget = event.budget;
  if (!take_sentence(text, table, event)) return false;
  event.truth = truth;
  event.budget = budget;
  if (time) event.occurrence = {Tense::Kind::at, *time};
  return true;
}

// The number behind "NAME": in what only looks like JSON (a name such as \1 stands unescaped in it).
std::optional<double> member(std::string_view text, std::string_view name) {
  const std::string mark = "\"" + std::string(name) + "\": ";
  const auto parts = split_last(text, mark);
  if (!parts) return std::nullopt;
  return share_in(parts->second.substr(0, parts->second.find_first_of(",}")));
}

// //TERM: { "priority": 0.5, ..., "frequency": 1.0, "confidence": 0.9, "termlinks": [..]}, of *concepts.
// Frequency and confidence of 0 say that it has no eternal belief.
bool take_concept(std::string_view line, narsese::TermTable& table, NarsEvent& event) {
  const std::size_t at = line.find(": { \"priority\": ");
  if (!line.starts_with("//") || at == line.npos) return false;
  const auto priority = member(line, "priority");
  const auto term = narsese::parse_term(line.substr(2, at - 2), table);
  if (!priority || !term) return false;
  event.kind = Kind::concept_state;
  event.term = *term;
  event.budget = EventBudget{*priority};
  const auto frequency = member(line, "frequency"), confidence = member(line, "confidence");
  if (frequency && confidence && *confidence > 0) event.truth = {*frequency, *confidence};
  return true;
}

std::vector<NarsEvent> read_ona_line(std::string_view raw, narsese::TermTable& table) {
  const std::string plain = without_colours(raw);
  const std::string_view line = plain;
  for (const auto& [heading, kind] : headings) {
    if (!line.starts_with(heading)) continue;
    NarsEvent event{.kind = kind, .raw = std::string(raw)};
    const std::string_view text = line.substr(heading.size());
    if (kind == Kind::answer && trimmed(text) == "None.") return {event};
    if (take_ona_knowledge(text, table, event)) return {event};
    return {{.raw = std::string(raw)}};
  }
  NarsEvent event{.raw = std::string(raw)};
  if (take_ona_execution(line, table, event) || take_concept(line, table, event)) return {event};
  if (trimmed(line) == "Test failed.") event.kind = Kind::error;
  return {event};
}

// It keeps ten numbers of a stamp.
std::string stamp_import(const std::vector<std::uint64_t>& stamp) {
  std::string list;
  for (std::size_t i = 0; i < std::min<std::size_t>(stamp.size(), 10); ++i)
    list += (i > 0 ? "," : "") + std::to_string(stamp[i]);
  return "*stampimport=[" + list + "]";
}

}  // namespace

const NarsSystem& ona() {
  static const NarsSystem system{
      .name = "ona",
      .program = "OpenNARS for Applications",
      .dialect = narsese::Dialect::ona,
      .read = read_ona_line,
      .opening = {"*volume=100"},
      .opening_for_answers = {"*volume=0"},
      .marker = [](std::uint64_t) { return std::string("0"); },
      .is_marker = [](std::string_view line,
                      std::uint64_t) { return trimmed(line) == "done with 0 additional inference steps."; },
      .marker_preface = "performing 0 inference steps:",
      .reset = "*reset",
      // It divides how many concepts it has matched since its process began (Stats_countConceptsMatchedTotal) by the
      // current time and passes over concepts of low priority where that is more than 80 a cycle. A reset sets the time
      // back to 1, but not the count. So late a time makes the count small again.
      .after_reset = {"*currenttime=1000000000"},
      .answers_at_once = true,
      // It reads no budgets: every input has priority 1, and what is told last is popped first.
      .steering = {Steering::order, Steering::repeat, Steering::ask, Steering::reimport},
      .stamp_import = stamp_import,
      .past = std::nullopt,
      .operations = operation_commands,
  };
  return system;
}

}  // namespace engram::bridge
