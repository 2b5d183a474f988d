// SPDX-License-Identifier: MIT
#include "core/reasoner/goals.hpp"

#include <algorithm>
#include <vector>

#include "core/reasoner/temporal_memory.hpp"

namespace engram::core {

using narsese::TruthValue;

bool GoalQueue::push(std::size_t layer, PendingGoal goal) {
  if (layer >= layers) return false;
  std::vector<PendingGoal>& pending = pending_[layer];
  if (std::ranges::any_of(pending, [&](const PendingGoal& one) {
        return one.concept_id == goal.concept_id && one.desire.time == goal.desire.time &&
               one.desire.truth == goal.desire.truth;
      }))
    return false;
  if (pending.size() == max_per_layer) {
    const auto least = std::ranges::min_element(pending, {}, &PendingGoal::priority);
    if (least->priority >= goal.priority) return false;
    pending.erase(least);
  }
  pending.push_back(std::move(goal));
  return true;
}

std::optional<PendingGoal> GoalQueue::pop(std::size_t layer) {
  std::vector<PendingGoal>& pending = pending_[layer];
  const auto most = std::ranges::max_element(pending, {}, &PendingGoal::priority);
  if (most == pending.end()) return std::nullopt;
  PendingGoal goal = std::move(*most);
  pending.erase(most);
  return goal;
}

void GoalQueue::drop_older_than(Cycle time) {
  for (auto& pending : pending_)
    std::erase_if(pending, [&](const PendingGoal& goal) { return goal.desire.time < time; });
}

void GoalQueue::clear() {
  for (auto& pending : pending_) pending.clear();
}

bool GoalQueue::empty() const {
  return std::ranges::all_of(pending_, [](const auto& pending) { return pending.empty(); });
}

void GoalQueue::mark_used(std::vector<bool>& in_use) const {
  for (const auto& pending : pending_)
    for (const PendingGoal& goal : pending) in_use[goal.concept_id] = true;
}

void GoalQueue::renumber(const IdRemap& concepts) {
  for (auto& pending : pending_)
    for (PendingGoal& goal : pending) goal.concept_id = concepts(goal.concept_id);
}

namespace {

// The desire value that an implication gives to its operation, or nothing if its precondition never occurred.
std::optional<TruthValue> desire_of_operation(const TemporalMemory& memory,
                                              const TemporalImplication& implication, TruthValue desired,
                                              Cycle now) {
  const auto& needed = memory[implication.precondition].belief;
  if (!needed) return std::nullopt;
  return goal_deduction(goal_deduction(desired, implication.truth),
                        projection(needed->truth, now - needed->time));
}

// Whether the most certain effect of an operation on the recent goals is undesired.
bool does_harm(const TemporalMemory& memory, EventOperationId operation,
               std::span<const EventConceptId> recent_goals, Cycle now) {
  TruthValue surest{0.5, 0};
  for (const EventConceptId id : recent_goals) {
    const EventConcept& one = memory[id];
    for (const ImplicationId leading : one.to) {
      const TemporalImplication& implication = memory.implication(leading);
      if (implication.operation != operation) continue;
      const auto& needed = memory[implication.precondition].belief;
      if (!needed || now - needed->time >= EventWindow::width) continue;
      const auto truth = desire_of_operation(memory, implication, one.goal->truth, now);
      if (truth->confidence > surest.confidence) surest = *truth;
    }
  }
  return expectation(surest) < 0.5;
}

}  // namespace

std::optional<Decision> best_decision(const TemporalMemory& memory, EventConceptId goal, TruthValue desired,
                                      std::span<const EventConceptId> recent_goals, Cycle now,
                                      double threshold) {
  std::optional<Decision> best;
  std::uint64_t complexity_of_best = 0;
  std::vector<std::optional<bool>> harmful(memory.operation_count() + 1);
  for (const ImplicationId id : memory[goal].to) {
    const TemporalImplication& implication = memory.implication(id);
    const EventOperationId operation = implication.operation;
    if (operation == 0) continue;
    const auto truth = desire_of_operation(memory, implication, desired, now);
    if (!truth) continue;
    const double desire = expectation(*truth);
    const std::uint64_t complexity = memory[implication.precondition].term.complexity();
    if (desire < threshold) continue;
    if (best && (desire < best->desire || (desire == best->desire && complexity >= complexity_of_best)))
      continue;
    if (!harmful[operation]) harmful[operation] = does_harm(memory, operation, recent_goals, now);
    if (*harmful[operation]) continue;
    best = Decision{operation, desire};
    complexity_of_best = complexity;
  }
  return best;
}

bool holds_now(const EventConcept& event, Cycle now) {
  return event.belief &&
         expectation(projection(event.belief->truth, now - event.belief->time)) >= condition_threshold;
}

}  // namespace engram::core
