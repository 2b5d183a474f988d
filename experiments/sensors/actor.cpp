// SPDX-License-Identifier: MIT
#include "experiments/sensors/actor.hpp"

#include <algorithm>
#include <array>
#include <boost/algorithm/string.hpp>

#include "narsese/printer.hpp"

namespace engram::experiments::sensors {

ActingSystem read_acting_system(SpecObject& object) {
  ActingSystem choice;
  static const std::array<bridge::NarsSystem, 2> acting{bridge::engram_nars(), bridge::ona()};
  const std::string fallback(choice.system->name);
  const JsonValue name = object["name"];
  if (name)
    choice.system = bridge::find_nars_system(
        name.choice("the name of a system that acts", acting, &bridge::NarsSystem::name).name);
  object.keep("name", std::string(choice.system->name));
  const JsonValue command = object["command"];
  const bool embedded = choice.system->embedded != nullptr;
  if (command && embedded) command.refuse("left out, as engram is the reasoner in this program");
  if (!command && !embedded) object.value().refuse("an object with the \"command\" that starts it", "none");
  if (command) {
    for (std::size_t i = 0; i < command.list("a list of a program and its arguments", 1).size(); ++i)
      choice.command.push_back(command[i].text());
    if (choice.command[0].empty()) command[0].refuse("the name of a program");
    object.keep("command", choice.command);
  }
  object.number("babbling", choice.babbling, 0, 1);
  object.number("patience", choice.patience, 0.001, 3600);
  return choice;
}

Actor::Actor(const ActingSystem& choice, std::span<const std::string> operations, std::uint64_t seed)
    : operations_(operations.begin(), operations.end()),
      system_(*choice.system),
      patience_(static_cast<std::int64_t>(choice.patience * 1000)),
      process_(choice.command, system_) {
  std::vector<std::string> lines = system_.opening_for_answers;
  for (std::size_t i = 0; i < operations_.size(); ++i)
    lines.push_back("*setopname " + std::to_string(i + 1) + " " + operations_[i]);
  lines.push_back("*babblingops=" + std::to_string(operations_.size()));
  lines.push_back("*motorbabbling=" + Json(choice.babbling).dump());
  if (system_.embedded != nullptr) lines.push_back("*seed=" + std::to_string(seed));  // ONA takes no seed
  say(lines, [](std::string_view, bool, bool) {});
  if (!ended_.empty()) throw bridge::ReasonerError(ended_);
}

void Actor::learn(const std::vector<std::string>& judgements) {
  say(judgements, [](std::string_view, bool, bool) {});
}

void Actor::say(const std::vector<std::string>& lines, const bridge::ReasonerProcess::Sink& sink) {
  if (!ended_.empty()) return;
  try {
    process_.say(lines, patience_, sink);
  } catch (const bridge::ReasonerError& error) {
    const std::string printed =
        boost::trim_copy(boost::replace_all_copy(process_.last_lines(), "\n    ", " / "));
    ended_ =
        "the reasoner " + std::string(error.what()) + (printed.empty() ? "" : "; it printed: " + printed);
  }
}

std::optional<std::size_t> Actor::tell(const std::vector<std::string>& events, const std::string& goal,
                                       std::uint64_t cycles) {
  std::vector<std::string> lines;
  for (const std::string& event : events) lines.push_back(event + ". :|:");
  if (!goal.empty()) lines.push_back(goal + "! :|:");
  if (cycles > 0) lines.push_back(system_.cycles(cycles));
  std::optional<std::size_t> done;
  say(lines, [&](std::string_view line, bool, bool ours) {
    if (ours) return;
    narsese::TermTable table;
    for (const bridge::NarsEvent& event : system_.read(line, table)) {
      if (event.kind != bridge::NarsEvent::Kind::executed) continue;
      const std::string_view did = line.substr(0, line.find(' '));
      const auto place = std::ranges::find(operations_, did);
      if (place == operations_.end() || done)
        ++more_operations_;
      else
        done = static_cast<std::size_t>(place - operations_.begin());
    }
  });
  return done;
}

}  // namespace engram::experiments::sensors
