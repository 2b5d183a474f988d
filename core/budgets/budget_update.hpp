// SPDX-License-Identifier: MIT
// Budgets as shares of attention: fading, updating by relevance, cutting to a capacity, and moving budget away from
// terms that must not hold any. All steps can log their transfers. A budget sums to 1, and p_i is the share of the
// reasoner's cycles that item i should get.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/graph/memory.hpp"
#include "core/maps/prior_map.hpp"
#include "core/numbers/names.hpp"
#include "core/numbers/shapes.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/numbers/sparse_vector.hpp"

namespace engram::core {

/// Why budget moved.
///   first       the first budget is allocated
///   decay       the previous budget faded towards equal shares
///   similarity  the item resembles the cue
///   link        a concept that conducts passed its budget along a link
///   capacity    the item was cut off
enum class TransferReason : std::uint8_t { first, decay, similarity, link, capacity };

inline constexpr std::array<NamedValue<TransferReason>, 5> transfer_reasons{{
    {TransferReason::first, "first"},
    {TransferReason::decay, "decay"},
    {TransferReason::similarity, "similarity"},
    {TransferReason::link, "link"},
    {TransferReason::capacity, "capacity"},
}};

/// An amount of budget that moved from one item to another. Only links move budget between two items. An empty end is
/// the common pool: normalisation takes from every item and gives to every item, without pairs.
struct Transfer {
  std::optional<std::uint32_t> from, to;
  double amount = 0;  // > 0
  TransferReason reason = TransferReason::first;
};

/// Collects transfers in their order. If there are more than `most`, it keeps the largest; the first among equals.
class TransferLog {
 public:
  explicit TransferLog(std::size_t most) : most_(most) {}

  /// Counts the transfer, and keeps it if it is among the largest. Ignores an amount of 0.
  void add(const Transfer& transfer);
  /// Adds the change from one distribution to another through the pool: one transfer for each item that changes.
  /// Shapes  before (n), after (n)
  void add_changes(const Vector& before, const Vector& after, TransferReason reason);

  /// The kept transfers, in order.
  std::vector<Transfer> transfers() const;
  std::size_t count() const { return count_; }  // all transfers, kept or not

 private:
  struct Numbered {
    std::size_t number;
    Transfer transfer;
  };
  void prune();

