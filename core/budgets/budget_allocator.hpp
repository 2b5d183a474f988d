// SPDX-License-Identifier: MIT
// From recall to budgets: where attention's vocabulary meets NARS's.
#pragma once

#include <cstdint>
#include <vector>

#include "core/budgets/nars_budgets.hpp"
#include "core/retrieval/retriever.hpp"
#include "narsese/budget_value.hpp"

namespace engram::core {

/// The budget of one concept or statement.
struct Allocation {
  std::uint32_t id = 0;
  narsese::BudgetValue budget;
};

/// The `capacity` best of a ranking, best first (ties: the lower id); what scores nothing gets nothing.
std::vector<std::uint32_t> rank(const Vector& scores, std::size_t capacity);

/// Budgets for the `capacity` concepts, or statements, that a recall puts first.
///   priority    p_i / p_best, so that a bag that picks in proportion to priority picks i with probability
///               p_i, its share of the recalled activation among those kept
///   durability  c = D_i/(D_i + k), the confidence of the evidence D_i: what is well founded fades slowly
///   quality     of a statement truth_to_quality; of a concept the mean of it over the statements that
///               mention it, weighted by their evidence
/// Cost  O(n log n + entries of A)
std::vector<Allocation> allocate_concepts(const Memory& memory, const Readings& readings,
                                          const Recall& recall, std::size_t capacity);
std::vector<Allocation> allocate_statements(const Memory& memory, const Readings& readings,
                                            const Recall& recall, std::size_t capacity);

}  // namespace engram::core
