// SPDX-License-Identifier: MIT
// Updates of budgets. A budget distributes attention over items: it sums to 1, and p_i is the share of the reasoner's
// cycles that item i should get. Operations fade a budget, update it by relevance, cut it to a capacity, and move it
// away from terms that must not hold any. All can log their transfers.
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

/// The reason of a transfer of budget.
///   first       the first budget is allocated
///   decay       the previous budget faded towards equal shares
///   similarity  the item resembles the cue
///   link        a term that must not hold budget passed it on along a link
///   capacity    the item was cut off
enum class TransferReason : std::uint8_t { first, decay, similarity, link, capacity };

inline constexpr std::array<NamedValue<TransferReason>, 5> transfer_reasons{{
    {TransferReason::first, "first"},
    {TransferReason::decay, "decay"},
    {TransferReason::similarity, "similarity"},
    {TransferReason::link, "link"},
    {TransferReason::capacity, "capacity"},
}};

/// An amount of budget that moved. Only links move budget from one item to another. Otherwise one end is empty, which
/// stands for the common pool: normalisation takes budget from many items and gives it to many, without pairs.
struct Transfer {
  std::optional<std::uint32_t> from, to;
  double amount = 0;  // > 0
  TransferReason reason = TransferReason::first;
};

/// Bounded log of transfers. If there are more than `most`, the log keeps the largest, and the earliest of equal ones.
class TransferLog {
 public:
  explicit TransferLog(std::size_t most) : most_(most) {}

  /// Adds a transfer to the log. Ignores an amount of 0.
  void add(const Transfer& transfer);
  /// Adds the difference between two budgets: one transfer between an item and the pool for each item whose share
  /// changed.
  /// Shapes  before (n), after (n)
  void add_changes(const Vector& before, const Vector& after, TransferReason reason);

  /// The kept transfers, in the order in which they were added.
  std::vector<Transfer> transfers() const;
  std::size_t count() const { return count_; }  // number of added transfers, kept or not

 private:
  struct Numbered {
    std::size_t number;
    Transfer transfer;
  };
  void prune();

  std::size_t most_, count_ = 0;
  std::vector<Numbered> kept_;
};

/// Fades a budget towards equal shares. Call it before a new cue updates the budget. With q the old shares, d the
/// durabilities and n the number of items,
///     q'_i = (1 - fresh) q_i + fresh / n,     faded_i ~ (n q'_i)^d_i    (normalised to sum 1)
/// Items with a higher durability fade more slowly. If all durabilities are equal, this is the forgetting q^d of a
/// mirror-descent step. If they differ, q has to be measured in units of the mean share 1/n. The shares themselves are
/// below 1, so a less durable item would have the larger power and gain by fading. `fresh` gives every item some
/// budget, because the later multiplication by relevance would keep a share of 0 at 0. A budget of zeros becomes equal
/// shares.
/// Shapes   q (n), d (n) -> (n), n >= 1
/// Ranges   q >= 0 with a finite sum (need not be 1), d and fresh in [0, 1]; the result sums to 1
/// Errors   std::invalid_argument outside these
/// Cost     O(n); deterministic
/// Source   the exponent: Cesa-Bianchi and Lugosi 2006, "Prediction, Learning, and Games", 2.2 and 3.6;
///          fresh: Herbster and Warmuth 1998, "Tracking the Best Expert" (fixed share)
Vector faded_budget(const Vector& q, const Vector& durability, double fresh);

/// How updated_budget() combines a budget with relevance.
struct BudgetUpdate {
  PriorForm form = PriorForm::kl;  // use alpha or euclidean if the least relevant items should get nothing
  double alpha = 1.5;              // for the form alpha
  double temperature = 0.125;      // T; smaller: relevance counts more; chosen: as in the method attention
};

/// Updates a faded budget by the relevance of each item to the current cue. The result is p ~ faded_i exp(s_i / T),
/// with s the relevance and T the temperature: an entropic mirror-descent step. Another form of update.form gives the
/// analogue for its divergence (core/maps/prior_map.hpp).
/// Shapes   faded (n), s (n) -> (n)
/// Ranges   s in [0, 1]: relevance divided by the largest relevance; p sums to 1 up to rounding
/// Errors   those of apply(Prior, ..) in core/maps/prior_map.hpp
Vector updated_budget(const Vector& faded, const Vector& relevance, const BudgetUpdate& update);

