// SPDX-License-Identifier: MIT
// What to do for what is wanted.
#pragma once

#include <optional>
#include <span>

#include "bridge/reasoner/temporal_memory.hpp"

namespace engram::bridge {

/// An operation, and how much it is expected to lead to what is wanted.
struct Decision {
  OperationId operation = 0;
  double desire = 0;  // expectation of the operation's own desire
};

/// {G!, (S &/ ^op) =/> G, S} |- ^op!, and the operation of the largest expectation, of equals the one of the simplest S,
/// if that is `threshold` at least:
///   truth of ^op! = goal_deduction(goal_deduction(G!, implication), S projected to now)
/// An operation is none where of all that it leads to among the goals of the last EventWindow::width cycles, `wanted`, the
/// surest is not wanted: where its expectation is below 1/2.
/// Source  ONA, Decision_BestCandidate and Decision_ConsiderNegativeOutcomes
/// Cost    O(implications that lead to G and to what is wanted)
std::optional<Decision> best_decision(const TemporalMemory& memory, EventConceptId goal,
                                      narsese::TruthValue desired, std::span<const EventConceptId> wanted,
                                      Cycle now, double threshold);

/// Whether it is so now: expectation of the last such event, as it is seen from now, above ONA's threshold for conditions.
bool holds_now(const EventConcept& one, Cycle now);
inline constexpr double condition_threshold = 0.501;

}  // namespace engram::bridge
