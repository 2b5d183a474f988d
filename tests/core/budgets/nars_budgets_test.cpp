// SPDX-License-Identifier: MIT
#include "core/budgets/nars_budgets.hpp"

#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

using narsese::BudgetValue;

// The priorities of an item after each of `times` uses.
template <class Forget>
std::vector<double> fading(BudgetValue budget, int times, Forget forget) {
  std::vector<double> priorities;
  for (int i = 0; i < times; ++i) {
    budget = forget(budget);
    priorities.push_back(budget.priority);
  }
  return priorities;
}

// `digits` is the precision of the printed numbers; OpenNARS computes in single precision.
void require_near(const std::vector<double>& found, const std::vector<double>& printed, double digits) {
  REQUIRE(found.size() == printed.size());
  for (std::size_t i = 0; i < found.size(); ++i) REQUIRE(std::abs(found[i] - printed[i]) <= digits);
}

// Reference implementation of the bag: a list in the order of arrival, searched level by level.
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
    // Evicts the oldest item of the lowest level.
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

TEST_CASE("truth_to_quality equals OpenNARS", "[nars_budgets]") {
  // The values are those that OpenNARS 3 prints, up to one rounding.
  CHECK(std::abs(truth_to_quality({1, 0.9}) - 0.95) < 1e-15);
  CHECK(std::abs(truth_to_quality({0.5, 0.9}) - 0.5) < 1e-15);
  CHECK(std::abs(truth_to_quality({0, 0.9}) - 0.7125) < 1e-15);
  CHECK(truth_to_quality({1, 0}) == 0.5);
  CHECK(truth_to_quality({1, 1}) == 1.0);
  CHECK(truth_to_quality({0, 1}) == 0.75);
  for (double f = 0; f <= 1; f += 0.125)
    for (double c = 0; c <= 1; c += 0.125) {
      // The quality is smallest if the answers yes and no have equal quality: the expectation e satisfies e = 3/4 (1 -
      // e), so e = 3/7.
      CHECK(truth_to_quality({f, c}) >= 3.0 / 7 - 1e-15);
      CHECK(truth_to_quality({f, c}) <= 1);
    }
}

TEST_CASE("opennars::forget equals the numbers that OpenNARS printed", "[nars_budgets]") {
  const auto forget = [](double uses) {
    return [uses](const BudgetValue& b) { return opennars::forget(b, uses); };
  };
  require_near(fading({0.8, 0.5, 0.95}, 6, forget(20)),  // a task link: OpenNARS uses 4 times DURATION
               {0.76648307, 0.7330436, 0.6996928, 0.6664441, 0.6333146, 0.60032564}, 3e-7);
  require_near(fading({0.9, 0.9, 1}, 6, forget(opennars::concept_uses)),
               {0.8895559, 0.8791134, 0.8686726, 0.8582336, 0.8477963, 0.8373609}, 3e-7);
  CHECK(opennars::forget({0.1, 0.5, 0.95}, 10).priority == 0.3 * 0.95);  // raised to the floor
  CHECK(opennars::forget({0.8, 0, 0.5}, 10).priority == 0.15);
  CHECK(opennars::forget({0.8, 1, 0.5}, 10).priority == Approx(0.8).epsilon(1e-15));
  // The reciprocal of the excess over the floor overflows.
  CHECK(opennars::forget({5e-324, 1, 0}, 10).priority == 5e-324);
}

TEST_CASE("pynars::forget equals the numbers that PyNARS printed", "[nars_budgets]") {
  require_near(fading({0.8, 0.5, 0.95}, 6, pynars::forget),
               {0.7351474587139915, 0.6709056718514887, 0.6074594088929888, 0.5450882121181265,
                0.48424120982860963, 0.4256989806650101},
               1e-15);
  require_near(fading({0.1, 0.5, 0.95}, 3, pynars::forget),
               {0.15781004553898406, 0.21124774241907213, 0.25618546948582993}, 1e-15);
  const BudgetValue rests{0.285, 0.5, 0.95};
  CHECK(pynars::forget(rests) == rests);
}

