// SPDX-License-Identifier: MIT
// Goals that wait to be pursued, and the decision which operation to execute for a goal.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "core/reasoner/temporal_memory.hpp"

namespace engram::core {

/// A goal that has not been pursued yet.
struct PendingGoal {
  EventConceptId concept_id = 0;
  Desire desire;
  double priority = 1;
};

/// Priority queues of goals, one for each depth of planning: input goals are in layer 0, their subgoals in layer 1, and
/// so on. The agent pops one goal of each layer in a cycle. This is a smaller version of ONA's goal queues.
class GoalQueue {
 public:
  static constexpr std::size_t layers = 10;  // longest plan; chosen
  static constexpr std::size_t max_per_layer =
      40;  // a full layer drops the goal with the lowest priority; chosen

  /// Adds a goal unless its layer has the same goal of the same cycle, is full of goals with higher priority, or is
  /// past the last layer.
  /// Returns  whether the goal was added
  bool push(std::size_t layer, PendingGoal goal);
  /// Removes the goal with the highest priority. The older of two equal goals comes first.
  std::optional<PendingGoal> pop(std::size_t layer);
  /// Removes the goals from before `time`.
  void drop_older_than(Cycle time);
  /// Removes all goals.
  void clear();
  bool empty() const;

  /// Sets the flag of each concept that is a goal here.
  void mark_used(std::vector<bool>& in_use) const;
  /// Applies new ids to the concepts. None may be removed.
  void renumber(const IdRemap& concepts);

 private:
  std::array<std::vector<PendingGoal>, layers> pending_;
};

/// An operation and its expectation.
struct Decision {
  EventOperationId operation = 0;
  double desire = 0;  // expectation of the desire value of the operation
};

/// Chooses the operation with the largest expectation by {G!, (S &/ ^op) =/> G, S} |- ^op!, with
///   truth of ^op! = goal_deduction(goal_deduction(G!, implication), S projected to now)
/// The simpler S breaks ties. An operation needs an expectation of at least `threshold`. It is excluded if it leads to
/// an undesired result: among its effects on `recent_goals`, the effect with the highest confidence has an expectation
/// below 1/2.
/// Source  ONA, Decision_BestCandidate and Decision_ConsiderNegativeOutcomes
/// Cost    O(implications that lead to G and to recent_goals)
std::optional<Decision> best_decision(const TemporalMemory& memory, EventConceptId goal,
                                      narsese::TruthValue desired,
                                      std::span<const EventConceptId> recent_goals, Cycle now,
                                      double threshold);

/// Whether the event is true now: the expectation of its last occurrence, projected to now, is at least
/// condition_threshold.
bool holds_now(const EventConcept& event, Cycle now);
inline constexpr double condition_threshold = 0.501;  // ONA's

}  // namespace engram::core
