// SPDX-License-Identifier: MIT
#include "bridge/reasoner/decision.hpp"

#include <vector>

#include "bridge/reasoner/event_window.hpp"

namespace engram::bridge {

using narsese::TruthValue;

namespace {

// Of the operation, as far as this implication goes; nothing where what it needs never was.
std::optional<TruthValue> desire_of_operation(const TemporalMemory& memory,
                                              const TemporalImplication& implication, TruthValue desired,
                                              Cycle now) {
  const auto& needed = memory[implication.precondition].belief;
  if (!needed) return std::nullopt;
  return goal_deduction(goal_deduction(desired, implication.truth),
                        projection(needed->truth, now - needed->time));
}

bool does_harm(const TemporalMemory& memory, OperationId operation, std::span<const EventConceptId> wanted,
               Cycle now) {
  TruthValue surest{0.5, 0};
  for (const EventConceptId id : wanted) {
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
                                      std::span<const EventConceptId> wanted, Cycle now, double threshold) {
  std::optional<Decision> best;
  std::uint64_t complexity_of_best = 0;
  std::vector<std::optional<bool>> harmful(memory.operations() + 1);
  for (const ImplicationId id : memory[goal].to) {
    const TemporalImplication& implication = memory.implication(id);
    const OperationId operation = implication.operation;
    if (operation == 0) continue;
    const auto truth = desire_of_operation(memory, implication, desired, now);
    if (!truth) continue;
    const double desire = expectation(*truth);
    const std::uint64_t complexity = memory[implication.precondition].term.complexity();
    if (desire < threshold) continue;
    if (best && (desire < best->desire || (desire == best->desire && complexity >= complexity_of_best)))
      continue;
    if (!harmful[operation]) harmful[operation] = does_harm(memory, operation, wanted, now);
    if (*harmful[operation]) continue;
    best = Decision{operation, desire};
    complexity_of_best = complexity;
  }
  return best;
}

bool holds_now(const EventConcept& one, Cycle now) {
  return one.belief &&
         expectation(projection(one.belief->truth, now - one.belief->time)) >= condition_threshold;
}

}  // namespace engram::bridge
