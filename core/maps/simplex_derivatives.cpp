// SPDX-License-Identifier: MIT
// The derivatives of core/maps/simplex_map.hpp.
#include <algorithm>
#include <cmath>

#include "core/maps/simplex_map.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

// p^e for p > 0, held below e^600: next to the edge of the simplex the slope of a map with alpha > 2 has no
// bound, and a finite huge number serves better than an infinite one.
double bounded_power(double p, double e) {
  if (e == 0.5) return std::sqrt(p);
  return exp(std::min(e * log(p), 600.0));
}

Index largest(const Vector& v) {
  Index best = 0;
  for (Index i = 1; i < v.size(); ++i)
    if (v[i] > v[best]) best = i;
  return best;
}

// With N = |p|_alpha and y_i = N/(alpha-1) (p_i/N)^(2-alpha) (v_i - <p, v>):  J v = y - p sum y.
Vector normmax_product(double alpha, const Vector& p, const Vector& v) {
  Vector y = Vector::Zero(p.size());
  if (std::isinf(alpha)) return y;  // equal weights on the support, whatever the scores within it
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

// On what can move, sparsemax and budget move together: weights 1 there.
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
          "only entmax and normmax with a finite alpha depend on it");
  require(p.size() > 0, "a distribution needs at least one weight");
  return omega.map == SimplexMap::entmax ? entmax_in_alpha(omega.alpha, p) : normmax_in_alpha(omega.alpha, p);
}

Vector jacobian_product(const Regulariser& omega, const Vector& scores, const Vector& tangent,
                        double temperature) {
  require_size("tangent", tangent.size(), scores.size());
  return jacobian_product_at(omega, apply(omega, scores, temperature), tangent, temperature);
}

}  // namespace engram::core