/// Rules that select which items keep their share p_i of the budget, if at most k items (the capacity) may keep it.
///   top         the k items with the largest shares
///   budget      the k items with the largest p_i w_i. The weights w_i <= 1 sum to k and come from the simplex map
///               `budget` of the shares divided by the largest share. If share k is clearly larger than share k + 1,
///               the rule selects the same items as `top`; otherwise it also reduces the shares of close competitors.
///   threshold   at most k items, each with at least a given share; possibly none
enum class Selection : std::uint8_t { top, budget, threshold };

inline constexpr std::array<NamedValue<Selection>, 3> selections{
    {{Selection::top, "top"}, {Selection::budget, "budget"}, {Selection::threshold, "threshold"}}};

/// Counts the leading values that are at least `share` times the first one. Use it to select fewer items than the
/// capacity if few of them fit well. With share 0 all values count, with share 1 the first and its equals.
/// Ranges   values >= 0 in descending order, share in [0, 1].   Errors  std::invalid_argument for another share
/// Cost     O(log n)
std::size_t leading_count(const Vector& best_first, double share);

/// Options of cut_to_capacity(): which items keep their budget.
struct Cut {
  Selection selection = Selection::top;
  std::size_t capacity = 10;
  double threshold = 0;  // for the selection `threshold`: a share of the sum, in [0, 1]
  double temperature = BudgetUpdate{}.temperature;  // for the selection `budget`
  double share = 0;  // minimum relative to the largest share, for any selection; in [0, 1]
};

/// Cuts a budget to a capacity. Kept items keep their shares (with the selection `budget`: p_i w_i), and all others get
/// 0. Normalise the result to give the freed budget to the kept items in proportion.
/// Shapes   p (n) >= 0 -> (n); ties: the lower id
/// Errors   std::invalid_argument for a share of the largest outside [0, 1]
/// Cost     O(n log n)
SparseVector cut_to_capacity(const SparseVector& p, const Cut& cut);

/// The role of a term in an allocation: the term holds budget, conducts budget to other terms (keeps none for itself),
/// or is ignored.
enum class Role : std::uint8_t { holds, conducts, ignored };

inline constexpr std::array<NamedValue<Role>, 3> role_names{
    {{Role::holds, "holds"}, {Role::conducts, "conducts"}, {Role::ignored, "ignored"}}};

/// Moves all budget to terms that may hold it. A conducting term passes its budget along its links, in proportion to
/// their weights, to terms that hold or conduct: an absorbing random walk of at most 100 steps. Budget of ignored
/// terms, and budget without a way to move on, is distributed to all holders in proportion to their shares. If `log`
/// is given, it gets a transfer for each link that carried budget.
/// Returns  the new budget with the same sum, or zeros if no holder has or gets any
/// Shapes   p (n), roles (n), links (n, n) with weights >= 0 -> (n)
/// Cost     O(links of conductors) a step; deterministic
Vector conduct_to_holders(const Vector& p, const std::vector<Role>& roles, const SparseRows& links,
                          TransferLog* log);

/// Classes of terms that a TermPolicy distinguishes.
enum class TermClass : std::uint8_t { atom, op, self, compound, statement, variable };

/// A class of terms, its default role, and the reason for that role.
struct TermClassFacts {
  TermClass value;
  std::string_view name;
  Role role;
  std::string_view reason;
};

/// The table of all classes of terms. Copulas, connectors and intervals have no class, because they are not concepts. A
/// term that contains a variable has the class `variable`.
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

/// Returns the class of a term. A term that contains a variable has the class `variable`.
TermClass class_of(narsese::Term term);

/// A policy for budgets of terms: the role of each class of terms.
class TermPolicy {
 public:
  TermPolicy();
  /// Creates the default policy for a memory: the default roles, but terms that the memory activates (compounds,
  /// statements, SELF) hold budget.
  explicit TermPolicy(const ActivationPolicy& memory);

  Role operator[](TermClass term_class) const { return roles_[static_cast<std::size_t>(term_class)]; }
  /// Sets the role of a class.
  /// Errors  std::invalid_argument for the class `variable` with another role than ignored
  void set(TermClass term_class, Role role);

 private:
  std::array<Role, term_classes.size()> roles_;
};

}  // namespace engram::core
