// SPDX-License-Identifier: MIT
#include "core/maps/simplex_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "core/maps/power_weights.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void check(const Regulariser& omega) {
  if (omega.map == SimplexMap::entmax)
    require(omega.alpha >= 1, "alpha of entmax must be at least 1", omega.alpha);
  if (omega.map == SimplexMap::normmax)
    require(omega.alpha > 1, "alpha of normmax must be above 1", omega.alpha);
  if (omega.map == SimplexMap::budget) require(omega.k >= 1, "k of a budget must be at least 1", omega.k);
}

void check(const Regulariser& omega, const Vector& scores, double temperature) {
  check(omega);
  require(scores.size() > 0, "a simplex map needs at least one score");
  require_positive("temperature", temperature);
  for (const double s : scores) require(std::isfinite(s), "scores must be finite", s);
  if (omega.map == SimplexMap::budget)
    require(omega.k <= scores.size(), "k of a budget must be at most the number of scores", omega.k);
}

// exp(s/T - max) before normalisation; the shift keeps the largest at 1, so nothing overflows.
Vector shifted_exponentials(const Vector& scores, double temperature) {
  const double top = max(scores);
  Vector p(scores.size());
  for (Index i = 0; i < p.size(); ++i) p[i] = exp(scaled_difference(scores[i], top, temperature));
  return p;
}

Vector softmax(const Vector& scores, double temperature) {
  Vector p = shifted_exponentials(scores, temperature);
  const double total = sum(p);
  for (double& x : p) x /= total;
  return p;
}

// scale (s - max)/T: the threshold is then in [-1, 0) whatever the size of the scores.
Vector below_the_top(const Vector& scores, double temperature, double scale) {
  const double top = max(scores);
  Vector z(scores.size());
  for (Index i = 0; i < z.size(); ++i) z[i] = scale * scaled_difference(scores[i], top, temperature);
  return z;
}

// What is above -1, the lowest threshold there is, the largest first.
std::vector<double> sorted_candidates(const Vector& z) {
  std::vector<double> sorted;
  for (const double x : z)
    if (x > -1) sorted.push_back(x);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  return sorted;
}

Vector sparsemax(const Vector& scores, double temperature) {
  const Vector z = below_the_top(scores, temperature, 1.0);
  const std::vector<double> sorted = sorted_candidates(z);
  std::size_t kept = 0;
  for (double cumulative = 0; kept < sorted.size(); ++kept) {
    cumulative += sorted[kept];
    if (1.0 + static_cast<double>(kept + 1) * sorted[kept] <= cumulative) break;
  }
  const double tau = (sum(std::span(sorted.data(), kept)) - 1.0) / static_cast<double>(kept);
  Vector p(z.size());
  for (Index i = 0; i < p.size(); ++i) p[i] = std::max(z[i] - tau, 0.0);
  return p;
}

// tau of p = [z - tau]_+^2 if exactly these have weight: a root of a quadratic, from their mean and variance.
double square_threshold(double mean, double squares, double count) {
  return mean - std::sqrt(std::max(1.0 - squares, 0.0) / count);
}

// The exact sort of Peters, Niculae and Martins 2019, with Welford's updates of mean and squares.
Vector entmax_by_squares(const Vector& scores, double temperature) {
  const Vector z = below_the_top(scores, temperature, 0.5);
  std::vector<double> sorted = sorted_candidates(z);
  std::size_t kept = 0;
  for (double mean = 0, squares = 0; kept < sorted.size(); ++kept) {
    const auto count = static_cast<double>(kept + 1);
    const double from_mean = sorted[kept] - mean;
    const double new_mean = mean + from_mean / count;
    const double new_squares = squares + from_mean * (sorted[kept] - new_mean);
    if (square_threshold(new_mean, new_squares, count) > sorted[kept]) break;
    mean = new_mean, squares = new_squares;
  }
  sorted.resize(kept);  // once more in the order of sum, whose error does not grow with the number
  const auto count = static_cast<double>(kept);
  const double mean = sum(std::span<const double>(sorted)) / count;
  for (double& x : sorted) x -= mean;
  const double tau = square_threshold(mean, dot(sorted, sorted), count);
  Vector p(z.size());
  for (Index i = 0; i < p.size(); ++i) p[i] = z[i] > tau ? (z[i] - tau) * (z[i] - tau) : 0.0;
  const double total = sum(p);
  for (double& x : p) x /= total;
  return p;
}

Vector argmax(const Vector& scores) {
  Index best = 0;
  for (Index i = 1; i < scores.size(); ++i)
    if (scores[i] > scores[best]) best = i;
  return Vector::Unit(scores.size(), best);
}

