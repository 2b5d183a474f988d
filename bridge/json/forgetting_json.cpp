// SPDX-License-Identifier: MIT
#include "bridge/json/forgetting_json.hpp"

#include <limits>

namespace engram::bridge {
namespace {

using core::ForgettingEvent;
using core::ForgettingHistory;
using core::LearntWorth;

Json events_json(const ForgettingHistory& so_far) {
  Json events = Json::array();
  for (const ForgettingEvent& event : so_far.recent)
    events.push_back({{"cycle", event.when},
                      {"reason", name_of(core::forgetting_reasons, event.reason)},
                      {"statements", event.statements},
                      {"concepts", event.concepts},
                      {"links", event.links},
                      {"left", event.left},
                      {"examples", event.examples}});
  return events;
}

ForgettingEvent event_in(ObjectReader event) {
  ForgettingEvent read;
  read.when = event["cycle"].count();
  read.reason =
      event["reason"]
          .choice("a reason", core::forgetting_reasons, &core::NamedValue<core::ForgettingReason>::name)
          .value;
  read.statements = event["statements"].count();
  read.concepts = event["concepts"].count();
  read.links = event["links"].count();
  read.left = event["left"].count();
  const JsonValue examples = event["examples"];
  examples.list();
  if (examples.size() > ForgettingHistory::most_examples)
    examples.refuse("at most " + std::to_string(ForgettingHistory::most_examples) + " examples");
  for (std::size_t i = 0; i < examples.size(); ++i) read.examples.push_back(examples[i].text());
  event.refuse_others();
  return read;
}

LearntWorth::Features numbers_in(const JsonValue& list, double least) {
  list.list("a list of " + std::to_string(LearntWorth::features) + " numbers", LearntWorth::features);
  LearntWorth::Features numbers{};
  for (std::size_t k = 0; k < numbers.size(); ++k)
    numbers[k] = list[k].number(least, std::numeric_limits<double>::max());
  return numbers;
}

Json worth_json(const LearntWorth& worth) { return {{"weights", worth.weights}, {"squares", worth.squares}}; }

LearntWorth worth_in(ObjectReader worth) {
  LearntWorth read;
  read.weights = numbers_in(worth["weights"], std::numeric_limits<double>::lowest());
  read.squares = numbers_in(worth["squares"], 0);
  worth.refuse_others();
  return read;
}

}  // namespace

Json forgetting_json(const core::Forgetting& forgetting) {
  const ForgettingHistory& so_far = forgetting.state().so_far;
  Json reasons = Json::object();
  for (const auto& reason : core::forgetting_reasons)
    reasons[std::string(reason.name)] = so_far.times[static_cast<std::size_t>(reason.value)];
  return {{"policy", name_of(core::forgetting_policies, forgetting.options().policy)},
          {"statements", so_far.statements},
          {"concepts", so_far.concepts},
          {"links", so_far.links},
          {"times", reasons},
          {"recent", events_json(so_far)}};
}

Json forgetting_state_json(const core::Forgetting::State& state) {
  return {{"of_concepts", worth_json(state.budgets.of_concepts)},
          {"of_statements", worth_json(state.budgets.of_statements)},
          {"times", state.so_far.times},
          {"statements", state.so_far.statements},
          {"concepts", state.so_far.concepts},
          {"links", state.so_far.links},
          {"last", state.so_far.last},
          {"left", state.so_far.left},
          {"recent", events_json(state.so_far)}};
}

core::Forgetting::State forgetting_state_in(const JsonValue& value) {
  ObjectReader state(value);
  core::Forgetting::State read;
  read.budgets.of_concepts = worth_in(ObjectReader(state["of_concepts"]));
  read.budgets.of_statements = worth_in(ObjectReader(state["of_statements"]));
  const JsonValue times = state["times"];
  times.list("how often for each reason", read.so_far.times.size());
  for (std::size_t i = 0; i < read.so_far.times.size(); ++i) read.so_far.times[i] = times[i].count();
  read.so_far.statements = state["statements"].count();
  read.so_far.concepts = state["concepts"].count();
  read.so_far.links = state["links"].count();
  read.so_far.last = state["last"].count();
  read.so_far.left = state["left"].count();
  const JsonValue recent = state["recent"];
  recent.list();
  if (recent.size() > ForgettingHistory::most_recent)
    recent.refuse("at most " + std::to_string(ForgettingHistory::most_recent) + " times");
  for (std::size_t i = 0; i < recent.size(); ++i)
    read.so_far.recent.push_back(event_in(ObjectReader(recent[i])));
  state.refuse_others();
  return read;
}

}  // namespace engram::bridge
