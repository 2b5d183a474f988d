// SPDX-License-Identifier: MIT
// Budgets from a recall: shares of attention for the recalled concepts or statements, and the NARS budget (priority,
// durability, quality) of each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/budgets/budget_update.hpp"
#include "core/budgets/nars_budgets.hpp"
#include "core/methods/recall.hpp"
#include "narsese/sentence.hpp"

namespace engram::core {

/// A concept or statement with its budget.
struct Allocation {
  std::uint32_t id = 0;
  narsese::BudgetValue budget;
};

/// Whether to allocate to concepts or to statements.
enum class AllocationOf : std::uint8_t { concepts, statements };

/// Which items get a budget, how many, and how the previous budget counts.
struct AllocationOptions {
  AllocationOf of = AllocationOf::concepts;
  Cut cut = {};
  bool prior = false;  // whether to update the previous budget; else the recalled activation is the budget
  BudgetUpdate update = {};  // with a prior
  double fresh = 0.05;       // share spread equally, for new and forgotten items; chosen: a twentieth
  std::optional<double> durability = {};  // for every item; by default from its evidence (below)
  TermPolicy policy = {};                 // for concepts
};

/// The share of each concept or statement, 0 for items without a budget.
///   without prior   the recalled activation
///   with a prior    the budget `previous` (n, or fewer if items were added since; empty: none), faded, then updated by
///                   the relevance activation / largest activation (core/budgets/budget_update.hpp). Only items with
///                   evidence or activation take part. After an empty recall, the budget only fades.
/// Then terms that must not hold budget pass it on by the policy, and the result is cut to the capacity. The log gets
/// all transfers from the previous budget (without a prior: from none) to the result, both normalised to 1.
/// Shapes   -> (n concepts) or (p statements).   Cost  O(n log n)
SparseVector allot(const MemoryIndex& index, const Recall& recall, const SparseVector& previous,
                   const AllocationOptions& options, TransferLog* log = nullptr);

/// Budgets in proportion to the shares `allotted`, best first.
///   priority    p_i / p_best. A bag that picks in proportion to priority picks i with probability p_i.
///   durability  c = D_i/(D_i + k), the confidence of the evidence D_i, so that well-founded items fade slowly
///   quality     the mean of the known ones among these three, each in [0, 1]:
///                 truth  of a statement: truth_to_quality; of a concept: its mean over the statements that mention the
///                        concept, weighted by their evidence
///                 links  mean confidence of a concept's links, or of the links among a statement's concepts, weighted
///                        by the links' positive evidence; unknown without links
///                 basin  Recall::depths: the depth of the concept in its basin of attraction; of a statement: the mean
///                        of its concepts; unknown for methods without basins
/// Cost  O(n log n + entries of A + links of the items that get a budget)
std::vector<Allocation> allocations(const Memory& memory, const MemoryIndex& index, const Recall& recall,
                                    AllocationOf of, const SparseVector& allotted);

/// Budgets of the `capacity` concepts, or statements, that a recall ranks first.
std::vector<Allocation> allocate_concepts(const Memory& memory, const MemoryIndex& index,
                                          const Recall& recall, std::size_t capacity);
std::vector<Allocation> allocate_statements(const Memory& memory, const MemoryIndex& index,
                                            const Recall& recall, std::size_t capacity);

}  // namespace engram::core
