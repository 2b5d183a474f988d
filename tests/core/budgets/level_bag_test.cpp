// SPDX-License-Identifier: MIT
#include "core/budgets/level_bag.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

// The bag as its rules say, in one list in the order of arrival, and levels looked for one after the other.
class PlainBag {
 public:
  PlainBag(std::size_t capacity, int levels, const BagRules& rules)
      : capacity_(capacity), levels_(levels), rules_(rules), order_(visiting_order(levels)) {}

  std::optional<LevelBag::Item> put_in(LevelBag::Item item) {
    for (std::size_t i = 0; i < items_.size(); ++i)
      if (items_[i].id == item.id) {
        item.budget = rules_.merge(items_[i].budget, item.budget);
        items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
    items_.push_back(item);
    if (items_.size() <= capacity_) return std::nullopt;
    // The oldest of the lowest level but the new one's own, unless that is the only one there.
    const auto lowest = std::min_element(items_.begin(), items_.end(),
                                         [&](const auto& a, const auto& b) { return level(a) < level(b); });
    const LevelBag::Item leaves = *lowest;
    items_.erase(lowest);
    return leaves;
  }

  std::optional<LevelBag::Item> take_out() {
    for (std::size_t visit = 0; visit < order_.size(); ++visit) {
      const int wanted = order_[next_++ % order_.size()];
      for (std::size_t i = 0; i < items_.size(); ++i)
        if (level(items_[i]) == wanted) {
          const LevelBag::Item item = items_[i];
          items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(i));
          return item;
        }
    }
    return std::nullopt;
  }

 private:
  int level(const LevelBag::Item& item) const { return rules_.level(item.budget.priority, levels_); }

  std::size_t capacity_, next_ = 0;
  int levels_;
  const BagRules& rules_;
  std::vector<std::uint16_t> order_;
  std::vector<LevelBag::Item> items_;
};

void require_same_item(const std::optional<LevelBag::Item>& a, const std::optional<LevelBag::Item>& b) {
  REQUIRE(a.has_value() == b.has_value());
  if (!a) return;
  REQUIRE(a->id == b->id);
  REQUIRE(a->budget == b->budget);
}

}  // namespace

TEST_CASE("levels are visited in OpenNARS's order", "[core][level_bag]") {
  CHECK(visiting_order(10) == std::vector<std::uint16_t>{1, 8, 7, 5, 4, 9, 6, 8, 7, 4, 9, 2, 5, 8,
                                                         7, 9, 6, 3, 3, 8, 9, 7, 5, 6, 4, 9, 8, 7,
                                                         1, 2, 9, 6, 8, 7, 5, 9, 4, 3, 8, 7, 9, 6,
                                                         2, 5, 8, 9, 7, 4, 6, 0, 9, 8, 5, 6, 3});
  CHECK(visiting_order(1) == std::vector<std::uint16_t>{0});
  for (const int levels : {2, 7, 100, 1000}) {
    std::vector<int> visits(static_cast<std::size_t>(levels), 0);
    for (const std::uint16_t level : visiting_order(levels)) ++visits.at(level);
    for (std::size_t k = 0; k < visits.size(); ++k) REQUIRE(visits[k] == static_cast<int>(k) + 1);
  }
  CHECK_THROWS_AS(visiting_order(0), std::invalid_argument);
  CHECK_THROWS_AS(visiting_order(4097), std::invalid_argument);
}

TEST_CASE("items are taken as often as OpenNARS took them", "[core][level_bag]") {
  LevelBag bag(10, 10);
  const std::vector<double> priorities{1, 0.75, 0.5, 0.1};
  for (std::uint32_t i = 0; i < 4; ++i) bag.put_in({i, {priorities[i], 0.5, 0.5}});
  std::vector<int> taken(4, 0);
  for (int i = 0; i < 5500; ++i) {
    const auto item = bag.take_out();
    ++taken[item->id];
    bag.put_in(*item);
  }
  CHECK(taken == std::vector<int>{2291, 1834, 1146, 229});
}

TEST_CASE("a bag does what a plain list by the same rules does", "[core][level_bag]") {
  for (const BagRules* rules : {&opennars_bag, &pynars_bag})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Rng rng(seed, "level bag");
      const std::size_t capacity = 1 + rng.below(12);
      const int levels = static_cast<int>(1 + rng.below(12));
      LevelBag bag(capacity, levels, *rules);
      PlainBag plain(capacity, levels, *rules);
      for (int step = 0; step < 500; ++step) {
        if (rng.below(3) == 0) {
          require_same_item(bag.take_out(), plain.take_out());
        } else {
          const LevelBag::Item item{static_cast<std::uint32_t>(rng.below(20)),
                                    {static_cast<double>(rng.below(21)) / 20, rng.uniform(), rng.uniform()}};
          require_same_item(bag.put_in(item), plain.put_in(item));
        }
        REQUIRE(bag.size() <= capacity);
      }
    }
}

TEST_CASE("items have other ids, or leave, and are taken in the same order", "[core][level_bag]") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed, "renumbering");
    LevelBag bag(30, 10), same(30, 10);
    for (std::uint32_t id = 0; id < 30; ++id) {
      const LevelBag::Item item{id, {rng.uniform(), rng.uniform(), rng.uniform()}};
      bag.put_in(item);
      same.put_in(item);
    }
    const auto now = [](std::uint32_t id) {
      return id % 3 == 0 ? std::nullopt : std::optional<std::uint32_t>(100 - id);
    };
    bag.renumber(now);
    CHECK(bag.size() == 20);
    for (std::uint32_t id = 0; id < 30; ++id)
      if (now(id)) CHECK(bag.find(*now(id))->budget == same.find(id)->budget);
    for (std::uint32_t id = 0; id < 30; id += 3) same.pick_out(id);
    while (auto item = same.take_out()) {
      item->id = *now(item->id);
      require_same_item(bag.take_out(), item);
    }
    CHECK(!bag.take_out());
  }
}

TEST_CASE("levels, what is refused, and an item picked by name", "[core][level_bag]") {
  CHECK(opennars_bag.level(0, 10) == 0);
  CHECK(opennars_bag.level(0.1, 10) == 0);
  CHECK(opennars_bag.level(0.75, 10) == 7);
  CHECK(opennars_bag.level(1, 10) == 9);
  CHECK(pynars_bag.level(0, 10) == 0);
  CHECK(pynars_bag.level(0.75, 10) == 7);
  CHECK(pynars_bag.level(0.5, 10) == 5);
  CHECK(pynars_bag.level(1, 10) == 9);
  CHECK_THROWS_AS(LevelBag(0, 10), std::invalid_argument);
  LevelBag bag(2, 10);
  CHECK(!bag.take_out());
  CHECK(!bag.pick_out(3));
  bag.put_in({3, {0.5, 0.5, 0.5}});
  for (const double wrong : {-0.1, 1.1, samples::nan})
    CHECK_THROWS_AS(bag.put_in({3, {wrong, 0.5, 0.5}}), std::invalid_argument);
  REQUIRE(bag.find(3) != nullptr);
  CHECK(bag.find(3)->budget.priority == 0.5);
  bag.put_in({4, {0.6, 0.5, 0.5}});
  CHECK(bag.put_in({5, {0.1, 0.5, 0.5}})->id == 5);  // of a lower level than all that are there
  CHECK(bag.put_in({5, {0.5, 0.5, 0.5}})->id == 3);  // the oldest of the lowest level
  CHECK(bag.pick_out(4)->id == 4);
  CHECK(bag.find(4) == nullptr);
  CHECK(bag.size() == 1);
}

}  // namespace engram::core
