// SPDX-License-Identifier: MIT
// A budget brought up to date: attention whose starting importance is the budget before. The whole is 1 at
// all times; p_i is the share of the reasoner's cycles that item i should get.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/budgets/transfers.hpp"
#include "core/maps/prior_map.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/numbers/sparse_vector.hpp"

namespace engram::core {

/// What is left of a budget before one looks at the cue:
///     q'_i = (1 - fresh) q_i + fresh / n,     faded_i ~ (n q'_i)^d_i
/// A share that is above the mean falls towards it, one below rises, the less the more durable. With one
/// durability for all this is the forgetting q^d of a mirror-descent step; with several, q must be measured
/// by the mean share 1/n, as it is here: q itself is below 1, so the less durable of two would have the
/// larger power, and gain by forgetting. `fresh` is there for what is new: by multiplication alone a share of
/// 0 stays 0 for ever. A budget of zeros is none: then all are alike.
/// Shapes   q (n), d (n) -> (n), n >= 1
/// Ranges   q >= 0 with a finite sum (need not be 1), d and fresh in [0, 1]; the result sums to 1
/// Errors   std::invalid_argument outside these
/// Cost     O(n); deterministic
/// Source   the exponent: Cesa-Bianchi and Lugosi 2006, "Prediction, Learning, and Games", 2.2 and 3.6;
///          fresh: Herbster and Warmuth 1998, "Tracking the Best Expert" (fixed share)
Vector faded_budget(const Vector& q, const Vector& durability, double fresh);

/// How relevance changes a budget.
struct BudgetUpdate {
  PriorForm form = PriorForm::kl;  // alpha, euclidean: the sparse analogues, where the least get nothing
  double alpha = 1.5;              // of the form alpha
  double temperature = 0.125;      // chosen: that of the method attention, 1/8
};

/// p ~ faded_i exp(s_i / T), an entropic mirror-descent step from the budget before along the relevance s, or
/// its analogue in another form (core/maps/prior_map.hpp).
/// Shapes   faded (n), s (n) -> (n)
/// Ranges   s in [0, 1]: relevance in proportion to the most relevant; p sums to 1 but for rounding
/// Errors   those of the prior map
Vector updated_budget(const Vector& faded, const Vector& relevance, const BudgetUpdate& update);

/// How a budget is cut to a capacity of k items.
///   top         the k largest
///   budget      k places, of which nobody has more than one: the k largest by p_i w_i, with w the budget-k
///               map of p / p_best at the temperature; a clear gap behind the k-th makes it the same as top
///   threshold   those with at least this share, k at most; perhaps none
enum class Selection : std::uint8_t { top, budget, threshold };

inline constexpr std::array<NamedValue<Selection>, 3> selections{
    {{Selection::top, "top"}, {Selection::budget, "budget"}, {Selection::threshold, "threshold"}}};

/// How many of the first are given anything, of values in falling order: those that are at least `share` times
/// the first; at 0 all, at 1 the first and its equals. Where few suit, few are given, whatever the capacity.
/// Ranges   values >= 0, share in [0, 1].   Errors  std::invalid_argument for another share
/// Cost     O(log n)
std::size_t given(const Vector& best_first, double share);

/// Which shares of a budget stay: the best, those of k places, or those above a threshold.
struct Cut {
  Selection selection = Selection::top;
  std::size_t capacity = 10;
  double threshold = 0;                             // of threshold: a share of the sum, in [0, 1]
  double temperature = BudgetUpdate{}.temperature;  // of budget
  double share = 0;  // of any: of what would stay, that below this share of the largest goes too, in [0, 1]
};

/// What stays is what it was (budget: p_i w_i), the rest 0: normalised, what the others had goes to those
/// that stay, in proportion.
/// Shapes   p (n) >= 0 -> (n); ties: the lower id
/// Errors   std::invalid_argument for a share of the largest outside [0, 1]
/// Cost     O(n log n)
SparseVector cut_to_capacity(const SparseVector& p, const Cut& cut);

/// What a term does with budget: it holds it, hands it on, or has none (core/budgets/term_policy.hpp).
enum class Role : std::uint8_t { holds, conducts, ignored };

/// Budget may stay with those that hold it alone. What the others have is handed on: by who conducts, along
/// its links in proportion to their weights, to those that hold or conduct, until it has come to those that
/// hold (an absorbing random walk, 100 steps at most); what has no way, and what is ignored has, goes into
/// the pool and to all that hold in proportion. Each link that carried budget is a transfer.
/// Shapes   p (n), roles (n), links (n, n) with weights >= 0 -> (n) of the same sum, if one that holds has
///          any or is reached, else zeros
/// Cost     O(links of who conducts) a step; deterministic
Vector handed_on(const Vector& p, const std::vector<Role>& roles, const SparseRows& links, TransferLog* log);

}  // namespace engram::core
