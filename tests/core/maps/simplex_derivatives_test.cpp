// SPDX-License-Identifier: MIT
// Tests of the derivatives of core/maps/simplex_map.hpp: differences and theoretical properties.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/maps/simplex_map.hpp"
#include "tests/core/regularisers.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

using samples::name_of;
using samples::regularisers;

// Whether all weights are far enough from 0 (budget: and 1) that a step does not change the support.
bool clear_of_edges(const Vector& p, double room) {
  bool clear = true;
  for (const double x : p) clear = clear && (x == 0 || x > room) && (x == 1 || x < 1 - room);
  return clear;
}
bool same_pattern(const Vector& a, const Vector& b) {
  bool same = true;
  for (Index i = 0; i < a.size(); ++i) same = same && (a[i] > 0) == (b[i] > 0) && (a[i] < 1) == (b[i] < 1);
  return same;
}

TEST_CASE("the gradient of programme_value is the distribution, by differences", "[core][simplex_map]") {
  Rng rng(9, "simplex_map_test gradient");
  constexpr double h = 1e-5;
  for (int trial = 0; trial < 100; ++trial) {
    const Vector s = samples::normal_vector(rng, 1 + static_cast<Index>(rng.below(7)));
    const double temperature = 0.5 + rng.uniform();
    for (const Regulariser& omega : regularisers(s.size())) {
      if (omega.map == SimplexMap::argmax) continue;
      INFO(name_of(omega));
      const Vector p = apply(omega, s, temperature);
      for (Index i = 0; i < s.size(); ++i) {
        const Vector e = Vector::Unit(s.size(), i) * h;
        const double slope =
            (programme_value(omega, s + e, temperature) - programme_value(omega, s - e, temperature)) /
            (2 * h);
        // h^2 if smooth, h/(4T) if the support changes within the step, and its root for alpha 3
        REQUIRE(std::abs(slope - p[i]) < (omega.alpha > 2 ? 1e-2 : 2e-5));
      }
    }
  }
}

TEST_CASE("J v is the derivative of p along v, by differences", "[core][simplex_map]") {
  Rng rng(20, "simplex_map_test jacobian");
  constexpr double h = 1e-6;
  int compared = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Vector s = samples::normal_vector(rng, 1 + static_cast<Index>(rng.below(7)));
    const Vector v = samples::normal_vector(rng, s.size());
    const double temperature = 0.5 + rng.uniform();
    for (const Regulariser& omega : regularisers(s.size())) {
      INFO(name_of(omega));
      const Vector p = apply(omega, s, temperature);
      const Vector forth = apply(omega, s + h * v, temperature), back = apply(omega, s - h * v, temperature);
      if (!clear_of_edges(p, 1e-2) || !same_pattern(p, forth) || !same_pattern(p, back)) continue;
      const Vector product = jacobian_product(omega, s, v, temperature);
      // rounding of p divided by h, and h^2 times third derivatives (for alpha 3 up to p^-5)
      REQUIRE(samples::distance(product, (forth - back) / (2 * h)) < (omega.alpha > 2 ? 1e-4 : 1e-8));
      REQUIRE(product == jacobian_product_at(omega, p, v, temperature));
      ++compared;
    }
  }
  CHECK(compared > 1500);
}

TEST_CASE("J is symmetric and positive semidefinite, and J v = 0 for constant v", "[core][simplex_map]") {
  Rng rng(21, "simplex_map_test symmetry");
  for (int trial = 0; trial < 300; ++trial) {
    const Vector s = samples::random_scores(rng, 1 + static_cast<Index>(rng.below(40)));
    const Vector u = samples::normal_vector(rng, s.size()), v = samples::normal_vector(rng, s.size());
    for (const Regulariser& omega : regularisers(s.size())) {
      INFO(name_of(omega));
      const Vector ju = jacobian_product(omega, s, u), jv = jacobian_product(omega, s, v);
      // sums of up to 40 products of this size; with alpha 3 they contain 1/p
      const double rounding = 1e-13 * (1 + ju.cwiseAbs().maxCoeff() + jv.cwiseAbs().maxCoeff()) * 40;
      REQUIRE(std::abs(v.dot(ju) - u.dot(jv)) <= rounding);
      REQUIRE(v.dot(jv) >= -rounding);
      REQUIRE(std::abs(jv.sum()) <= rounding);
      REQUIRE(jacobian_product(omega, s, Vector::Constant(s.size(), 3.5)).cwiseAbs().maxCoeff() <= 1e-15);
      const Vector p = apply(omega, s);
      for (Index i = 0; i < s.size(); ++i) REQUIRE((p[i] > 0 || jv[i] == 0));
    }
  }
}