Vector entmax(double alpha, const Vector& scores, double temperature) {
  if (alpha == 1) return softmax(scores, temperature);
  if (alpha == 1.5) return entmax_by_squares(scores, temperature);
  if (alpha == 2) return sparsemax(scores, temperature);
  if (std::isinf(alpha)) return argmax(scores);
  const double power = 1 / (alpha - 1);
  return power_weights({alpha - 1, power, power}, scores, temperature);
}

Vector normmax(double alpha, const Vector& scores, double temperature) {
  const double power = 1 / (alpha - 1);
  return power_weights({1.0, 1 + power, power}, scores, temperature);
}

double clip(double x) { return std::clamp(x, 0.0, 1.0); }

// Sum of clip(z - tau, 0, 1) falls in straight lines between its corners z and z - 1: halve their sorted
// list, then solve for the line found. Shifted by the k-th best score, which puts tau in [-1, 0].
Vector budget(Index k, const Vector& scores, double temperature) {
  std::vector<double> sorted(scores.begin(), scores.end());
  std::nth_element(sorted.begin(), sorted.begin() + (k - 1), sorted.end(), std::greater<>());
  const double kth = sorted[static_cast<std::size_t>(k - 1)];
  Vector z(scores.size());
  for (Index i = 0; i < z.size(); ++i)
    z[i] = std::clamp(scaled_difference(scores[i], kth, temperature), -2.0, 2.0);
  std::vector<double> corners{-1.0, 0.0};
  for (const double x : z) {
    if (x > -1 && x < 0) corners.push_back(x);
    if (x > 0 && x < 1) corners.push_back(x - 1);
  }
  std::sort(corners.begin(), corners.end());
  Vector p(z.size());
  const auto used = [&](double tau) {
    for (Index i = 0; i < p.size(); ++i) p[i] = clip(z[i] - tau);
    return sum(p);
  };
  std::size_t low = 0, high = corners.size() - 1;
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (used(corners[middle]) >= static_cast<double>(k) ? low : high) = middle;
  }
  std::vector<double> between;
  Index ones = 0;
  for (const double x : z) {
    if (x - 1 >= corners[high])
      ++ones;
    else if (x > corners[low])
      between.push_back(x);
  }
  used(between.empty() ? corners[low]
                       : (sum(std::span<const double>(between)) - static_cast<double>(k - ones)) /
                             static_cast<double>(between.size()));
  return p;
}

double power_mean_norm(double alpha, const Vector& p) {
  const double top = max(p);
  if (std::isinf(alpha)) return top;
  Vector terms(p.size());
  for (Index i = 0; i < p.size(); ++i) terms[i] = p[i] > 0 ? exp(alpha * log(p[i] / top)) : 0.0;
  return top * exp(log(sum(terms)) / alpha);
}

// (p^alpha - p)/(alpha - 1), and its limit p log p at alpha = 1; 0 for no weight.
double tsallis_term(double alpha, double p) {
  if (!(p > 0)) return 0;
  return alpha == 1 ? p * log(p) : p * (expm1((alpha - 1) * log(p)) / (alpha - 1));
}

double tsallis(double alpha, const Vector& p) {
  if (std::isinf(alpha)) return 0;
  Vector terms(p.size());
  for (Index i = 0; i < p.size(); ++i) terms[i] = tsallis_term(alpha, p[i]);
  return sum(terms) / alpha;
}

// sum() of n equal numbers, without room for all of them.
double sum_of_equal(double x, Index n) {
  std::array<double, 4096> some;
  some.fill(x);
  SumInOrder total;
  const auto all = static_cast<std::size_t>(n);
  for (std::size_t i = 0; i < all; i += some.size())
    total.add(i, std::span<const double>(some).first(std::min(some.size(), all - i)));
  return total.total();
}

}  // namespace

Vector apply(const Regulariser& omega, const Vector& scores, double temperature) {
  check(omega, scores, temperature);
  charge(16 * static_cast<std::uint64_t>(scores.size()));
  switch (omega.map) {
    case SimplexMap::softmax:
      return softmax(scores, temperature);
    case SimplexMap::sparsemax:
      return sparsemax(scores, temperature);
    case SimplexMap::entmax:
      return entmax(omega.alpha, scores, temperature);
    case SimplexMap::normmax:
      return normmax(omega.alpha, scores, temperature);
    case SimplexMap::budget:
      return budget(omega.k, scores, temperature);
    case SimplexMap::argmax:
      break;
  }
  return argmax(scores);
}

