// SPDX-License-Identifier: MIT
// From recall to budgets: where attention's vocabulary meets NARS's.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/budgets/budget_update.hpp"
#include "core/budgets/nars_budgets.hpp"
#include "core/budgets/term_policy.hpp"
#include "core/retrieval/retriever.hpp"
#include "narsese/budget_value.hpp"

namespace engram::core {

/// The budget of one concept or statement.
struct Allocation {
  std::uint32_t id = 0;
  narsese::BudgetValue budget;
};

/// Of what a recall gives budgets.
enum class AllocationOf : std::uint8_t { concepts, statements };

/// Who gets a budget, how many, and what of the budget before counts.
struct AllocationOptions {
  AllocationOf of = AllocationOf::concepts;
  Cut cut = {};
  bool prior = false;  // whether the budget before counts; else the recalled activation alone is the budget
  BudgetUpdate update = {};               // with a prior
  double fresh = 0.05;                    // chosen: what is new, or was forgotten, shares a twentieth
  std::optional<double> durability = {};  // of all; else of each what its evidence gives (below)
  TermPolicy policy = {};                 // of concepts
};

/// What each concept, or statement, gets: budget in proportion to it, 0 for who gets none.
///   without prior   a recall's activation
///   with a prior    the budget `previous` (n, or as many as there were; empty: none), faded, then updated by
///                   relevance, activation / largest activation (core/budgets/budget_update.hpp), among those
///                   that have evidence or are recalled; where nothing is recalled it only fades
/// then handed on by whom the policy does not let hold, then cut to the capacity. Transfers go to the log:
/// from the budget before (without prior: from none) to the result, both of sum 1.
/// Shapes   -> (n) or (p).   Cost  O(n log n)
SparseVector allot(const MemoryIndex& readings, const Recall& recall, const SparseVector& previous,
                   const AllocationOptions& options, TransferLog* log = nullptr);

/// Budgets in proportion to `allotted`, best first.
///   priority    p_i / p_best, so that a bag that picks in proportion to priority picks i with probability
///               p_i, its share of all that was allotted
///   durability  c = D_i/(D_i + k), the confidence of the evidence D_i: what is well founded fades slowly
///   quality     the mean of what is known of these three, each in [0, 1]:
///                 truth  of a statement truth_to_quality; of a concept the mean of it over the statements
///                        that mention it, weighted by their evidence
///                 links  the confidence of a concept's links, of a statement's links among its concepts: the
///                        mean, weighted by the links' positive evidence; unknown where there is no link
///                 basin  Recall::depths: how deep in its basin the concept lies; of a statement the mean of
///                        its concepts; unknown where the method has none
/// Cost  O(n log n + entries of A + links of those that get a budget)
std::vector<Allocation> allocations(const Memory& memory, const MemoryIndex& readings, const Recall& recall,
                                    AllocationOf of, const SparseVector& allotted);

/// Budgets for the `capacity` concepts, or statements, that a recall puts first.
std::vector<Allocation> allocate_concepts(const Memory& memory, const MemoryIndex& readings,
                                          const Recall& recall, std::size_t capacity);
std::vector<Allocation> allocate_statements(const Memory& memory, const MemoryIndex& readings,
                                            const Recall& recall, std::size_t capacity);

}  // namespace engram::core
