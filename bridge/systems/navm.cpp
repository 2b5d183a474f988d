// SPDX-License-Identifier: MIT
#include "bridge/systems/navm.hpp"

#include <algorithm>

#include "bridge/json/object_reader.hpp"
#include "bridge/systems/event_text.hpp"
#include "bridge/systems/nars_system.hpp"

namespace engram::bridge {
namespace {

using Kind = NarsEvent::Kind;

NavmOutput output_in(const JsonValue& json) {
  ObjectReader object(json, "an output, an object");
  NavmOutput output{object["type"].text(), object["content"].text()};
  if (const JsonValue narsese = object["narsese"]) output.narsese = narsese.text();
  if (const JsonValue parts = object["operation"]) {
    parts.list("an array of strings");
    for (std::size_t i = 0; i < parts.size(); ++i) output.operation.push_back(parts[i].text());
  }
  object.refuse_others();
  return output;
}

// Reads one line, which is always one event.
std::vector<NarsEvent> read_navm_line(std::string_view line, narsese::TermTable& table) {
  NarsEvent event;
  if (const auto output = read_navm_output(line)) event = navm_event(*output, table);
  event.raw = line;
  return {event};
}

std::string remark(std::uint64_t number) { return "engram " + std::to_string(number); }

bool is_remark(std::string_view line, std::uint64_t number) {
  const std::string text = remark(number);
  if (line.find(text) == line.npos) return false;
  const auto output = read_navm_output(line);
  return output && output->type == "COMMENT" && trimmed(output->content).ends_with(text);
}

}  // namespace

const NarsSystem& navm() {
  static const NarsSystem system{
      .name = "navm",
      .program = "a NARS that speaks NAVM",
      .dialect = narsese::Dialect::common,
      .read = read_navm_line,
      .cycles = [](std::uint64_t count) { return "CYC " + std::to_string(count); },
      .marker = [](std::uint64_t number) { return "REM " + remark(number); },
      .is_marker = is_remark,
      // Some systems refuse RES and would keep earlier input, so each question gets a new process.
      .reset = "",
      .answers_at_once = true,
      // The outputs have no stamps, so repeated sentences would count as new evidence.
      .steering = {Steering::order, Steering::budgets},
      .before_sentence = "NSE ",
      .if_silent = "a program that speaks NAVM has to send each REM back as a COMMENT",
  };
  return system;
}

std::optional<NavmCommand> read_navm_command(std::string_view line) {
  line = trimmed(line);
  if (line.empty()) return std::nullopt;
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  NavmCommand command{std::string(line.substr(0, end)), std::string(trimmed(line.substr(end)))};
  for (char& c : command.head)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  const bool counts = command.head == "CYC" || command.head == "VOL";
  if (counts && !number_in<std::uint64_t>(command.rest)) return std::nullopt;
  return command;
}

std::string write(const NavmOutput& output) {
  Json json = {{"type", output.type}, {"content", output.content}};
  if (output.narsese) json["narsese"] = *output.narsese;
  if (!output.operation.empty()) json["operation"] = output.operation;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

narsese::Result<NavmOutput, JsonError> read_navm_output(std::string_view line) {
  const auto read = read_json(line);
  if (!read) return read.error();
  try {
    const JsonValue json(*read);
    if (!read->is_array()) return output_in(json);
    if (json.size() != 1) json.refuse("an array of one output", std::to_string(json.size()));
    return output_in(json[0]);
  } catch (const JsonError& error) {
    return error;
  }
}

NarsEvent navm_event(const NavmOutput& output, narsese::TermTable& table) {
  NarsEvent event{.raw = output.content};
  if (output.type == "ERROR") event.kind = Kind::error;
  if (output.type == "EXE" && !output.operation.empty()) {
    event.kind = Kind::executed;
    take_operation("^" + output.operation[0], {output.operation.begin() + 1, output.operation.end()}, table,
                   event);
  }
  if (!output.narsese || !take_sentence(*output.narsese, table, event)) return event;
  if (output.type == "IN") event.kind = Kind::input;
  if (output.type == "OUT") event.kind = Kind::derived;
  if (output.type == "ANSWER") event.kind = Kind::answer;
  return event;
}

}  // namespace engram::bridge
