// SPDX-License-Identifier: MIT
// A budget whose durability and temperature are learnt: it predicts what will be needed, sees what is, and
// corrects itself.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/budgets/bounded_memory.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core {

/// How it learns. Chosen on generated streams whose seeds no experiment uses.
struct LearntBudgetRule {
  std::vector<double> durabilities = {0.8, 0.95, 0.99, 0.996, 0.999};  // of experience, an episode
  std::vector<double> discounts = {0.5, 0.9};                          // of what comes later, an episode
  double rate = 0.05;
  int farthest = 32;                // episodes that it learns to look ahead
  double ghosts = 4;                // concepts it knows beside those held, times capacity
  std::size_t fewest_ghosts = 100;  // but so many at least: a ghost costs numbers, no concept
};

/// Budgets of the concepts known, after each episode
///   p_i ~ prod_k q_ki^(w_k) prod_l exp(w_l s_li):   p ~ q^d exp(s/T), the update of a budget, with
///   several priors q, the durabilities w_k and the inverse temperatures w_l all learnt.
///   q_ki = (b_ki + 0.5) / (B_k + 1)       experience that fades: b_ki <- d_k b_ki + [i is active], B_k <-
///                                         d_k B_k + 1; 0.5 is the share of what has not come up yet
///   s_li = log(0.03 + (1 - g_l) r_li / R_l)   relevance to what was active lately, over asymmetric Hebbian
///                                         links: r_li <- g_l r_li + sum over active a of F_l,ai / (n_a + 1),
///                                         R_l <- g_l R_l + number of active
///   F_l,ai <- F_l,ai + c_la for active i, where c_la <- g_l c_la + [a is active] afterwards, n_a counts how
///   often a was: F_l,ai / n_a estimates the discounted uses of i after one of a (successor representation)
/// Before each episode counts as experience, the budgets given h = 1, 2, 4, ... farthest episodes ago learn
/// from it: w climbs the gradient of log p of each active concept that was known then, by AdaGrad. No future,
/// capacity or other constant of the stream is looked at. 0.5 and 0.03 are chosen, not derived.
/// Source  update: entropic mirror descent (Beck and Teboulle 2003); AdaGrad: Duchi, Hazan and Singer 2011;
///         successor representation: Dayan 1993; predicting the next use for caches: Song et al. 2020,
///         "Learning Relaxed Belady for Content Distribution Network Caching"
class LearntBudgets {
 public:
  using Id = BoundedMemory::Id;

  /// Ranges  durabilities and discounts in (0, 1), one durability at least; rate >= 0, farthest >= 1
  /// Errors  std::invalid_argument outside these ranges
  explicit LearntBudgets(LearntBudgetRule rule = {});

  /// An episode: active concepts, ascending; unknown ones become known.
  /// Cost  O(k (log2(farthest) + active)) for k known concepts, times durabilities and discounts; 8 k^2 bytes
  ///       a discount
  void experience(std::span<const Id> active);
  /// log p_i but for what all have in common; -infinity for the unknown.
  double log_budget(Id id) const;
  /// Of durabilities, then of discounts; all begin as the same share of their kind.
  const Vector& weights() const { return weights_; }
  /// Ascending.
  std::span<const Id> known() const { return given_.empty() ? std::span<const Id>() : given_.front().ids; }
  /// As if it had never been, but for what budgets given before say of it.
  void forget(std::span<const Id> ids);

 private:
  // Budgets as they were given after an episode: log p = features weights.
  struct Given {
    std::vector<Id> ids;  // ascending
    Matrix features;      // (ids, weights)
  };
  Index slot_of(Id id);
  void add_slots();
  void learn(const Given& given, std::span<const Id> active);
  void fade();
  void follow(const std::vector<Index>& active);
  Given give() const;

  LearntBudgetRule rule_;
  Vector weights_, squares_;       // of all gradients
  std::map<Id, Index> slots_;      // rows, and of links columns, of the concepts known
  std::vector<Index> free_;        // slots
  Matrix budgets_;                 // (slots, durabilities): b
  Vector times_;                   // (slots): n
  Matrix traces_, relevances_;     // (slots, discounts): c and r
  std::vector<Matrix> followers_;  // a discount: (slots, slots), F
  Vector episodes_, actives_;      // B, a durability; R, a discount
  std::deque<Given> given_;        // the last first
  Vector scores_;                  // of given_.front()
};

/// Holds the concepts of the largest learnt budgets, and knows the ghosts next to them.
/// Errors  std::invalid_argument where capacity < 1 or the rule is out of range; ghosts in [0, 1e6]
std::unique_ptr<BoundedMemory> keep_by_learnt_budget(std::size_t capacity, const LearntBudgetRule& rule = {});

}  // namespace engram::core
