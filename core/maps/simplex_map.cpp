// SPDX-License-Identifier: MIT
#include "core/maps/simplex_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <utility>

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

// exp((s - max)/T). The largest is 1, so that no exponential overflows.
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

// scale (s - max)/T, for which the threshold is in [-1, 0).
Vector below_the_top(const Vector& scores, double temperature, double scale) {
  const double top = max(scores);
  Vector z(scores.size());
  for (Index i = 0; i < z.size(); ++i) z[i] = scale * scaled_difference(scores[i], top, temperature);
  return z;
}

// Scores above -1, the lowest possible threshold, in descending order.
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

// tau of p = [z - tau]_+^2 for a given support: the root of a quadratic in its mean and sum of squares.
double square_threshold(double mean, double squares, double count) {
  return mean - std::sqrt(std::max(1.0 - squares, 0.0) / count);
}

// Entmax with alpha 1.5 by the exact algorithm of Peters, Niculae and Martins 2019, with Welford's updates.
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
  sorted.resize(kept);  // sums once more, because the error of sum() does not grow with the count
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

// The first index of the largest number.
Index largest(const Vector& v) {
  Index best = 0;
  for (Index i = 1; i < v.size(); ++i)
    if (v[i] > v[best]) best = i;
  return best;
}

Vector argmax(const Vector& scores) { return Vector::Unit(scores.size(), largest(scores)); }

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

// The sum of clip(z - tau, 0, 1) is piecewise linear in tau, with corners at z and z - 1. Bisects the sorted corners,
// then solves the linear piece. Scores are relative to the k-th best, so tau is in [-1, 0].
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

// (p^alpha - p)/(alpha - 1), and its limit p log p for alpha = 1; 0 for p = 0.
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

// sum() of n equal numbers in O(1) memory.
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
    // For alpha infinity, p only shows the support; tau fulfils the same condition as that of sparsemax.
    if (std::isinf(omega.alpha)) return threshold(SimplexMap::sparsemax, scores, temperature);
    const double relative = log(best / power_mean_norm(omega.alpha, p));
    return top / temperature - (relative == 0 ? 1.0 : exp((omega.alpha - 1) * relative));
  }
  double tau =
      infinity;  // exact for a weight in (0, 1); at a vertex, the bound from the least selected score
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
  require(last >= 0, "sampling needs a weight above 0");
  return last;
}

namespace {

// p^e for p > 0, at most e^600. Near the edge of the simplex the slope of a map with alpha > 2 is unbounded, and a huge
// finite number is more useful than infinity.
double bounded_power(double p, double e) {
  if (e == 0.5) return std::sqrt(p);
  return exp(std::min(e * log(p), 600.0));
}

// With N = |p|_alpha and y_i = N/(alpha-1) (p_i/N)^(2-alpha) (v_i - <p, v>):  J v = y - p sum y.
Vector normmax_product(double alpha, const Vector& p, const Vector& v) {
  Vector y = Vector::Zero(p.size());
  if (std::isinf(alpha)) return y;  // constant: equal weights on the support
  const Index heavy = largest(p);
  const double norm = omega_of({SimplexMap::normmax, alpha}, p);
  Vector shares = y;
  for (Index i = 0; i < p.size(); ++i)
    if (p[i] > 0) shares[i] = p[i] * (v[i] - v[heavy]);
  const double mean = sum(shares);
  for (Index i = 0; i < p.size(); ++i)
    if (p[i] > 0)
      y[i] = norm / (alpha - 1) * bounded_power(p[i] / norm, 2 - alpha) * ((v[i] - v[heavy]) - mean);
  const double total = sum(y);
  for (Index i = 0; i < p.size(); ++i) y[i] -= p[i] * total;
  return y;
}

// (e^x - 1 - x) / x^2 for x >= 0, 1/2 at 0.
double second_remainder(double x) {
  if (x > 0.4) return (expm1(x) - x) / (x * x);
  double series = 1;  // 1/2 (1 + x/3 (1 + x/4 (...)))
  for (int k = 18; k >= 3; --k) series = 1 + series * x / k;
  return 0.5 * series;
}

// With c = alpha - 1, w_i = p_i^(1-c) and r_i = p_i (p_i^-c - 1 + c log p_i)/c^2 (for c = 0, p log^2 p / 2):
//   dp_i/dalpha = w_i / sum w  sum r - r_i.
Vector entmax_in_alpha(double alpha, const Vector& p) {
  const double c = alpha - 1;
  Vector w = Vector::Zero(p.size()), r = w;
  for (Index i = 0; i < p.size(); ++i) {
    if (p[i] <= 0) continue;
    const double log_p = log(p[i]), x = -c * log_p;
    w[i] = bounded_power(p[i], 1 - c);
    r[i] = x > 1 ? (w[i] - p[i] * (1 + x)) / (c * c) : p[i] * log_p * log_p * second_remainder(x);
  }
  const double shared = sum(r) / sum(w);
  for (Index i = 0; i < p.size(); ++i) r[i] = w[i] * shared - r[i];
  return r;
}

// With N = |p|_alpha, a_i = log(p_i/N), M = sum (p_i/N)^alpha a_i and c = alpha - 1:
//   dp_i/dalpha = y_i - p_i sum y,  y_i = (p_i^(1-c) N^c N M/alpha - p_i a_i)/c.
Vector normmax_in_alpha(double alpha, const Vector& p) {
  const double c = alpha - 1, norm = omega_of({SimplexMap::normmax, alpha}, p);
  Vector y = Vector::Zero(p.size()), terms = y;
  for (Index i = 0; i < p.size(); ++i)
    if (p[i] > 0) terms[i] = exp(alpha * log(p[i] / norm)) * log(p[i] / norm);
  const double mean = sum(terms);
  for (Index i = 0; i < p.size(); ++i)
    if (p[i] > 0)
      y[i] = (norm * bounded_power(p[i] / norm, 1 - c) * norm * mean / alpha - p[i] * log(p[i] / norm)) / c;
  const double total = sum(y);
  for (Index i = 0; i < p.size(); ++i) y[i] -= p[i] * total;
  return y;
}

// 1 for weights that change with the scores (sparsemax and budget), else 0.
Vector movable(const Regulariser& omega, const Vector& p) {
  Vector w(p.size());
  for (Index i = 0; i < p.size(); ++i)
    w[i] = p[i] > 0 && (omega.map == SimplexMap::sparsemax || p[i] < 1) ? 1.0 : 0.0;
  return w;
}

Vector entmax_slopes(double alpha, const Vector& p) {
  if (alpha == 1) return p;
  Vector w = Vector::Zero(p.size());
  for (Index i = 0; i < p.size(); ++i)
    if (p[i] > 0) w[i] = bounded_power(p[i], 2 - alpha);
  return w;
}

Vector product_at(const Regulariser& omega, const Vector& p, const Vector& v) {
  switch (omega.map) {
    case SimplexMap::softmax:
      return centred_product(p, v);
    case SimplexMap::normmax:
      return normmax_product(omega.alpha, p, v);
    case SimplexMap::sparsemax:
    case SimplexMap::budget:
      return centred_product(movable(omega, p), v);
    case SimplexMap::entmax:
      if (std::isinf(omega.alpha)) break;
      return centred_product(entmax_slopes(omega.alpha, p), v);
    case SimplexMap::argmax:
      break;
  }
  return Vector::Zero(p.size());
}

}  // namespace