  std::size_t most_, count_ = 0;
  std::vector<Numbered> kept_;
};

/// Fades a budget before the update by a cue:
///     q'_i = (1 - fresh) q_i + fresh / n,     faded_i ~ (n q'_i)^d_i
/// Shares move towards the mean share, more slowly with a higher durability. With one durability for all items, this is
/// the forgetting q^d of a mirror-descent step. With several, q has to be measured in units of the mean share 1/n: the
/// shares themselves are below 1, so a less durable item would have the larger power and gain by fading.
/// `fresh` lets new items in, because multiplication keeps a share of 0 at 0. A budget of zeros
/// becomes equal shares.
/// Shapes   q (n), d (n) -> (n), n >= 1
/// Ranges   q >= 0 with a finite sum (need not be 1), d and fresh in [0, 1]; the result sums to 1
/// Errors   std::invalid_argument outside these
/// Cost     O(n); deterministic
/// Source   the exponent: Cesa-Bianchi and Lugosi 2006, "Prediction, Learning, and Games", 2.2 and 3.6;
///          fresh: Herbster and Warmuth 1998, "Tracking the Best Expert" (fixed share)
Vector faded_budget(const Vector& q, const Vector& durability, double fresh);

/// How relevance changes a budget.
struct BudgetUpdate {
  PriorForm form = PriorForm::kl;  // use alpha or euclidean if the least relevant items should get nothing
  double alpha = 1.5;              // for the form alpha
  double temperature = 0.125;      // chosen: that of the method attention, 1/8
};

/// Updates a budget by relevance s: p ~ faded_i exp(s_i / T), an entropic mirror-descent step, or the analogue in
/// another form (core/maps/prior_map.hpp).
/// Shapes   faded (n), s (n) -> (n)
/// Ranges   s in [0, 1]: relevance divided by the largest relevance; p sums to 1 but for rounding
/// Errors   those of the prior map
Vector updated_budget(const Vector& faded, const Vector& relevance, const BudgetUpdate& update);

/// How to cut a budget to a capacity of k items.
///   top         the k largest
///   budget      at most k places, at most one for each item: the k largest by p_i w_i, where w is the budget-k map of
///               p / p_best at the temperature. It equals top if the gap behind the k-th item is clear.
///   threshold   items with at least this share, at most k; possibly none
enum class Selection : std::uint8_t { top, budget, threshold };

inline constexpr std::array<NamedValue<Selection>, 3> selections{
    {{Selection::top, "top"}, {Selection::budget, "budget"}, {Selection::threshold, "threshold"}}};

/// The number of leading values that are at least `share` times the first one. With 0 these are all values, with 1 the
/// first and its equals. Use it to select fewer items than the capacity if few of them fit well.
/// Ranges   values >= 0 in descending order, share in [0, 1].   Errors  std::invalid_argument for another share
/// Cost     O(log n)
std::size_t leading_count(const Vector& best_first, double share);

/// Which items keep their shares of a budget.
struct Cut {
  Selection selection = Selection::top;
  std::size_t capacity = 10;
  double threshold = 0;                             // for threshold: a share of the sum, in [0, 1]
  double temperature = BudgetUpdate{}.temperature;  // for budget
  double share = 0;  // also cuts items below this share of the largest, in [0, 1]
};

/// Cuts a budget. Kept items keep their values (budget: p_i w_i), all others become 0. Normalising the result gives the
/// budget of the others to the kept items in proportion.
/// Shapes   p (n) >= 0 -> (n); ties: the lower id
/// Errors   std::invalid_argument for a share of the largest outside [0, 1]
/// Cost     O(n log n)
SparseVector cut_to_capacity(const SparseVector& p, const Cut& cut);

/// The role of a term: it holds budget, conducts budget to other terms, or is ignored.
enum class Role : std::uint8_t { holds, conducts, ignored };

inline constexpr std::array<NamedValue<Role>, 3> role_names{
    {{Role::holds, "holds"}, {Role::conducts, "conducts"}, {Role::ignored, "ignored"}}};

/// Moves all budget to terms that hold it. A conductor passes its budget along its links, in proportion to their
/// weights, to terms that hold or conduct: an absorbing random walk of at most 100 steps. Budget of ignored terms, and
/// budget that cannot move on, goes through the pool to all holders in proportion. Each link that carried budget is a
/// transfer.
/// Shapes   p (n), roles (n), links (n, n) with weights >= 0 -> (n) of the same sum, or zeros if no holder has or gets
///          any
/// Cost     O(links of conductors) a step; deterministic
Vector conduct_to_holders(const Vector& p, const std::vector<Role>& roles, const SparseRows& links,
                          TransferLog* log);

/// Kinds of terms that a policy distinguishes.
enum class TermClass : std::uint8_t { atom, op, self, compound, statement, variable };

/// A kind of term, its default role, and the reason for that role.
struct TermClassFacts {
  TermClass value;
  std::string_view name;
  Role role;
  std::string_view reason;
};

/// All kinds of terms. Copulas, connectors and intervals are not among them, because they are not concepts. A term that
/// contains a variable belongs to the class variable.
inline constexpr std::array<TermClassFacts, 6> term_classes{{
    {TermClass::atom, "atom", Role::holds, "a reasoner can work on a name"},
    {TermClass::op, "operator", Role::holds, "an operation can be executed next"},
    {TermClass::self, "SELF", Role::ignored,
     "every operation contains it: budget would leak through it from each operation to all others"},
    {TermClass::compound, "compound", Role::conducts,
     "its components are names, and a name in a compound would count twice if both held budget"},
    {TermClass::statement, "statement", Role::conducts,
     "its components are names; an allocation to statements gives statements budgets of their own"},
    {TermClass::variable, "variable", Role::ignored,
     "a variable in two sentences means two things, so it can neither hold nor conduct budget"},
}};

/// The class of a term; a term that contains a variable is a variable.
TermClass class_of(narsese::Term term);

/// The roles of all classes of terms.
class TermPolicy {
 public:
  TermPolicy();
  /// The default roles, except that terms which the memory activates (compounds, statements, SELF) hold budget.
  explicit TermPolicy(const ActivationPolicy& memory);

  Role operator[](TermClass term_class) const { return roles_[static_cast<std::size_t>(term_class)]; }
  /// Errors  std::invalid_argument for a variable that should hold or conduct
  void set(TermClass term_class, Role role);

 private:
  std::array<Role, term_classes.size()> roles_;
};

}  // namespace engram::core
