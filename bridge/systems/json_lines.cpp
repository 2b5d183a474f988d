// SPDX-License-Identifier: MIT
#include "bridge/systems/json_lines.hpp"

#include <nlohmann/json.hpp>

#include "bridge/json/object_reader.hpp"
#include "bridge/systems/event_text.hpp"
#include "bridge/systems/nars_system.hpp"

namespace engram::bridge {
namespace {

using Kind = NarsEvent::Kind;
using narsese::Tense;

// Parses JSON. Returns null if it is invalid.
Json parsed(std::string_view line) {
  auto read = read_json(line, {.max_bytes = std::size_t{16} << 20});
  return read ? std::move(read).value() : Json();
}

std::string text_of(const Json& json, const char* member) {
  return json.is_object() && json.contains(member) && json.at(member).is_string()
             ? json.at(member).get<std::string>()
             : "";
}

NarsEvent unknown(std::string_view raw) { return {.raw = std::string(raw)}; }

// Converts a task of NAR.py: {"occurrenceTime","Stamp"?,"punctuation","term","truth"?,"Priority"?}.
NarsEvent task_event(const Json& task, Kind kind, narsese::TermTable& table) {
  NarsEvent event{.kind = kind, .raw = task.dump()};
  if (kind == Kind::answer && text_of(task, "term") == "None") return event;
  if (!take_sentence(text_of(task, "term") + text_of(task, "punctuation"), table, event))
    return unknown(event.raw);
  if (task.contains("truth")) {
    const auto frequency = share_in(text_of(task.at("truth"), "frequency"));
    const auto confidence = share_in(text_of(task.at("truth"), "confidence"));
    if (!frequency || !confidence) return unknown(event.raw);
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
  const std::string argument = text_of(execution, "arguments");
  // NAR.py shortens "({SELF} * x)" to "x".
  std::vector<std::string> arguments;
  if (!argument.empty()) arguments = {"{SELF}", argument};
  take_operation(text_of(execution, "operator"), arguments, table, event);
  if (!event.term) return unknown(event.raw);
  return event;
}

void append(const Json& json, const char* list, Kind kind, narsese::TermTable& table,
            std::vector<NarsEvent>& events) {
  if (!json.contains(list) || !json.at(list).is_array()) return;
  for (const Json& entry : json.at(list))
    events.push_back(kind == Kind::executed ? execution_event(entry, table) : task_event(entry, kind, table));
}

// Reads one line of NAR_json.py: a dictionary of lists in which numbers are strings. The events are in the order input,
// derivations, executions, answers; `raw` is the entry. `selections` and `reason` are ignored. "dt=0.000000 " may occur
// within "term". NAR_json does not distinguish Derived from Revised, so both are derived. Any other line (the blank
// first line, *stats) is one event `other`.
std::vector<NarsEvent> read_nar_json(std::string_view line, narsese::TermTable& table) {
  const Json json = parsed(line);
  if (!json.is_object() || !json.contains("derivations")) return {unknown(line)};
  std::vector<NarsEvent> events;
  append(json, "input", Kind::input, table, events);
  append(json, "derivations", Kind::derived, table, events);
  append(json, "executions", Kind::executed, table, events);
  append(json, "answers", Kind::answer, table, events);
  if (events.empty()) events.push_back(unknown(line));
  return events;
}

std::vector<NarsEvent> read_from_python(std::string_view line, narsese::TermTable& table) {
  return line.starts_with("{") ? read_nar_json(line, table) : ona().read(line, table);
}

// ONA's own marker 0 cannot be used. NAR.py sends it after every line and waits for it, so an additional one would
// leave NAR.py one line behind forever.
std::string marker(std::uint64_t number) { return "//engram " + std::to_string(number); }

bool is_marker(std::string_view line, std::uint64_t number) {
  const std::string comment = "Comment: engram " + std::to_string(number);
  if (trimmed(line) == comment) return true;
  return line.find(comment) != line.npos && trimmed(text_of(parsed(line), "raw")).ends_with(comment);
}

}  // namespace

const NarsSystem& nar_json() {
  static const NarsSystem system = [] {
    NarsSystem made = ona();
    made.name = "nar_json";
    made.program = "OpenNARS for Applications behind Python";
    made.read = read_from_python;
    made.marker = marker;
    made.is_marker = is_marker;
    made.marker_preface = "";
    made.if_silent = "Python keeps back what it prints unless it is started as python3 -u";
    return made;
  }();
  return system;
}

std::vector<NarsEvent> read_console_plus(std::string_view line, narsese::TermTable& table) {
  const Json json = parsed(line);
  std::vector<NarsEvent> events;
  if (json.is_array())
    for (const Json& entry : json) {
      const std::string type = text_of(entry, "output_type");
      NarsEvent event{.raw = entry.dump()};
      const bool known = type == "IN" || type == "OUT" || type == "ANSWER";
      if (known && take_sentence(text_of(entry, "content"), table, event))
        event.kind = type == "IN" ? Kind::input : type == "OUT" ? Kind::derived : Kind::answer;
      if (type == "ERROR") event.kind = Kind::error;
      events.push_back(event);
    }
  if (events.empty()) events.push_back(unknown(line));
  return events;
}

}  // namespace engram::bridge
