// SPDX-License-Identifier: MIT
#include "core/maps/prior_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/maps/power_weights.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

bool is_kl(const Prior& prior) {
  return prior.form == PriorForm::kl || (prior.form == PriorForm::alpha && prior.alpha == 1);
}

void check(const Prior& prior, Index size) {
  require_size("prior", prior.q.size(), size);
  for (const double q : prior.q) require(q >= 0, "a prior must be at least 0", q);
  const double total = sum(prior.q);
  require(std::isfinite(total), "a prior must have a finite sum");
  require(total > 0 || prior.form == PriorForm::euclidean, "a prior must be above 0 somewhere");
  if (prior.form == PriorForm::alpha)
    require(prior.alpha >= 1 && std::isfinite(prior.alpha), "alpha of a prior must be at least 1 and finite",
            prior.alpha);
}

void check(const Prior& prior, const Vector& scores, double temperature) {
  require(scores.size() > 0, "a simplex map needs at least one score");
  require_positive("temperature", temperature);
  for (const double s : scores) require(std::isfinite(s), "scores must be finite", s);
  check(prior, scores.size());
}

// softmax of s/T + log q. Logarithms avoid overflow for huge scores and tiny q.
Vector tilted(const Vector& q, const Vector& scores, double temperature) {
  const auto above = [&](Index i, Index j) {  // difference of exponents; q[j] > 0
    return scaled_difference(scores[i], scores[j], temperature) + (log(q[i]) - log(q[j]));
  };
  Index top = -1;
  for (Index i = 0; i < q.size(); ++i)
    if (q[i] > 0 && (top < 0 || above(i, top) > 0)) top = i;
  Vector p(q.size());
  for (Index i = 0; i < q.size(); ++i) p[i] = q[i] > 0 ? exp(above(i, top)) : 0.0;
  return p / sum(p);
}

// 1 - sum q by Neumaier's compensated summation, because a high temperature magnifies its error.
double missing_mass(const Vector& q) {
  double total = 1, lost = 0;
  for (const double x : q) {
    const double next = total - x;
    lost += std::abs(total) >= x ? (total - next) - x : (-x - next) + total;
    total = next;
  }
  return total + lost;
}

// q (u^alpha - 1 - alpha (u - 1))/(alpha (alpha - 1)), u = p/q: the distance of phi from its tangent at u = 1.
double above_tangent(double alpha, double p, double q) {
  if (q == 0) return p > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  const double off = (p - q) / q;
  if (std::abs(off) * alpha < 0.1) {  // by its series, because the difference cancels
    double series = 1;
    for (int k = 18; k >= 3; --k) series = 1 + series * off * (alpha - (k - 1)) / k;
    return 0.5 * q * off * off * series;
  }
  if (p == 0) return q / alpha;
  const double log_u = log(p) - log(q), c = alpha - 1;
  return (p * (c == 0 ? log_u : expm1(c * log_u) / c) - (p - q)) / alpha;
}

// Scores whose sparsemax is the euclidean form. They are relative to the best score, so large scores lose no digits.
Vector scores_with_prior(const Prior& prior, const Vector& scores, double temperature) {
  const double top = max(scores);
  Vector moved(scores.size());
  for (Index i = 0; i < moved.size(); ++i)  // a score below -1e300 gets no weight, and must be finite
    moved[i] = std::max(scaled_difference(scores[i], top, temperature), -1e300) + prior.q[i];
  return moved;
}

// -a b for b >= 0, at least -1e300, for which the weight is 0.
double prior_exponent(double a, double b) { return a == 0 || b == 0 ? 0.0 : std::max(-a * b, -1e300); }

}  // namespace

Vector apply(const Prior& prior, const Vector& scores, double temperature) {
  check(prior, scores, temperature);
  if (prior.form == PriorForm::euclidean)
    return apply(SimplexMap::sparsemax, scores_with_prior(prior, scores, temperature));
  if (is_kl(prior)) return tilted(prior.q, scores, temperature);
  const double power = 1 / (prior.alpha - 1);
  return power_weights({prior.alpha - 1, power, power}, scores, temperature, prior.q);
}

double divergence(const Prior& prior, const Vector& p) {
  check(prior, p.size());
  if (prior.form == PriorForm::euclidean) {
    const Vector difference = p - prior.q;
    return 0.5 * dot(difference, difference);
  }
  // The tangents add up to (sum p - sum q)/alpha. Without them no term is much larger than D if p is close to q.
  const double alpha = is_kl(prior) ? 1.0 : prior.alpha;
  Vector terms(p.size());
  for (Index i = 0; i < p.size(); ++i) terms[i] = above_tangent(alpha, p[i], prior.q[i]);
  return sum(terms) + missing_mass(prior.q) / alpha;
}

double programme_value(const Prior& prior, const Vector& scores, double temperature) {
  check(prior, scores, temperature);
  const Vector p = apply(prior, scores, temperature);
  const double top = max(scores);
  Vector terms = Vector::Zero(p.size());
  for (Index i = 0; i < p.size(); ++i)
    if (p[i] > 0) terms[i] = p[i] * scaled_difference(scores[i], top, temperature);
  return top + temperature * (sum(terms) - divergence(prior, p));
}

Vector jacobian_product(const Prior& prior, const Vector& scores, const Vector& tangent, double temperature) {
  require_size("tangent", tangent.size(), scores.size());
  const Vector p = apply(prior, scores, temperature);
  if (prior.form == PriorForm::euclidean)
    return jacobian_product_at(SimplexMap::sparsemax, p, tangent, temperature);
  if (is_kl(prior)) return jacobian_product_at(SimplexMap::softmax, p, tangent, temperature);
  Vector w = Vector::Zero(p.size());  // p (q/p)^(alpha-1), bounded like entmax
  for (Index i = 0; i < p.size(); ++i)
    if (p[i] > 0) w[i] = exp(std::min(log(p[i]) + (prior.alpha - 1) * (log(prior.q[i]) - log(p[i])), 600.0));
  Vector product = centred_product(w, tangent);
  for (double& x : product) x /= temperature;
  return product;
}

Vector age_prior(const Vector& ages, double rate) {
  require(ages.size() > 0, "a prior needs at least one age");
  require(ages.allFinite() && std::isfinite(rate), "ages and their rate must be finite");
  const double best = rate < 0 ? ages.maxCoeff() : ages.minCoeff();
  Vector exponents(ages.size());
  for (Index i = 0; i < ages.size(); ++i) exponents[i] = prior_exponent(ages[i] - best, rate);
  return apply(SimplexMap::softmax, exponents);
}

Vector kernel_prior(const Vector& distances, double bandwidth) {
  require(distances.size() > 0, "a prior needs at least one distance");
  require(distances.allFinite(), "distances must be finite");
  require_positive("the bandwidth", bandwidth);
  const double nearest = distances.cwiseAbs().minCoeff();
  Vector q(distances.size());
  for (Index i = 0; i < q.size(); ++i) {  // u^2 - v^2 as a product, because a difference of squares cancels
    const double distance = std::abs(distances[i]);
    q[i] =
        prior_exponent((distance - nearest) / bandwidth, 0.5 * (distance / bandwidth + nearest / bandwidth));
  }
  return apply(SimplexMap::softmax, q);
}

}  // namespace engram::core