double omega_of(const Regulariser& omega, const Vector& p) {
  check(omega);
  switch (omega.map) {
    case SimplexMap::softmax:
      return tsallis(1, p);
    case SimplexMap::entmax:
      return tsallis(omega.alpha, p);
    case SimplexMap::normmax:
      return power_mean_norm(omega.alpha, p);
    case SimplexMap::sparsemax:
    case SimplexMap::budget:
      return 0.5 * dot(p, p);
    case SimplexMap::argmax:
      break;
  }
  return 0;
}

double omega_uniform(const Regulariser& omega, Index n) {
  check(omega);
  require(n > 0, "a distribution needs at least one weight");
  const double total = omega.map == SimplexMap::budget ? static_cast<double>(omega.k) : 1.0;
  const double p = total / static_cast<double>(n);
  switch (omega.map) {
    case SimplexMap::softmax:
      return sum_of_equal(tsallis_term(1, p), n);
    case SimplexMap::entmax:
      return std::isinf(omega.alpha) ? 0 : sum_of_equal(tsallis_term(omega.alpha, p), n) / omega.alpha;
    case SimplexMap::normmax:
      return std::isinf(omega.alpha) ? p : p * exp(log(sum_of_equal(1, n)) / omega.alpha);
    case SimplexMap::sparsemax:
    case SimplexMap::budget:
      return 0.5 * sum_of_equal(p * p, n);
    case SimplexMap::argmax:
      break;
  }
  return 0;
}

double programme_value(const Regulariser& omega, const Vector& scores, double temperature) {
  check(omega, scores, temperature);
  const double top = max(scores);
  if (omega.map == SimplexMap::softmax)
    return top + temperature * log(sum(shifted_exponentials(scores, temperature)));
  const Vector p = apply(omega, scores, temperature);
  Vector terms = Vector::Zero(p.size());
  for (Index i = 0; i < p.size(); ++i)
    if (p[i] > 0) terms[i] = p[i] * scaled_difference(scores[i], top, temperature);
  const double total = omega.map == SimplexMap::budget ? static_cast<double>(omega.k) : 1.0;
  return total * top + temperature * (sum(terms) - omega_of(omega, p));
}

double margin(const Regulariser& omega) {
  check(omega);
  if (omega.map == SimplexMap::softmax) return infinity;
  if (omega.map == SimplexMap::argmax) return 0;
  return omega.map == SimplexMap::entmax ? 1 / (omega.alpha - 1) : 1;
}

double threshold(const Regulariser& omega, const Vector& scores, double temperature) {
  const bool none = omega.map == SimplexMap::softmax || omega.map == SimplexMap::argmax;
  require(!none, "softmax and argmax have no threshold");
  if (omega.map == SimplexMap::entmax)
    require(omega.alpha > 1 && std::isfinite(omega.alpha),
            "entmax has a threshold for alpha in (1, infinity)");
  const Vector p = apply(omega, scores, temperature);
  const double top = max(scores), best = max(p);
  if (omega.map == SimplexMap::sparsemax) return top / temperature - best;
  if (omega.map == SimplexMap::entmax)
    return (omega.alpha - 1) * (top / temperature) - exp((omega.alpha - 1) * log(best));
  if (omega.map == SimplexMap::normmax) {
    // At infinity p tells no more than who is in; the condition that fixes tau is sparsemax's.
    if (std::isinf(omega.alpha)) return threshold(SimplexMap::sparsemax, scores, temperature);
    const double relative = log(best / power_mean_norm(omega.alpha, p));
    return top / temperature - (relative == 0 ? 1.0 : exp((omega.alpha - 1) * relative));
  }
  double tau = infinity;  // a weight within (0, 1) tells; at a vertex, the least score that has all
  for (Index i = 0; i < p.size(); ++i)
    if (p[i] > 0) tau = std::min(tau, scores[i] / temperature - p[i]);
  return tau;
}

std::vector<Index> support(const Vector& p) {
  std::vector<Index> indices;
  for (Index i = 0; i < p.size(); ++i)
    if (p[i] > 0) indices.push_back(i);
  return indices;
}

Index sample(const Vector& p, double uniform) {
  require(uniform >= 0 && uniform < 1, "a uniform number must be in [0, 1)", uniform);
  charge(static_cast<std::uint64_t>(p.size()));
  Index last = -1;
  double cumulative = 0;
  for (Index i = 0; i < p.size(); ++i) {
    cumulative += p[i];
    if (uniform < cumulative) return i;
    if (p[i] > 0) last = i;
  }
  require(last >= 0, "nothing to sample from: no weight is above 0");
  return last;
}

}  // namespace engram::core
