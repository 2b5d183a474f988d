// SPDX-License-Identifier: MIT
// Budgets of operations for a goal, derived from the implications in the memory. Use them to decide what to do next.
#pragma once

#include <optional>
#include <vector>

#include "core/index/memory_index.hpp"
#include "narsese/sentence.hpp"

namespace engram::core {

/// The goal's desire, and how events lose confidence.
struct OperationDesireOptions {
  narsese::TruthValue desire = {};  // of the goal
  double eligibility =
      20;  // cycles in which an event's confidence falls to 1/e, > 0; as EventFilterOptions::eligibility
  std::size_t most = 10;  // operations
};

/// An operation that may reach the goal.
struct OperationDesire {
  narsese::Term operation;      // the operator, ^op
  narsese::TruthValue desired;  // of ^op!
  StatementId because = 0;      // the implication with the largest priority
  narsese::BudgetValue budget;
};

/// Derives desires of operations: {G!, (e_1 &/ ... &/ e_n &/ ^op) =/> G, e_1, ..., e_n} |- ^op!, n >= 0. Each operator
/// gets the desire of its best implication. The result is ordered by priority, then by the operator's name.
///   e_i         the last judgement of this term. An event's confidence is c exp(-cycles / eligibility). An implication
///               is skipped if an event is unknown or in the future.
///   desired     goal_deduction(goal_deduction(G!, implication), intersection of the e_i)
///   priority    the expectation of `desired`, to compare with a decision threshold
///   durability  confidence of the implication
///   quality     truth_to_quality of the implication
/// Skips implications with variables, and ignores intervals within implications. The implications are input of a NARS
/// that learns by temporal induction, or of an exported stream (bridge/stream).
/// Returns  nothing for an unknown goal
/// Source   ONA, Decision_BestCandidate
/// Cost     O(statements that mention the goal's rarest concept)
std::vector<OperationDesire> operation_desires(const MemoryIndex& index, narsese::Term goal,
                                               const OperationDesireOptions& options);

}  // namespace engram::core
