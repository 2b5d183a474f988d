// SPDX-License-Identifier: MIT
// Parser for the output of ONA's shell. ONA's source defines the format: Memory_printAddedKnowledge, NAR_PrintAnswer,
// Decision.c, Truth.c, Stamp.c. Also the parser for its NAR_json.py.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "bridge/json/object_reader.hpp"
#include "bridge/systems/event_text.hpp"
#include "bridge/systems/nars_system.hpp"
#include "narsese/parser.hpp"

namespace engram::bridge {
namespace {

using Kind = NarsEvent::Kind;
using narsese::Tense;

constexpr Heading headings[] = {{"Input: ", Kind::input},
                                {"Derived: ", Kind::derived},
                                {"Revised: ", Kind::revised},
                                {"Answer: ", Kind::answer},
                                {"Selected: ", Kind::other}};

// Parses and removes " Truth: frequency=1.000000, confidence=0.900000" at the end.
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

// Parses and removes " NAME=number" at the end, if present.
template <class Number>
std::optional<Number> take_field(std::string_view& text, std::string_view mark) {
  const auto parts = split_last(text, mark);
  const auto number = parts ? number_in<Number>(parts->second) : std::nullopt;
  if (number) text = parts->first;
  return number;
}

// Parses [dt=N ]TERM.[ :|: occurrenceTime=N][ creationTime=N][ Priority=N][ Stamp=[..]][ Truth: ..] from the right,
// because names within the term may contain anything.
bool take_ona_knowledge(std::string_view text, narsese::TermTable& table, NarsEvent& event) {
  text = trimmed(text);
  if (!take_truth(text, event) || !take_stamp(text, event)) return false;
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

// The number after "NAME": in text that is similar to JSON. It is not JSON, because names such as \1 are not escaped.
std::optional<double> member(std::string_view text, std::string_view name) {
  const std::string mark = "\"" + std::string(name) + "\": ";
  const auto parts = split_last(text, mark);
  if (!parts) return std::nullopt;
  return share_in(parts->second.substr(0, parts->second.find_first_of(",}")));
}

// Parses //TERM: { "priority": 0.5, ..., "frequency": 1.0, "confidence": 0.9, "termlinks": [..]} from *concepts.
// Frequency and confidence 0 mean that there is no eternal belief.
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
  std::string_view line = plain;
  NarsEvent event{.raw = std::string(raw)};
  if (const auto kind = take_heading(headings, line)) {
    event.kind = *kind;
    const bool no_answer = *kind == Kind::answer && trimmed(line) == "None.";
    if (no_answer || take_ona_knowledge(line, table, event)) return {event};
    return {{.raw = std::string(raw)}};
  }
  if (take_ona_execution(line, table, event) || take_concept(line, table, event)) return {event};
  if (trimmed(line) == "Test failed.") event.kind = Kind::error;
  return {event};
}

// ONA stores at most ten numbers of a stamp.
std::string stamp_import(const std::vector<std::uint64_t>& stamp) {
  std::string list;
  for (std::size_t i = 0; i < std::min<std::size_t>(stamp.size(), 10); ++i)
    list += (i > 0 ? "," : "") + std::to_string(stamp[i]);
  return "*stampimport=[" + list + "]";
}

// --- behind Python ---------------------------------------------------------------------------------

// Converts a task of NAR.py: {"occurrenceTime","Stamp"?,"punctuation","term","truth"?,"Priority"?}.
NarsEvent task_event(const Json& task, Kind kind, narsese::TermTable& table) {
  NarsEvent event{.kind = kind, .raw = task.dump()};
  if (kind == Kind::answer && text_of(task, "term") == "None") return event;
  if (!take_sentence(text_of(task, "term") + text_of(task, "punctuation"), table, event))
    return NarsEvent{.raw = event.raw};
  if (task.contains("truth")) {
    const auto frequency = share_in(text_of(task.at("truth"), "frequency"));
    const auto confidence = share_in(text_of(task.at("truth"), "confidence"));
    if (!frequency || !confidence) return NarsEvent{.raw = event.raw};
    event.truth = {*frequency, *confidence};
  }
  if (const auto priority = share_in(text_of(task, "Priority"))) event.budget = EventBudget{*priority};
  const std::string time = text_of(task, "occurrenceTime");
  if (time == "now") event.occurrence.kind = Tense::Kind::present;
  if (const auto cycle = number_in<std::int64_t>(time)) event.occurrence = {Tense::Kind::at, *cycle};
  if (task.contains("Stamp") && task.at("Stamp").is_array())
    for (const Json& number : task.at("Stamp"))
      if (const auto input = whole_in<std::uint64_t>(number)) event.stamp.push_back(*input);
  return event;
}

// Converts {"operator":"^go","arguments":"x"}. Without arguments, these are an empty list.
NarsEvent execution_event(const Json& execution, narsese::TermTable& table) {
  NarsEvent event{.kind = Kind::executed, .raw = execution.dump()};
  std::vector<std::string> arguments;
  if (const std::string argument = text_of(execution, "arguments"); !argument.empty())
    arguments = {"{SELF}", argument};  // NAR.py shortens "({SELF} * x)" to "x"
  take_operation(text_of(execution, "operator"), arguments, table, event);
  return event.term ? event : NarsEvent{.raw = event.raw};
}

// Reads one line of NAR_json.py: a dictionary of lists in which numbers are strings. The events are in the order input,
// derivations, executions, answers; `raw` is the entry. `selections` and `reason` are ignored. "dt=0.000000 " may occur
// within "term". NAR_json does not distinguish Derived from Revised, so both are derived. Any other line (the blank
// first line, *stats) is one event `other`.
std::vector<NarsEvent> read_nar_json(std::string_view line, narsese::TermTable& table) {
  const Json json = json_line(line);
  if (!json.is_object() || !json.contains("derivations")) return {NarsEvent{.raw = std::string(line)}};
  std::vector<NarsEvent> events;
  constexpr std::pair<const char*, Kind> lists[] = {{"input", Kind::input},
                                                    {"derivations", Kind::derived},
                                                    {"executions", Kind::executed},
                                                    {"answers", Kind::answer}};
  for (const auto& [list, kind] : lists)
    if (json.contains(list) && json.at(list).is_array())
      for (const Json& entry : json.at(list))
        events.push_back(kind == Kind::executed ? execution_event(entry, table)
                                                : task_event(entry, kind, table));
  if (events.empty()) events.push_back(NarsEvent{.raw = std::string(line)});
  return events;
}

std::vector<NarsEvent> read_from_python(std::string_view line, narsese::TermTable& table) {
  return line.starts_with("{") ? read_nar_json(line, table) : read_ona_line(line, table);
}

// ONA's own marker 0 cannot be used. NAR.py sends it after every line and waits for it, so an additional one would
// leave NAR.py one line behind forever.
std::string comment_marker(std::uint64_t number) { return "//engram " + std::to_string(number); }

bool is_comment_marker(std::string_view line, std::uint64_t number) {
  const std::string comment = "Comment: engram " + std::to_string(number);
  if (trimmed(line) == comment) return true;
  return line.find(comment) != line.npos && trimmed(text_of(json_line(line), "raw")).ends_with(comment);
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
      // ONA counts the concepts it has matched since its process began (Stats_countConceptsMatchedTotal) and divides
      // the count by the current time. If the result exceeds 80 per cycle, it skips concepts of low priority. A reset
      // sets the time to 1 but keeps the count. A very late time makes the quotient small again.
      .after_reset = {"*currenttime=1000000000"},
      .answers_at_once = true,
      // ONA does not read budgets: every input has priority 1, and the latest input is processed first.
      .steering = {Steering::order, Steering::repeat, Steering::ask, Steering::reimport},
      .stamp_import = stamp_import,
      .past = std::nullopt,
      .compound_events = true,
      .operations = operation_commands,
  };
  return system;
}

const NarsSystem& nar_json() {
  static const NarsSystem system = [] {
    NarsSystem made = ona();
    made.name = "nar_json";
    made.program = "OpenNARS for Applications behind Python";
    made.read = read_from_python;
    made.marker = comment_marker;
    made.is_marker = is_comment_marker;
    made.marker_preface = "";
    made.silence_hint = "Python buffers its output unless it is started as python3 -u";
    return made;
  }();
  return system;
}

}  // namespace engram::bridge
