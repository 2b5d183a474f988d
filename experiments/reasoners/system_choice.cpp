// SPDX-License-Identifier: MIT
#include "experiments/reasoners/system_choice.hpp"

namespace engram::experiments {

namespace {

constexpr std::int64_t most_cycles = 1'000'000;  // chosen, like the limits in seconds
constexpr double least_seconds = 0.001, most_seconds = 3600;

std::vector<std::string> words_of(const JsonValue& list) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < list.list("a list of a program and its arguments", 1).size(); ++i)
    words.push_back(list[i].text());
  if (words[0].empty()) list[0].refuse("the name of a program");
  return words;
}

}  // namespace

SystemChoice read_system(SpecObject& object) {
  SystemChoice choice;
  const JsonValue name = object["name"];
  choice.system = &name.required("the name of a system")
                       .choice("the name of a system", bridge::nars_systems(), &bridge::NarsSystem::name);
  object.keep("name", std::string(choice.system->name));
  if (const JsonValue command = object["command"]) choice.command = object.keep("command", words_of(command));
  if (const JsonValue recording = object["recording"])
    choice.recording = object.keep("recording", recording.text("the name of a file"));
  const bool embedded = choice.system->embedded != nullptr;
  if (embedded && !choice.command.empty())
    object["command"].refuse("left out, as engram is the reasoner in this program");
  if (!embedded && choice.command.empty() && choice.recording.empty())
    object.value().refuse("an object with a \"command\", a \"recording\" or both", "neither");
  object.count("cycles", choice.cycles, most_cycles, 0);
  object.count("more_cycles", choice.more_cycles, most_cycles, 0);
  object.number("settling", choice.settling, least_seconds, most_seconds);
  object.number("patience", choice.patience, least_seconds, most_seconds);
  return choice;
}

}  // namespace engram::experiments