TEST_CASE("J of small cases computed by hand", "[core][simplex_map]") {
  const Vector s = samples::vector({std::log(2.0), 0}), v = samples::vector({1, 0});
  // softmax (2, 1)/3: p q (1, -1)/T
  CHECK(samples::distance(jacobian_product(SimplexMap::softmax, s, v, 1.0),
                          samples::vector({2. / 9, -2. / 9})) < 1e-15);
  CHECK(samples::distance(jacobian_product(SimplexMap::sparsemax, s, v, 2.0),
                          samples::vector({0.25, -0.25})) < 1e-15);
  // entmax 1.5 of equal scores: w = 1/sqrt 2 each, w/2 (1, -1)
  CHECK(samples::distance(jacobian_product({SimplexMap::entmax, 1.5}, Vector::Zero(2), v),
                          samples::vector({std::sqrt(0.125), -std::sqrt(0.125)})) < 1e-15);
  // normmax 2 of equal scores: N = sqrt(1/2), y = N/2 (1, -1)
  CHECK(samples::distance(jacobian_product({SimplexMap::normmax, 2.0}, Vector::Zero(2), v),
                          samples::vector({std::sqrt(0.125), -std::sqrt(0.125)})) < 1e-15);
  // budget of two for three scores: all weights fractional, I - 1/3
  CHECK(samples::distance(
            jacobian_product({SimplexMap::budget, 1.5, 2}, Vector::Zero(3), samples::vector({1, 0, 0})),
            samples::vector({2. / 3, -1. / 3, -1. / 3})) < 1e-15);
  const Vector none = Vector::Zero(2);
  CHECK(jacobian_product(SimplexMap::argmax, s, v) == none);
  CHECK(jacobian_product({SimplexMap::entmax, std::numeric_limits<double>::infinity()}, s, v) == none);
  CHECK(jacobian_product({SimplexMap::normmax, std::numeric_limits<double>::infinity()}, s, v) == none);
  for (const Regulariser& omega : regularisers(1))
    CHECK(jacobian_product(omega, Vector::Ones(1), Vector::Ones(1)) == Vector(Vector::Zero(1)));
  // If one weight is nearly 1, the product is as small as the other weight, and accurate.
  CHECK(std::abs(jacobian_product(SimplexMap::softmax, samples::vector({40, 0}), v)[0] / std::exp(-40.0) -
                 1) < 1e-14);
}

TEST_CASE("J v is finite for huge and tiny scores", "[core][simplex_map]") {
  const Vector v = samples::vector({1, -2, 3});
  for (const Regulariser& omega : regularisers(3)) {
    INFO(name_of(omega));
    for (const Vector& s : {samples::vector({1e4, -1e4, 9999.5}), samples::vector({1e-300, 0, -1e-300}),
                            samples::vector({1e308, -1e308, 0})})
      CHECK(jacobian_product(omega, s, v).allFinite());
    CHECK(jacobian_product_at(omega, samples::vector({1 - 1e-16, 1e-300, 0}), v).allFinite());
  }
}

// Whether p is differentiable in the map's alpha.
Vector derivative_in_alpha(const Regulariser& omega, const Vector& scores, double temperature = 1.0) {
  return derivative_in_alpha_at(omega, apply(omega, scores, temperature));
}

bool has_alpha(const Regulariser& omega) { return facts(omega.map).has_alpha; }

