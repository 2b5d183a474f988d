// SPDX-License-Identifier: MIT
// Budget arithmetic of other NARS systems: OpenNARS 3 and PyNARS (OpenNARS 4), number for number, with their bag, and
// ONA (OpenNARS for Applications). Engram's reasoners use it to reproduce these systems. Engram's own budgets are in
// core/budgets/budget_allocator.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "narsese/sentence.hpp"
#include "narsese/truth.hpp"

namespace engram::core {

/// Quality of a belief in OpenNARS and PyNARS: q = max(e, 3/4 (1-e)), where e is its expectation. A certain yes has
/// quality 1, a certain no three quarters.
double truth_to_quality(const narsese::TruthValue& truth);

/// Probabilistic sum a or b or ... = 1 - (1-a)(1-b)..., which combines priorities.
double either_of(std::span<const double> shares);

namespace opennars {

/// Uses after which a concept's priority has fallen by its durability: DURATION times 2.
inline constexpr double concept_uses = 10;
/// Priority does not fall below this share of the quality.
inline constexpr double quality_rescaled = 0.3;

/// Forgetting, once each time an item is put back. With q' = 0.3 q: p <- q' + (p-q') d^(1/(uses (p-q'))) if p > q',
/// else p <- q', which raises lower priorities.
narsese::BudgetValue forget(const narsese::BudgetValue& budget, double uses);

/// The budget of two items with the same key: the larger of each number.
narsese::BudgetValue merge(const narsese::BudgetValue& a, const narsese::BudgetValue& b);

/// The budget of a concept that a task activates: p or p', the mean of the durabilities, the concept's quality.
narsese::BudgetValue activate(const narsese::BudgetValue& of_concept, const narsese::BudgetValue& task);

}  // namespace opennars

namespace pynars {

/// Forgetting. With q' = 0.3 q: p <- q' + (p-q') d^(1/(10 |p-q'|)), so priorities below q' rise towards it.
narsese::BudgetValue forget(const narsese::BudgetValue& budget);

/// The budget of two items with the same key: p or p', d or d', the larger quality.
narsese::BudgetValue merge(const narsese::BudgetValue& a, const narsese::BudgetValue& b);

/// The budget of a concept with a new link: p or p', and a tenth of the way to the link's durability and quality.
narsese::BudgetValue activate(const narsese::BudgetValue& of_concept, const narsese::BudgetValue& link);

}  // namespace pynars

namespace ona {

inline constexpr double concept_durability = 0.9;  // a concept's priority is multiplied by this in a cycle

/// Usefulness of a concept: u / (u + 1), u = uses / (cycles since the last use + 1); in [0, 1).
double usefulness(std::uint64_t uses, std::int64_t now, std::int64_t last_used);

}  // namespace ona

/// A bag's order of visits to its levels, repeated forever: level k occurs k + 1 times, spread as evenly as
/// possible.
/// Ranges  levels in [1, 4096]    Cost  O(levels^2)
/// Source  OpenNARS 3, storage.Distributor
std::vector<std::uint16_t> visiting_order(int levels);

/// Rules that differ between the two systems' bags.
struct BagRules {
  int (*level)(double priority, int levels);  // from 0
  narsese::BudgetValue (*merge)(const narsese::BudgetValue& held, const narsese::BudgetValue& added);
};
extern const BagRules opennars_bag;  // level ceil(p L) - 1; opennars::merge
extern const BagRules pynars_bag;    // level floor(p L), L - 1 for p = 1; pynars::merge

/// The bag of OpenNARS and PyNARS: items by level of priority. The bag visits its levels in the order above and skips
/// empty ones. A visit takes the oldest item of the level. Thus level k gets k + 1 visits in each round, shared by
/// its items.
/// Ranges   capacity >= 1, levels in [1, 4096]; priorities in [0, 1]
/// Errors   std::invalid_argument
/// Cost     put_in, pick_out O(1); take_out O(1) if the levels are about equally full, O(levels^2) at worst
/// Source   Wang 2013; OpenNARS 3, storage.LevelBag: 10,000 concepts on 1000 levels, links 100 on 10
class LevelBag {
 public:
  /// An item's id and budget.
  struct Item {
    std::uint32_t id = 0;
    narsese::BudgetValue budget;
  };

  LevelBag(std::size_t capacity, int levels, const BagRules& rules = opennars_bag);

  /// Adds an item, merged with the item of the same id if there is one. A full bag evicts the oldest item of the lowest
  /// level, or rejects the new item if its level is lower still.  Returns  the item that left
  std::optional<Item> put_in(Item item);
  /// Removes and returns the next item; nothing from an empty bag.
  std::optional<Item> take_out();
  /// Removes and returns the item with this id, if there is one.
  std::optional<Item> pick_out(std::uint32_t id);

  /// Gives each item the id that `renumber` returns, or removes it if `renumber` returns nothing. The order stays.
  /// `renumber` must not return the same id twice.
  void renumber(const std::function<std::optional<std::uint32_t>(std::uint32_t)>& renumber);

  std::size_t size() const { return places_.size(); }
  /// The item with this id, or null. Valid until the bag changes.
  const Item* find(std::uint32_t id) const;

 private:
  struct Place {
    int level;
    std::list<Item>::iterator item;
  };
  Item remove(int level, std::list<Item>::iterator item);

  std::size_t capacity_;
  const BagRules& rules_;
  std::shared_ptr<const std::vector<std::uint16_t>> order_;  // shared by all bags with this number of levels
  std::size_t next_ = 0;                                     // in order_
  std::vector<std::list<Item>> levels_;
  std::unordered_map<std::uint32_t, Place> places_;  // never iterated
};

}  // namespace engram::core
