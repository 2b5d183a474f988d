// SPDX-License-Identifier: MIT
// Goals that wait to be pursued, and the decision which operation an agent executes for a goal.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "core/reasoner/temporal_memory.hpp"

namespace engram::core {

/// A goal that the agent has not pursued yet.
struct PendingGoal {
  EventConceptId concept_id = 0;
  Desire desire;
  double priority = 1;  // goals with a larger priority are pursued first
};

/// Priority queues of goals, one for each depth of planning: input goals are in layer 0, their subgoals in layer 1, and
/// so on. The agent pops one goal of each layer in a cycle. This is a smaller version of ONA's goal queues.
class GoalQueue {
 public:
  static constexpr std::size_t layers = 10;         // length of the longest plan; chosen
  static constexpr std::size_t max_per_layer = 40;  // a full one drops the goal of lowest priority; chosen

  /// Adds a goal to a layer. Rejects the goal if the layer has an equal goal of the same cycle, is full of goals with
  /// higher priority, or is past the last layer.
  /// Returns  whether the goal was added
  bool push(std::size_t layer, PendingGoal goal);
  /// Removes and returns the goal of a layer with the highest priority, or nothing if the layer is empty. The older of
  /// two equal goals comes first.
  std::optional<PendingGoal> pop(std::size_t layer);
  /// Removes the goals of cycles before `time`.
  void drop_older_than(Cycle time);
  /// Removes all goals.
  void clear();
  bool empty() const;

  /// Sets in_use[id] for each concept that is a goal in the queue, so that the memory does not remove the concept.
  void mark_used(std::vector<bool>& in_use) const;
  /// Applies new ids after the memory removed concepts. A concept of the queue must not be removed.
  void renumber(const IdRemap& concepts);

 private:
  std::array<std::vector<PendingGoal>, layers> pending_;
};

/// A decision to execute an operation.
struct Decision {
  EventOperationId operation = 0;
  double desire = 0;  // expectation of the desire value of the operation, in [0, 1]
};

/// Chooses the operation that is most desired for goal G. Use it to decide what an agent does next. An implication with
/// the postcondition G, precondition S and operation ^op gives a desire by {G!, (S &/ ^op) =/> G, S} |- ^op!, with
///   truth of ^op! = goal_deduction(goal_deduction(G!, implication), S projected to now)
/// The largest expectation of ^op! wins, if it is at least `threshold`; the simpler S breaks ties. An operation is
/// excluded if it leads to an undesired result: among its effects on `recent_goals`, the effect with the highest
/// confidence has an expectation below 1/2.
/// `desired`  the desire value of G
/// Returns  nothing if no operation qualifies
/// Source  ONA, Decision_BestCandidate and Decision_ConsiderNegativeOutcomes
/// Cost    O(implications that lead to G and to recent_goals)
std::optional<Decision> best_decision(const TemporalMemory& memory, EventConceptId goal,
                                      narsese::TruthValue desired,
                                      std::span<const EventConceptId> recent_goals, Cycle now,
                                      double threshold);

/// Whether an event is believed to be true now: the expectation of its last occurrence, projected to now
/// (core/reasoner/temporal_memory.hpp), is at least condition_threshold.
bool holds_now(const EventConcept& event, Cycle now);
inline constexpr double condition_threshold = 0.501;  // smallest expectation of a true condition; ONA's

}  // namespace engram::core
