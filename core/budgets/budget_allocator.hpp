// SPDX-License-Identifier: MIT
// Allocation of budgets after a recall: shares of attention for the recalled concepts or statements, and the NARS
// budget (priority, durability, quality) of each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/budgets/budget_update.hpp"
#include "core/budgets/nars_budgets.hpp"
#include "core/methods/recall.hpp"
#include "narsese/sentence.hpp"

namespace engram::core {

/// A concept or statement, and the budget allocated to it.
struct Allocation {
  std::uint32_t id = 0;
  narsese::BudgetValue budget;
};

/// The kind of items that get budgets.
enum class AllocationOf : std::uint8_t { concepts, statements };

/// Options of allot(): which items get a budget, how many, and how their previous budget counts.
struct AllocationOptions {
  AllocationOf of = AllocationOf::concepts;
  Cut cut = {};
  bool prior = false;        // update the previous budget; false: the recalled activation is the budget
  BudgetUpdate update = {};  // used if `prior` is set
  double fresh = 0.05;  // share spread equally, so that new and forgotten items can gain; chosen: a twentieth
  std::optional<double> durability = {};  // durability of all items; by default from their evidence
  TermPolicy policy = {};                 // roles of terms; used for concepts only
};

/// Returns the share of attention of each concept or statement, with 0 for items without a budget.
///   without prior   the recalled activation
///   with a prior    the budget `previous`, faded, then updated by the relevance of each item, which is its activation
///                   divided by the largest activation (core/budgets/budget_update.hpp). Only items with evidence or
///                   activation take part. After an empty recall, the budget only fades.
/// Then terms that must not hold budget pass it on by options.policy, and the result is cut to the capacity. If `log`
/// is given, it gets all transfers from the previous budget (without a prior: from no budget) to the result, both
/// normalised to 1.
/// `previous`  n shares, or fewer if items were added since; empty: no previous budget
/// Shapes   -> (n concepts) or (p statements).   Cost  O(n log n)
SparseVector allot(const MemoryIndex& index, const Recall& recall, const SparseVector& previous,
                   const AllocationOptions& options, TransferLog* log = nullptr);

/// Converts shares from allot() to NARS budgets, best first.
///   priority    p_i / p_best, the share of item i divided by the largest share. A bag that picks in proportion to
///               priority picks item i with probability p_i.
///   durability  c = D_i/(D_i + k), the confidence of the item's evidence D_i with NAL's constant k: well-founded items
///               fade slowly
///   quality     the mean of the known ones among these three, each in [0, 1]:
///                 truth  of a statement: truth_to_quality(); of a concept: its mean over the statements that mention
///                        the concept, weighted by their evidence
///                 links  mean confidence of a concept's links, or of the links among a statement's concepts, weighted
///                        by the links' positive evidence; unknown without links
///                 basin  depth of the concept in its basin of attraction (Recall::depths); of a statement: the mean
///                        over its concepts; unknown for methods without basins
/// `allotted`  the shares p_i; items with share 0 get no budget
/// Cost  O(n log n + entries of A + links of the items that get a budget), with A the matrix of statements and concepts
std::vector<Allocation> allocations(const Memory& memory, const MemoryIndex& index, const Recall& recall,
                                    AllocationOf of, const SparseVector& allotted);

/// Budgets of the `capacity` concepts or statements that a recall ranks first. Use these if there is no previous
/// budget.
std::vector<Allocation> allocate_concepts(const Memory& memory, const MemoryIndex& index,
                                          const Recall& recall, std::size_t capacity);
std::vector<Allocation> allocate_statements(const Memory& memory, const MemoryIndex& index,
                                            const Recall& recall, std::size_t capacity);

}  // namespace engram::core
