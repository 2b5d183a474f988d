// SPDX-License-Identifier: MIT
#include "core/budgets/nars_budgets.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

using narsese::BudgetValue;

// x^y for x in [0, 1], y > 0, infinity among them.
double raised(double x, double y) { return x == 0 || x == 1 ? x : exp(y * log(x)); }

double either(double a, double b) { return either_of(std::array{a, b}); }

// How far p - q' may fall: the priority that is left after a use.
double decayed(double excess, double durability, double uses) {
  return excess * raised(durability, 1 / (uses * std::abs(excess)));
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
}  // namespace engram::core