TEST_CASE("merge and activate equal the numbers that the systems printed", "[nars_budgets]") {
  const BudgetValue task{0.8, 0.5, 0.95};
  CHECK(either_of(std::array{0.8, 0.5}) == Approx(0.9).epsilon(1e-15));
  CHECK(either_of({}) == 0);
  CHECK(opennars::merge({0.8, 0.5, 0.9}, {0.5, 0.6, 0.95}) == BudgetValue{0.8, 0.6, 0.95});
  const BudgetValue merged = pynars::merge({0.8, 0.5, 0.9}, {0.5, 0.5, 0.95});
  require_near({merged.priority, merged.durability, merged.quality}, {0.9, 0.75, 0.95}, 1e-15);
  const BudgetValue active = opennars::activate({0.5, 0.2, 0.3}, task);
  require_near({active.priority, active.durability, active.quality}, {0.9, 0.35, 0.3}, 1e-15);
  const BudgetValue linked = pynars::activate({0.5, 0.2, 0.3}, task);
  require_near({linked.priority, linked.durability, linked.quality}, {0.9, 0.23, 0.365}, 1e-15);
}

TEST_CASE("forgetting moves the priority towards its floor and not beyond", "[nars_budgets]") {
  Rng rng(1, "nars budgets");
  for (int trial = 0; trial < 2000; ++trial) {
    const BudgetValue b{rng.uniform(), rng.uniform(), rng.uniform()};
    const double floor = 0.3 * b.quality;
    const double on = opennars::forget(b, 20).priority, py = pynars::forget(b).priority;
    REQUIRE(on >= std::min(b.priority, floor));
    REQUIRE(on <= std::max(b.priority, floor));
    REQUIRE(py >= std::min(b.priority, floor) - 1e-16);
    REQUIRE(py <= std::max(b.priority, floor) + 1e-16);
  }
}

TEST_CASE("usefulness equals the numbers that ONA printed", "[nars_budgets]") {
  CHECK(ona::usefulness(3, 8, 6) == 0.5);
  CHECK(ona::usefulness(1'000'005, 6, 6) == Approx(0.999999).epsilon(1e-9));
  CHECK(ona::usefulness(0, 6, 6) == 0);
  CHECK(ona::usefulness(3, 4, 6) == 0.75);  // a use in the future counts as a use now
}

TEST_CASE("visiting_order equals OpenNARS", "[nars_budgets]") {
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
  CHECK_INVALID(visiting_order(0));
  CHECK_INVALID(visiting_order(4097));
}

TEST_CASE("LevelBag takes items as often as OpenNARS", "[nars_budgets]") {
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

TEST_CASE("LevelBag equals a direct implementation", "[nars_budgets]") {
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

TEST_CASE("renumbering keeps the order of a LevelBag", "[nars_budgets]") {
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

TEST_CASE("LevelBag computes levels, rejects invalid input, and finds items by id", "[nars_budgets]") {
  CHECK(opennars_bag.level(0, 10) == 0);
  CHECK(opennars_bag.level(0.1, 10) == 0);
  CHECK(opennars_bag.level(0.75, 10) == 7);
  CHECK(opennars_bag.level(1, 10) == 9);
  CHECK(pynars_bag.level(0, 10) == 0);
  CHECK(pynars_bag.level(0.75, 10) == 7);
  CHECK(pynars_bag.level(0.5, 10) == 5);
  CHECK(pynars_bag.level(1, 10) == 9);
  CHECK_INVALID(LevelBag(0, 10));
  LevelBag bag(2, 10);
  CHECK(!bag.take_out());
  CHECK(!bag.pick_out(3));
  bag.put_in({3, {0.5, 0.5, 0.5}});
  for (const double wrong : {-0.1, 1.1, nan}) CHECK_INVALID(bag.put_in({3, {wrong, 0.5, 0.5}}));
  REQUIRE(bag.find(3) != nullptr);
  CHECK(bag.find(3)->budget.priority == 0.5);
  bag.put_in({4, {0.6, 0.5, 0.5}});
  // The new item is evicted, because its level is the lowest.
  CHECK(bag.put_in({5, {0.1, 0.5, 0.5}})->id == 5);
  CHECK(bag.put_in({5, {0.5, 0.5, 0.5}})->id == 3);  // evicts the oldest item of the lowest level
  CHECK(bag.pick_out(4)->id == 4);
  CHECK(bag.find(4) == nullptr);
  CHECK(bag.size() == 1);
}

}  // namespace engram::core
