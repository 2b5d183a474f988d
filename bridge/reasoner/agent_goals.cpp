// SPDX-License-Identifier: MIT
// What an agent makes of a goal: an operation, or goals that lead there.
#include <algorithm>

#include "bridge/reasoner/agent.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::bridge {

using narsese::Connector;
using narsese::Punctuation;
using narsese::Sentence;
using narsese::Tense;
using narsese::Term;
using narsese::TruthValue;
using Kind = AgentEvent::Kind;

namespace {

// log2(1 + complexity), as ONA's.
double bits_of(std::uint64_t complexity) {
  return core::log1p(static_cast<double>(complexity)) / core::log(2);
}

}  // namespace

std::optional<Decision> Agent::pursue(const WaitingGoal& goal, std::size_t layer) {
  if (take_apart(goal, layer)) return std::nullopt;
  EventConcept& one = memory_[goal.of];
  if (!one.goal || goal.desire.time >= one.goal->time) one.goal = goal.desire;
  if (std::ranges::find(wanted_, goal.of) == wanted_.end()) wanted_.push_back(goal.of);
  add_instances(one.term);
  auto decision = suggest(goal);
  if (!decision) derive_subgoals(goal, layer);
  return decision;
}

// {(A &/ B)!, A} |- B!, of the first part that has not come; A! where none has.
// Source  ONA, Cycle_GoalSequenceDecomposition
bool Agent::take_apart(const WaitingGoal& goal, std::size_t layer) {
  const Term whole = memory_[goal.of].term;
  if (!whole.is(Connector::sequence)) return false;
  WaitingGoal next = goal;
  Cycle since = 0;
  std::size_t part = 0;
  for (; part < whole.components().size(); ++part) {
    const auto id = memory_.find(whole.components()[part]);
    if (!id || !holds_now(memory_[*id], now_) || memory_[*id].belief->time < since) break;
    const Happening& met = *memory_[*id].belief;
    since = met.time;
    next.desire.truth = goal_deduction(next.desire.truth, projection(met.truth, now_ - met.time));
  }
  if (part == whole.components().size()) return true;
  if (part == 0) next.desire.truth = narsese::structural_deduction(goal.desire.truth);
  next.of = memory_.conceptualize(whole.components()[part], now_);
  next.priority = goal.priority * expectation(next.desire.truth);
  want(std::move(next), layer + 1);
  return true;
}

std::optional<Decision> Agent::suggest(const WaitingGoal& goal) {
  const Term term = memory_[goal.of].term;
  if (const OperationId operation = operation_in(term)) {
    const double desire = expectation(goal.desire.truth);
    return desire >= options_.decision_threshold ? std::optional(Decision{operation, desire}) : std::nullopt;
  }
  const auto best =
      best_decision(memory_, goal.of, goal.desire.truth, wanted_, now_, options_.decision_threshold);
  const bool tries = rng_.uniform() < options_.motor_babbling;
  if (!tries || (best && best->desire > options_.suppresses_babbling)) return best;
  std::vector<std::size_t> known;
  for (std::size_t i = 0; i < std::min(options_.babbling_operators, options_.operators.size()); ++i)
    if (!options_.operators[i].empty()) known.push_back(i);
  if (known.empty()) return best;
  const std::string& name = options_.operators[known[rng_.below(known.size())]];
  return Decision{operation_in(memory_.table().op(name)), 1};
}

// What leads to it and is not so now, with or without an operation.
void Agent::derive_subgoals(const WaitingGoal& goal, std::size_t layer) {
  const std::vector<ImplicationId> leading = memory_[goal.of].to;
  for (const ImplicationId id : leading) {
    const TemporalImplication& implication = memory_.implication(id);
    const EventConcept& needed = memory_[implication.precondition];
    if (holds_now(needed, now_)) continue;
    WaitingGoal next{implication.precondition, goal.desire, goal.priority};
    next.desire.truth = goal_deduction(goal.desire.truth, implication.truth);
    next.desire.time = now_;
    if (next.desire.truth.confidence < options_.temporal.least_confidence) continue;
    next.priority *= expectation(next.desire.truth) / bits_of(needed.term.complexity());
    add_to_stamp(next.desire.stamp, implication.stamp);
    want(std::move(next), layer + 1);
  }
}

void Agent::want(WaitingGoal goal, std::size_t layer) {
  Sentence told;
  if (hears(Kind::derived)) {
    told.term = memory_[goal.of].term;
    told.punctuation = Punctuation::goal;
    told.tense = {Tense::Kind::at, now_};
    told.truth = goal.desire.truth;
  }
  const std::vector<InputNumber> stamp = goal.desire.stamp;
  if (goals_.push(layer, std::move(goal))) tell(Kind::derived, told, stamp);
}

// That it was done is an event, and takes a cycle of its own.
void Agent::execute(OperationId operation) {
  Sentence told;
  told.term = memory_.operation_term(operation);
  told.tense = {Tense::Kind::at, now_};
  tell(Kind::executed, told, {});
  experience(told.term, {TruthValue{}, now_, EventStamp(next_input_())}, Kind::input);
  now_ = std::min(now_ + 1, last_cycle);
}

}  // namespace engram::bridge