Vector jacobian_product_at(const Regulariser& omega, const Vector& p, const Vector& tangent,
                           double temperature) {
  require_size("tangent", tangent.size(), p.size());
  require_positive("temperature", temperature);
  Vector product = product_at(omega, p, tangent);
  for (double& x : product) x /= temperature;
  return product;
}

Vector derivative_in_alpha_at(const Regulariser& omega, const Vector& p) {
  const bool has_alpha = facts(omega.map).has_alpha;
  require(has_alpha && std::isfinite(omega.alpha),
          "only entmax and normmax with a finite alpha have a derivative in alpha");
  require(p.size() > 0, "a distribution needs at least one weight");
  return omega.map == SimplexMap::entmax ? entmax_in_alpha(omega.alpha, p) : normmax_in_alpha(omega.alpha, p);
}

Vector jacobian_product(const Regulariser& omega, const Vector& scores, const Vector& tangent,
                        double temperature) {
  require_size("tangent", tangent.size(), scores.size());
  return jacobian_product_at(omega, apply(omega, scores, temperature), tangent, temperature);
}

namespace {

constexpr std::size_t lanes = SumInOrder::lane_count;

bool has_full_support(const Regulariser& omega) {
  return omega.map == SimplexMap::softmax || (omega.map == SimplexMap::entmax && omega.alpha == 1);
}

bool selects_the_best(const Regulariser& omega) {
  return omega.map == SimplexMap::argmax || (omega.map == SimplexMap::entmax && std::isinf(omega.alpha));
}

// Whether scores of at most `others` are below the threshold by more than rounding errors.
bool is_below_threshold(const Regulariser& omega, const Vector& scores, double others, double temperature,
                        double top) {
  constexpr double rounding = 1e-9;
  if (selects_the_best(omega)) return others < top * (1 - rounding);
  const double scale = omega.map == SimplexMap::entmax ? omega.alpha - 1 : 1.0;
  const double size = std::max(1.0, scale * top / temperature);
  return scale * others / temperature < threshold(omega, scores, temperature) - rounding * size;
}

}  // namespace

std::optional<SparseVector> weights_of_largest(const Regulariser& omega, Index size,
                                               const std::vector<SparseVector::Entry>& known, double others,
                                               double temperature) {
  const auto winners = static_cast<std::size_t>(omega.map == SimplexMap::budget ? omega.k : 1);
  if (has_full_support(omega) || known.size() < winners) return {};
  charge(4 * known.size());
  std::vector<double> best;
  for (const auto& [i, score] : known) best.push_back(score);
  std::nth_element(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(winners - 1), best.end(),
                   std::greater<>());
  const double top = best[winners - 1], cut = top - temperature * margin(omega) * (1 + 1e-9);
  if (!selects_the_best(omega) && !(top > others)) return {};
  // Puts scores in the lanes of the sums that they have among all scores. Scores without weight fill the gaps.
  std::vector<double> padded;
  std::vector<std::pair<std::uint32_t, std::size_t>> positions;  // in `padded`, by index
  for (const auto& [i, score] : known) {
    if (score < cut) continue;
    while (padded.size() % lanes != i % lanes) padded.push_back(std::min(others, cut));
    positions.emplace_back(i, padded.size());
    padded.push_back(score);
  }
  const Reservation reservation(2 * lanes * sizeof(double) * positions.size());
  const Vector scores = Eigen::Map<const Vector>(padded.data(), static_cast<Index>(padded.size()));
  if (!is_below_threshold(omega, scores, others, temperature, top)) return {};
  const Vector weights = apply(omega, scores, temperature);
  std::vector<SparseVector::Entry> entries;
  for (const auto& [i, position] : positions)
    if (const double p = weights[static_cast<Index>(position)]; p > 0) entries.emplace_back(i, p);
  return SparseVector(size, std::move(entries));
}

}  // namespace engram::core
