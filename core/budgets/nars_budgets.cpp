// SPDX-License-Identifier: MIT
#include "core/budgets/nars_budgets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>

#include "core/numbers/numeric.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core {
namespace {

using narsese::BudgetValue;

// x^y for x in [0, 1] and y in (0, infinity].
double raised(double x, double y) { return x == 0 || x == 1 ? x : exp(y * log(x)); }

double either(double a, double b) { return either_of(std::array{a, b}); }

// The excess p - q' after one use.
double decayed(double excess, double durability, double uses) {
  return excess * raised(durability, 1 / (uses * std::abs(excess)));
}

constexpr int most_levels = 4096;

int level_from_above(double priority, int levels) {
  return std::max(static_cast<int>(std::ceil(priority * levels)) - 1, 0);
}

int level_from_below(double priority, int levels) {
  return std::min(static_cast<int>(std::floor(priority * levels)), levels - 1);
}

// The first free place at or after `at`, cyclically. Compresses the path through `free_from`.
std::size_t next_free(std::vector<std::size_t>& free_from, std::size_t at) {
  std::size_t free = at;
  while (free_from[free] != free) free = free_from[free];
  while (free_from[at] != free) at = std::exchange(free_from[at], free);
  return free;
}

// Cache of visiting orders. With 1000 levels an order has 500,500 entries, and reasoners create bags for each question.
std::shared_ptr<const std::vector<std::uint16_t>> shared_order(int levels) {
  constexpr std::size_t most_orders = 8;  // the systems use 10, 100 and 1000 levels
  static std::mutex mutex;
  static std::map<int, std::shared_ptr<const std::vector<std::uint16_t>>> orders;
  const std::lock_guard lock(mutex);
  if (const auto found = orders.find(levels); found != orders.end()) return found->second;
  if (orders.size() == most_orders) orders.clear();
  return orders[levels] = std::make_shared<const std::vector<std::uint16_t>>(visiting_order(levels));
}

}  // namespace

double truth_to_quality(const narsese::TruthValue& truth) {
  const double e = narsese::expectation(truth);
  return std::max(e, 0.75 * (1.0 - e));
}

double either_of(std::span<const double> shares) {
  double none = 1;
  for (const double share : shares) none *= 1 - share;
  return 1 - none;
}

namespace opennars {

BudgetValue forget(const BudgetValue& budget, double uses) {
  const double least = quality_rescaled * budget.quality, excess = budget.priority - least;
  const double kept = excess > 0 ? decayed(excess, budget.durability, uses) : 0;
  return {least + kept, budget.durability, budget.quality};
}

BudgetValue merge(const BudgetValue& a, const BudgetValue& b) {
  return {std::max(a.priority, b.priority), std::max(a.durability, b.durability),
          std::max(a.quality, b.quality)};
}

BudgetValue activate(const BudgetValue& of_concept, const BudgetValue& task) {
  return {either(of_concept.priority, task.priority), (of_concept.durability + task.durability) / 2,
          of_concept.quality};
}

}  // namespace opennars

namespace pynars {

BudgetValue forget(const BudgetValue& budget) {
  constexpr double uses = 10;
  const double least = opennars::quality_rescaled * budget.quality, excess = budget.priority - least;
  if (excess == 0) return budget;
  return {least + decayed(excess, budget.durability, uses), budget.durability, budget.quality};
}

BudgetValue merge(const BudgetValue& a, const BudgetValue& b) {
  return {either(a.priority, b.priority), either(a.durability, b.durability), std::max(a.quality, b.quality)};
}

BudgetValue activate(const BudgetValue& of_concept, const BudgetValue& link) {
  return {either(of_concept.priority, link.priority), 0.1 * link.durability + 0.9 * of_concept.durability,
          0.1 * link.quality + 0.9 * of_concept.quality};
}

}  // namespace pynars

