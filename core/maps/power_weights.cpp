// SPDX-License-Identifier: MIT
#include "core/maps/power_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

struct Item {
  Index index;
  double score, log_mass;
};

double total(const std::vector<double>& terms) { return sum(std::span<const double>(terms)); }

// Root of an increasing function in [low, high]; `at` returns value and slope. Newton steps from the high end, with a
// bisection if a step leaves the bracket or after newton_steps.
template <class F>
double increasing_root(double low, double high, F at) {
  constexpr int newton_steps = 50, all_steps = 150;  // 100 bisections exhaust the digits of a double
  double x = high;
  for (int step = 0; step < all_steps; ++step) {
    const auto [value, slope] = at(x);
    if (value == 0) break;
    (value < 0 ? low : high) = x;
    double next = x - value / slope;
    if (step >= newton_steps || !(next > low && next < high)) next = low + 0.5 * (high - low);
    const double moved = std::abs(next - x);
    x = next;
    if (moved <= 2 * std::numeric_limits<double>::epsilon() * std::max(1.0, std::abs(x))) break;
  }
  return x;
}

// The items that can have a weight, and the best score. u_best^q m_best <= 1 bounds u_best; an item has no weight if
// a (s_best - s)/T exceeds the bound.
std::vector<Item> candidates(const PowerLaw& law, const Vector& scores, double temperature,
                             const Vector& masses, double& best) {
  const auto mass = [&](Index i) { return masses.size() > 0 ? masses[i] : 1.0; };
  Index top = -1;
  for (Index i = 0; i < scores.size(); ++i)
    if (mass(i) > 0 && (top < 0 || scores[i] > scores[top])) top = i;
  best = scores[top];
  const double bound = masses.size() > 0 ? exp(-log(mass(top)) / law.exponent) * (1 + 1e-9) : 1.0;
  std::vector<Item> items;
  for (Index i = 0; i < scores.size(); ++i)
    if (mass(i) > 0 &&
        (scores[i] == best || law.slope * scaled_difference(scores[i], best, temperature) > -bound))
      items.push_back({i, scores[i], log(mass(i))});
  return items;
}

// Weights for r >= 1. With L = q log u_best, solves  L + log sum m_i (1 + x_i)_+^q = 0,
// x_i = a (s_i - best)/(T u_best).
std::vector<double> weights_from_best(const PowerLaw& law, const std::vector<Item>& items, double best,
                                      double temperature) {
  std::vector<double> below(items.size()), terms(items.size()), slopes(items.size());
  double all = 0, top = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < items.size(); ++i) {
    below[i] = law.slope * scaled_difference(items[i].score, best, temperature);
    all += exp(items[i].log_mass);
    if (below[i] == 0) top = std::max(top, items[i].log_mass);
  }
  const auto powers = [&](double u, double power) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const double x = below[i] / u;
      terms[i] = x > -1 ? exp(power * log1p(x) + items[i].log_mass) : 0.0;
      slopes[i] = x > -1 ? terms[i] / (1 + x) : 0.0;
    }
  };
  const double root = increasing_root(-log(all), -top, [&](double log_u) {
    powers(exp(log_u / law.exponent), law.exponent);
    const double sum_of_terms = total(terms);
    return std::pair(log_u + log(sum_of_terms), total(slopes) / sum_of_terms);
  });
  powers(exp(root / law.exponent), law.power);
  return terms;
}

// Weights for r < 1. With v = u of the last item in the support and L = q log v, solves  log sum m_i (v + d_i)^q = 0,
// d_i = a (s_i - s_last)/T. The function is convex in L, so Newton steps from above decrease to the root.
std::vector<double> weights_from_last(const PowerLaw& law, std::vector<Item>& items, double temperature) {
  std::ranges::sort(items, [](const Item& a, const Item& b) {
    return a.score != b.score ? a.score > b.score : a.index < b.index;
  });
  std::vector<double> above, terms, slopes;
  const auto powers = [&](double log_v, double power) {  // v may underflow, but not its powers
    const double v = exp(log_v / law.exponent);
    for (std::size_t i = 0; i < above.size(); ++i) {
      const double log_u = above[i] == 0 ? log_v / law.exponent : log(v + above[i]);
      terms[i] = exp(power * log_u + items[i].log_mass);
      slopes[i] = above[i] == 0 ? terms[i] : terms[i] * (v / (v + above[i]));
    }
  };
  const auto take = [&](std::size_t count) {
    above.resize(count), terms.resize(count), slopes.resize(count);
    for (std::size_t i = 0; i < count; ++i)
      above[i] = law.slope * scaled_difference(items[i].score, items[count - 1].score, temperature);
  };
  constexpr double nothing = -std::numeric_limits<double>::infinity();
  std::size_t kept = 1, dropped = items.size() +
                                  1;  // bisects the size of the support: the sum for v = 0 must be below 1
  while (dropped - kept > 1) {
    const std::size_t middle = kept + (dropped - kept) / 2;
    take(middle);
    powers(nothing, law.exponent);
    (total(terms) < 1 ? kept : dropped) = middle;
  }
  take(kept);
  double all = 0;
  for (std::size_t i = 0; i < kept; ++i) all += exp(items[i].log_mass);
  constexpr double vanished = -1500;  // e^-745 is 0
  const double root = increasing_root(vanished, -log(all), [&](double log_v) {
    powers(log_v, law.exponent);
    const double sum_of_terms = total(terms);
    return std::pair(log(sum_of_terms), total(slopes) / sum_of_terms);
  });
  powers(root, law.power);
  return terms;
}

}  // namespace

Vector power_weights(const PowerLaw& law, const Vector& scores, double temperature, const Vector& masses) {
  double best = 0;
  std::vector<Item> items = candidates(law, scores, temperature, masses, best);
  const std::vector<double> weights = law.power >= 1 ? weights_from_best(law, items, best, temperature)
                                                     : weights_from_last(law, items, temperature);
  const double all = total(weights);
  Vector p = Vector::Zero(scores.size());
  for (std::size_t i = 0; i < weights.size(); ++i) p[items[i].index] = weights[i] / all;
  return p;
}

}  // namespace engram::core
