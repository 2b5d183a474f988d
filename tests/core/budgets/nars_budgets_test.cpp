// SPDX-License-Identifier: MIT
#include "core/budgets/nars_budgets.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

using narsese::BudgetValue;

// Priorities after one use, two, ...
template <class Forget>
std::vector<double> fading(BudgetValue budget, int times, Forget forget) {
  std::vector<double> priorities;
  for (int i = 0; i < times; ++i) {
    budget = forget(budget);
    priorities.push_back(budget.priority);
  }
  return priorities;
}

// `digits`: how exactly the system printed its numbers, which OpenNARS keeps in single precision.
void require_near(const std::vector<double>& found, const std::vector<double>& printed, double digits) {
  REQUIRE(found.size() == printed.size());
  for (std::size_t i = 0; i < found.size(); ++i) REQUIRE(std::abs(found[i] - printed[i]) <= digits);
}

}  // namespace

TEST_CASE("quality from truth is OpenNARS's", "[core][nars_budgets]") {
  // Printed by OpenNARS 3 for these truth values; a rounding each.
  CHECK(std::abs(truth_to_quality({1, 0.9}) - 0.95) < 1e-15);
  CHECK(std::abs(truth_to_quality({0.5, 0.9}) - 0.5) < 1e-15);
  CHECK(std::abs(truth_to_quality({0, 0.9}) - 0.7125) < 1e-15);
  CHECK(truth_to_quality({1, 0}) == 0.5);
  CHECK(truth_to_quality({1, 1}) == 1.0);
  CHECK(truth_to_quality({0, 1}) == 0.75);
  for (double f = 0; f <= 1; f += 0.125)
    for (double c = 0; c <= 1; c += 0.125) {
      // Least where yes and no are worth the same: e = 3/4 (1 - e) at e = 3/7.
      CHECK(truth_to_quality({f, c}) >= 3.0 / 7 - 1e-15);
      CHECK(truth_to_quality({f, c}) <= 1);
    }
}

TEST_CASE("OpenNARS forgets as it printed", "[core][nars_budgets]") {
  const auto forget = [](double uses) {
    return [uses](const BudgetValue& b) { return opennars::forget(b, uses); };
  };
  require_near(fading({0.8, 0.5, 0.95}, 6, forget(20)),  // a task link: DURATION times 4
               {0.76648307, 0.7330436, 0.6996928, 0.6664441, 0.6333146, 0.60032564}, 3e-7);
  require_near(fading({0.9, 0.9, 1}, 6, forget(opennars::concept_uses)),
               {0.8895559, 0.8791134, 0.8686726, 0.8582336, 0.8477963, 0.8373609}, 3e-7);
  CHECK(opennars::forget({0.1, 0.5, 0.95}, 10).priority ==
        0.3 * 0.95);  // raised to what it may not fall below
  CHECK(opennars::forget({0.8, 0, 0.5}, 10).priority == 0.15);
  CHECK(opennars::forget({0.8, 1, 0.5}, 10).priority == Approx(0.8).epsilon(1e-15));
  CHECK(opennars::forget({5e-324, 1, 0}, 10).priority == 5e-324);  // 1 / excess is no number then
}

TEST_CASE("PyNARS forgets as it printed", "[core][nars_budgets]") {
  require_near(fading({0.8, 0.5, 0.95}, 6, pynars::forget),
               {0.7351474587139915, 0.6709056718514887, 0.6074594088929888, 0.5450882121181265,
                0.48424120982860963, 0.4256989806650101},
               1e-15);
  require_near(fading({0.1, 0.5, 0.95}, 3, pynars::forget),
               {0.15781004553898406, 0.21124774241907213, 0.25618546948582993}, 1e-15);
  const BudgetValue rests{0.285, 0.5, 0.95};
  CHECK(pynars::forget(rests) == rests);
}

TEST_CASE("the other sums of budgets are those that the systems printed", "[core][nars_budgets]") {
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

TEST_CASE("forgetting keeps budgets within their range and between where they were and their floor",
          "[core][nars_budgets]") {
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

}  // namespace engram::core
