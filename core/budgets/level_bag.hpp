// SPDX-License-Identifier: MIT
// The bag of OpenNARS and PyNARS: a store from which items are taken more often the higher their priority.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/budgets/nars_budgets.hpp"

namespace engram::core {

/// In which order levels are visited, over and over: level k stands k + 1 times, as evenly spread as may be.
/// Ranges  levels in [1, 4096]    Cost  O(levels^2)
/// Source  OpenNARS 3, storage.Distributor
std::vector<std::uint16_t> visiting_order(int levels);

/// What the two systems do differently.
struct BagRules {
  int (*level)(double priority, int levels);  // from 0
  narsese::BudgetValue (*merge)(const narsese::BudgetValue& held, const narsese::BudgetValue& added);
};
extern const BagRules opennars_bag;  // level ceil(p L) - 1; the larger of each number
extern const BagRules pynars_bag;  // level floor(p L), L - 1 for p = 1; p or p', d or d', the larger quality

/// Items by level of priority. A level is visited in the order above, empty ones are passed over, and each
/// visit takes the item that was first there: so an item of level k is taken in proportion to k + 1, shared
/// with its level.
/// Ranges   capacity >= 1, levels in [1, 4096]; priorities in [0, 1]
/// Errors   std::invalid_argument
/// Cost     put_in, pick_out O(1); take_out O(1) while levels are held evenly, O(levels^2) at worst
/// Source   Wang 2013; OpenNARS 3, storage.LevelBag: 10,000 concepts on 1000 levels, links 100 on 10
class LevelBag {
 public:
  /// What lies in the bag: whose it is, and its budget.
  struct Item {
    std::uint32_t id = 0;
    narsese::BudgetValue budget;
  };

  LevelBag(std::size_t capacity, int levels, const BagRules& rules = opennars_bag);

  /// An item with the same id is merged with it. In a full bag the lowest level's oldest item must leave, or
  /// the new one does where its level is lower still.  Returns  who left
  std::optional<Item> put_in(Item item);
  /// Takes the next item out, by the rule of the bag; nothing from an empty one.
  std::optional<Item> take_out();
  /// Takes the item with this id out, if it is there.
  std::optional<Item> pick_out(std::uint32_t id);

  /// Each item has the id that this says, or leaves where it says none; their order stays.
  /// `renumber` must not say one id twice.
  void renumber(const std::function<std::optional<std::uint32_t>(std::uint32_t)>& renumber);

  std::size_t size() const { return places_.size(); }
  /// Nullptr where it is not held. Valid until the bag changes.
  const Item* find(std::uint32_t id) const;

 private:
  struct Place {
    int level;
    std::list<Item>::iterator item;
  };
  Item remove(int level, std::list<Item>::iterator item);

  std::size_t capacity_;
  const BagRules& rules_;
  std::shared_ptr<const std::vector<std::uint16_t>> order_;  // shared by bags of as many levels
  std::size_t next_ = 0;                                     // in order_
  std::vector<std::list<Item>> levels_;
  std::unordered_map<std::uint32_t, Place> places_;  // looked up, never walked
};

}  // namespace engram::core
