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

/// Quality of a belief in OpenNARS and PyNARS: q = max(e, 3/4 (1-e)), where e is its expectation. A certainly true
/// belief has quality 1, a certainly false one 3/4.
double truth_to_quality(const narsese::TruthValue& truth);

/// Probabilistic sum a or b or ... = 1 - (1-a)(1-b)... of values in [0, 1]. The systems use it to combine priorities.
double either_of(std::span<const double> shares);

namespace opennars {

/// The argument `uses` of forget() for concepts: the larger, the slower priority decays. OpenNARS's DURATION of 5,
/// times 2.
inline constexpr double concept_uses = 10;
/// Lower limit of a decaying priority, as a share of the quality.
inline constexpr double quality_rescaled = 0.3;

/// Decays the priority of an item. OpenNARS calls this each time that it puts an item back into a bag. With priority p,
/// durability d, quality q and the limit q' = 0.3 q,
///   p <- q' + (p-q') d^(1/(uses (p-q'))) if p > q', else p <- q', which raises lower priorities.
/// `uses`  the number of uses that scales the decay: a larger number makes it slower
narsese::BudgetValue forget(const narsese::BudgetValue& budget, double uses);

/// Merges the budgets of two items with the same key: takes the larger of each number.
narsese::BudgetValue merge(const narsese::BudgetValue& a, const narsese::BudgetValue& b);

/// Updates the budget of a concept that a task activates: the priorities combine by either_of(), the durability becomes
/// the mean of both, and the quality stays that of the concept.
narsese::BudgetValue activate(const narsese::BudgetValue& of_concept, const narsese::BudgetValue& task);

}  // namespace opennars

namespace pynars {

/// Decays the priority of an item. With priority p, durability d, quality q and the limit q' = 0.3 q, p <- q' + (p-q')
/// d^(1/(10 |p-q'|)). Priorities below q' therefore rise towards q'.
narsese::BudgetValue forget(const narsese::BudgetValue& budget);

/// Merges the budgets of two items with the same key: priorities and durabilities combine by either_of(), and the
/// larger quality stays.
narsese::BudgetValue merge(const narsese::BudgetValue& a, const narsese::BudgetValue& b);

/// Updates the budget of a concept that gets a new link: the priorities combine by either_of(), and durability and
/// quality move a tenth of the way to those of the link.
narsese::BudgetValue activate(const narsese::BudgetValue& of_concept, const narsese::BudgetValue& link);

}  // namespace pynars

namespace ona {

inline constexpr double concept_durability = 0.9;  // factor on a concept's priority in each cycle

/// Usefulness of a concept, by which ONA selects what to forget: u / (u + 1) with u = uses / (cycles since the last use
/// + 1). The result is in [0, 1).
double usefulness(std::uint64_t uses, std::int64_t now, std::int64_t last_used);

}  // namespace ona

/// The order in which a LevelBag visits its levels, repeated forever. Level k occurs k + 1 times in it, spread as
/// evenly as possible, so items of higher priority are visited more often.
/// Ranges  levels in [1, 4096]    Cost  O(levels^2)
/// Source  OpenNARS 3, storage.Distributor
std::vector<std::uint16_t> visiting_order(int levels);

/// Rules of a LevelBag that differ between OpenNARS and PyNARS.
struct BagRules {
  int (*level)(double priority, int levels);  // level of a priority, from 0
  narsese::BudgetValue (*merge)(const narsese::BudgetValue& held, const narsese::BudgetValue& added);
};
extern const BagRules opennars_bag;  // with L levels: level ceil(p L) - 1; opennars::merge
extern const BagRules pynars_bag;    // level floor(p L), or L - 1 for p = 1; pynars::merge

/// The bag of OpenNARS and PyNARS: a bounded container that holds items in levels by priority, and returns those of
/// higher levels more often. The bag visits its levels in the order of visiting_order() and skips empty ones. A visit
/// takes the oldest item of the level. Level k therefore gets k + 1 visits in each round, shared by its items.
/// Ranges   capacity >= 1, levels in [1, 4096]; priorities in [0, 1]
/// Errors   std::invalid_argument
/// Cost     put_in, pick_out O(1); take_out O(1) if the levels are about equally full, O(levels^2) at worst
/// Source   Wang 2013; OpenNARS 3, storage.LevelBag: 10,000 concepts on 1000 levels, links 100 on 10
class LevelBag {
 public:
  /// An item: an id, which is its key, and a budget.
  struct Item {
    std::uint32_t id = 0;
    narsese::BudgetValue budget;
  };

  LevelBag(std::size_t capacity, int levels, const BagRules& rules = opennars_bag);

  /// Adds an item. If the bag has an item with the same id, their budgets are merged. A full bag evicts the oldest item
  /// of the lowest level, or rejects the new item if its level is lower still.
  /// Returns  the evicted or rejected item, if any
  std::optional<Item> put_in(Item item);
  /// Removes and returns the next item in the order of visits, or nothing if the bag is empty.
  std::optional<Item> take_out();
  /// Removes and returns the item with this id, or nothing if there is none.
  std::optional<Item> pick_out(std::uint32_t id);

  /// Changes the ids of all items. Each item gets the id that `renumber` returns, or is removed if `renumber` returns
  /// nothing. The order of the items stays. `renumber` must not return the same id twice.
  void renumber(const std::function<std::optional<std::uint32_t>(std::uint32_t)>& renumber);

  std::size_t size() const { return places_.size(); }
  /// The item with this id, or null. The pointer is valid until the bag changes.
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
  std::size_t next_ = 0;                                     // index of the next visit in order_
  std::vector<std::list<Item>> levels_;
  std::unordered_map<std::uint32_t, Place> places_;  // never iterated
};

}  // namespace engram::core