TEST_CASE("dp/dalpha agrees with differences", "[core][simplex_map]") {
  Rng rng(22, "simplex_map_test alpha");
  constexpr double h = 1e-5;
  int compared = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Vector s = samples::normal_vector(rng, 1 + static_cast<Index>(rng.below(7)));
    const double temperature = 0.5 + rng.uniform();
    for (const Regulariser& omega : regularisers(s.size())) {
      if (!has_alpha(omega)) continue;
      INFO(name_of(omega));
      const auto p = [&](double alpha) { return apply({omega.map, alpha}, s, temperature); };
      const double alpha = omega.alpha;
      if (!clear_of_edges(p(alpha), 1e-2) || !same_pattern(p(alpha), p(alpha + 2 * h))) continue;
      if (alpha > 1 && !same_pattern(p(alpha), p(alpha - h))) continue;
      const Vector slope = alpha > 1 ? Vector((p(alpha + h) - p(alpha - h)) / (2 * h))
                                     : Vector((4 * p(1 + h) - 3 * p(1) - p(1 + 2 * h)) / (2 * h));
      const Vector derivative = derivative_in_alpha(omega, s, temperature);
      // rounding divided by h, and h^2 times third derivatives
      REQUIRE(samples::distance(derivative, slope) < (alpha > 2 ? 1e-4 : alpha == 1 ? 1e-7 : 2e-8));
      REQUIRE(derivative == derivative_in_alpha_at(omega, p(alpha)));
      REQUIRE(std::abs(derivative.sum()) < 1e-13);  // p sums to 1 for every alpha
      ++compared;
    }
  }
  CHECK(compared > 1000);
}

TEST_CASE("dp/dalpha is accurate near alpha = 1 and right in cases computed by hand", "[core][simplex_map]") {
  Rng rng(23, "simplex_map_test alpha one");
  for (int trial = 0; trial < 200; ++trial) {
    const Vector s = samples::normal_vector(rng, 1 + static_cast<Index>(rng.below(12))) * 2;
    const Vector at_one = derivative_in_alpha({SimplexMap::entmax, 1}, s);
    Vector by_hand(s.size());  // p (mean of log^2 p - log^2 p)/2
    const Vector p = apply(SimplexMap::softmax, s);
    double mean = 0;
    for (const double x : p) mean += x * std::log(x) * std::log(x);
    for (Index i = 0; i < s.size(); ++i) by_hand[i] = 0.5 * p[i] * (mean - std::log(p[i]) * std::log(p[i]));
    REQUIRE(samples::distance(at_one, by_hand) < 1e-13);
    // the second derivative is at most about log^4 p, 1e4 here
    for (const double c : {1e-15, 1e-12, 1e-9})
      REQUIRE(samples::distance(derivative_in_alpha({SimplexMap::entmax, 1 + c}, s), at_one) <
              1e-13 + 1e4 * c);
  }
  for (const double alpha : {1.2, 2.0, 3.0}) {  // equal scores have equal weights for every alpha
    CHECK(derivative_in_alpha({SimplexMap::entmax, alpha}, Vector::Zero(4)).cwiseAbs().maxCoeff() < 1e-15);
    CHECK(derivative_in_alpha({SimplexMap::normmax, alpha}, Vector::Zero(4)).cwiseAbs().maxCoeff() < 1e-15);
    CHECK(derivative_in_alpha({SimplexMap::entmax, alpha}, samples::vector({1e4, -1e4})) ==
          samples::vector({0, 0}));
    CHECK(derivative_in_alpha({SimplexMap::normmax, alpha}, Vector::Ones(1)) == Vector(Vector::Zero(1)));
  }
}

TEST_CASE("maps without alpha have no derivative in alpha", "[core][simplex_map]") {
  for (const Regulariser& omega : regularisers(2)) {
    INFO(name_of(omega));
    if (!has_alpha(omega))
      CHECK_THROWS_AS(derivative_in_alpha(omega, Vector::Ones(2)), std::invalid_argument);
  }
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(derivative_in_alpha({SimplexMap::entmax, infinity}, Vector::Ones(2)),
                  std::invalid_argument);
  CHECK_THROWS_AS(derivative_in_alpha_at({SimplexMap::normmax, infinity}, Vector::Ones(2)),
                  std::invalid_argument);
  CHECK_THROWS_AS(derivative_in_alpha_at({SimplexMap::entmax, 1.5}, Vector()), std::invalid_argument);
  CHECK_THROWS_AS(jacobian_product_at(SimplexMap::softmax, Vector::Ones(2), Vector::Ones(3)),
                  std::invalid_argument);
  CHECK_THROWS_AS(jacobian_product_at(SimplexMap::softmax, Vector::Ones(2), Vector::Ones(2), 0),
                  std::invalid_argument);
}

}  // namespace
}  // namespace engram::core