double ona::usefulness(std::uint64_t uses, std::int64_t now, std::int64_t last_used) {
  const auto age = std::max<std::int64_t>(now - last_used, 0);
  const double u = static_cast<double>(uses) / static_cast<double>(age + 1);
  return u / (u + 1);
}

const BagRules opennars_bag{level_from_above, opennars::merge};
const BagRules pynars_bag{level_from_below, pynars::merge};

std::vector<std::uint16_t> visiting_order(int levels) {
  require(levels >= 1 && levels <= most_levels, "a bag has 1 to 4096 levels");
  const auto places = static_cast<std::size_t>(levels) * (static_cast<std::size_t>(levels) + 1) / 2;
  std::vector<std::uint16_t> order(places);
  std::vector<std::size_t> free_from(places + 1);
  std::iota(free_from.begin(), free_from.end(), std::size_t{0});
  // Place the visits of the highest level first, evenly, each on the next free place; then the next lower level.
  std::size_t at = 0;
  for (std::size_t rank = static_cast<std::size_t>(levels); rank > 0; --rank)
    for (std::size_t visit = 0; visit < rank; ++visit) {
      at = next_free(free_from, (at + places / rank) % places);
      order[at] = static_cast<std::uint16_t>(rank - 1);
      free_from[at] = at + 1 == places ? 0 : at + 1;
    }
  return order;
}

LevelBag::LevelBag(std::size_t capacity, int levels, const BagRules& rules)
    : capacity_(capacity),
      rules_(rules),
      order_(shared_order(levels)),
      levels_(static_cast<std::size_t>(levels)) {
  require(capacity >= 1, "the capacity must be at least 1", capacity);
}

std::optional<LevelBag::Item> LevelBag::put_in(Item item) {
  require(item.budget.priority >= 0 && item.budget.priority <= 1, "a priority must be in [0, 1]",
          item.budget.priority);
  if (const auto held = pick_out(item.id)) item.budget = rules_.merge(held->budget, item.budget);
  const int level = rules_.level(item.budget.priority, static_cast<int>(levels_.size()));
  std::optional<Item> leaves;
  if (size() == capacity_) {
    int lowest = 0;
    while (levels_[static_cast<std::size_t>(lowest)].empty()) ++lowest;
    if (level < lowest) return item;
    leaves = remove(lowest, levels_[static_cast<std::size_t>(lowest)].begin());
  }
  auto& items = levels_[static_cast<std::size_t>(level)];
  places_[item.id] = {level, items.insert(items.end(), item)};
  return leaves;
}

std::optional<LevelBag::Item> LevelBag::take_out() {
  if (size() == 0) return std::nullopt;
  const std::vector<std::uint16_t>& order = *order_;
  while (levels_[order[next_]].empty()) next_ = (next_ + 1) % order.size();
  const int level = order[next_];
  next_ = (next_ + 1) % order.size();
  return remove(level, levels_[static_cast<std::size_t>(level)].begin());
}

std::optional<LevelBag::Item> LevelBag::pick_out(std::uint32_t id) {
  const auto place = places_.find(id);
  if (place == places_.end()) return std::nullopt;
  return remove(place->second.level, place->second.item);
}

void LevelBag::renumber(const std::function<std::optional<std::uint32_t>(std::uint32_t)>& renumber) {
  places_.clear();
  for (std::size_t level = 0; level < levels_.size(); ++level)
    for (auto item = levels_[level].begin(); item != levels_[level].end();) {
      if (const auto id = renumber(item->id)) {
        item->id = *id;
        places_[*id] = {static_cast<int>(level), item++};
      } else {
        item = levels_[level].erase(item);
      }
    }
}

const LevelBag::Item* LevelBag::find(std::uint32_t id) const {
  const auto place = places_.find(id);
  return place == places_.end() ? nullptr : &*place->second.item;
}

LevelBag::Item LevelBag::remove(int level, std::list<Item>::iterator item) {
  const Item removed = *item;
  levels_[static_cast<std::size_t>(level)].erase(item);
  places_.erase(removed.id);
  return removed;
}

}  // namespace engram::core
