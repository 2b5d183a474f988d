// SPDX-License-Identifier: MIT
// Derives from the implications in a memory which operations may reach a goal, and how much each is desired. Use it to
// decide what to do next.
#pragma once

#include <optional>
#include <vector>

#include "core/index/memory_index.hpp"
#include "narsese/sentence.hpp"

namespace engram::core {

/// Options of operation_desires(): the desire of the goal, how fast events lose confidence, and how many operations to
/// return.
struct OperationDesireOptions {
  narsese::TruthValue desire = {};  // desire value of the goal
  double eligibility = 20;  // decay time of confidence, in cycles, > 0; as EventFilterOptions::eligibility
  std::size_t most = 10;    // most operations to return
};

/// An operation that may reach the goal, with its desire and its budget.
struct OperationDesire {
  narsese::Term operation;      // the operator, ^op
  narsese::TruthValue desired;  // desire value of the derived goal ^op!
  StatementId because = 0;      // the implication that gives the largest priority
  narsese::BudgetValue budget;
};

/// Derives how much each operation is desired for a goal G, by {G!, (e_1 &/ ... &/ e_n &/ ^op) =/> G, e_1, ..., e_n} |-
/// ^op! with conditions e_i, n >= 0. An operator gets the desire of its best implication. The result is ordered by
/// priority, the largest first, then by the operator's name.
///   e_i         the last judgement of this term. An event's confidence decays to c exp(-cycles / eligibility). An
///               implication is skipped if one of its events is unknown or in the future.
///   desired     goal_deduction(goal_deduction(G!, implication), intersection of the e_i), with functions of
///               narsese/truth.hpp
///   priority    the expectation of `desired`, to compare with a decision threshold
///   durability  confidence of the implication
///   quality     truth_to_quality() of the implication
/// Skips implications with variables, and ignores intervals within implications. Implications come from a NARS that
/// learns by temporal induction, or from an exported stream (bridge/stream).
/// Returns  at most options.most operations; none for an unknown goal
/// Source   ONA, Decision_BestCandidate
/// Cost     O(statements that mention the goal's rarest concept)
std::vector<OperationDesire> operation_desires(const MemoryIndex& index, narsese::Term goal,
                                               const OperationDesireOptions& options);

}  // namespace engram::core
