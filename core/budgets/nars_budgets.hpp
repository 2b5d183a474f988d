// SPDX-License-Identifier: MIT
// How NARS systems change budgets: OpenNARS 3 and PyNARS (OpenNARS 4), number for number. Engram's own way to
// give budgets is core/budgets/budget_allocator.hpp; these are what it is compared with.
#pragma once

#include <span>

#include "narsese/budget_value.hpp"
#include "narsese/truth_value.hpp"

namespace engram::core {

/// OpenNARS's worth of a belief: q = max(e, 3/4 (1-e)) with e its expectation. A sure yes is worth most, a
/// sure no three quarters of it. PyNARS has the same.
double truth_to_quality(const narsese::TruthValue& truth);

/// a or b or ... = 1 - (1-a)(1-b)...: what priorities come to that add up.
double either_of(std::span<const double> shares);

namespace opennars {

/// For how many uses a concept keeps its durability's share: DURATION times 2.
inline constexpr double concept_uses = 10;
/// Share of its quality below which priority does not fall.
inline constexpr double quality_rescaled = 0.3;

/// Forgetting, once for each time that an item is put back: with q' = 0.3 q, p <- q' + (p-q') d^(1/(uses
/// (p-q'))) where p > q', else p <- q', which raises what is below.
narsese::BudgetValue forget(const narsese::BudgetValue& budget, double uses);

/// Of two items with one key: the larger of each.
narsese::BudgetValue merge(const narsese::BudgetValue& a, const narsese::BudgetValue& b);

/// A concept that a task reaches: p or p', the mean of the durabilities, its own quality.
narsese::BudgetValue activate(const narsese::BudgetValue& of_concept, const narsese::BudgetValue& task);

}  // namespace opennars

namespace pynars {

/// With q' = 0.3 q, p <- q' + (p-q') d^(1/(10 |p-q'|)): what is below q' rises towards it.
narsese::BudgetValue forget(const narsese::BudgetValue& budget);

/// p or p', d or d', the larger quality.
narsese::BudgetValue merge(const narsese::BudgetValue& a, const narsese::BudgetValue& b);

/// A concept with a new link: p or p', and a tenth of the way to the link's durability and quality.
narsese::BudgetValue activate(const narsese::BudgetValue& of_concept, const narsese::BudgetValue& link);

}  // namespace pynars

}  // namespace engram::core
