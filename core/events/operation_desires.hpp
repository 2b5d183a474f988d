// SPDX-License-Identifier: MIT
// Budgets of operations: what to do next for a goal, by what the memory knows to lead to it.
#pragma once

#include <optional>
#include <vector>

#include "core/retrieval/memory_index.hpp"
#include "narsese/budget_value.hpp"

namespace engram::core {

/// A goal, and how fast what has happened is over.
struct OperationDesireOptions {
  narsese::TruthValue desire = {};  // of the goal
  double eligibility =
      20;  // cycles in which an event's confidence falls to 1/e, > 0; as EventFilterOptions::eligibility
  std::size_t most = 10;  // operations
};

/// An operation that may reach a goal.
struct OperationDesire {
  narsese::Term operation;      // the operator, ^op
  narsese::TruthValue desired;  // of ^op!
  StatementId because = 0;      // the implication that desires it most
  narsese::BudgetValue budget;
};

/// {G!, (e_1 &/ ... &/ e_n &/ ^op) =/> G, e_1, ..., e_n} |- ^op!, of each operator the implication of the largest
/// expectation; the most desired operator first, of equals the one named first. n may be 0.
///   e_i         the last judgement of this term: eternal, or an event that is over to some part, c exp(-cycles / eligibility);
///               where there is none, or it is still to come, nothing follows
///   desired     goal_deduction(goal_deduction(G!, implication), intersection of the e_i)
///   priority    its expectation, that a decision's threshold is compared with
///   durability  confidence of the implication
///   quality     truth_to_quality of the implication
/// Implications have no variables; intervals in them are passed over. They are what was said to the memory: by a NARS that
/// learns by temporal induction, or by the export of a stream (bridge/stream).
/// Returns  nothing for a goal that is not known
/// Source   ONA, Decision_BestCandidate
/// Cost     O(statements that mention the goal's rarest concept)
std::vector<OperationDesire> operation_desires(const MemoryIndex& readings, narsese::Term goal,
                                               const OperationDesireOptions& options);

}  // namespace engram::core
