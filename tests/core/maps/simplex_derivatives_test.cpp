// SPDX-License-Identifier: MIT
// Tests of the derivatives of core/maps/simplex_map.hpp: differences and theoretical properties.

#include "core/maps/simplex_map.hpp"
#include "tests/core/regularisers.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// Whether all weights are so far from 0 (for a budget also from 1) that a small step does not change the support.
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

TEST_CASE("the gradient of programme_value is the distribution, by differences", "[simplex_map]") {
  Rng rng(9, "simplex_map_test gradient");
  constexpr double h = 1e-5;
  for_each_map(
      rng, 100, 7,
      [&](const Regulariser& omega, const Vector& s, double temperature) {
        if (omega.map == SimplexMap::argmax) return;
        const Vector p = apply(omega, s, temperature);
        for (Index i = 0; i < s.size(); ++i) {
          const Vector e = Vector::Unit(s.size(), i) * h;
          const double slope =
              (programme_value(omega, s + e, temperature) - programme_value(omega, s - e, temperature)) /
              (2 * h);
          // The error of the difference quotient is h^2 for a smooth map and h/(4T) if the support changes within the
          // step. For alpha 3 it is the root of that.
          REQUIRE(std::abs(slope - p[i]) < (omega.alpha > 2 ? 1e-2 : 2e-5));
        }
      },
      normal_vector, mild_temperature);
}

TEST_CASE("J v is the derivative of p along v, by differences", "[simplex_map]") {
  Rng rng(20, "simplex_map_test jacobian");
  constexpr double h = 1e-6;
  int compared = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Vector s = normal_vector(rng, 1 + below(rng, 7));
    const Vector v = normal_vector(rng, s.size());
    const double temperature = 0.5 + rng.uniform();
    for (const Regulariser& omega : regularisers(s.size())) {
      INFO(name_of(omega));
      const Vector p = apply(omega, s, temperature);
      const Vector forth = apply(omega, s + h * v, temperature), back = apply(omega, s - h * v, temperature);
      if (!clear_of_edges(p, 1e-2) || !same_pattern(p, forth) || !same_pattern(p, back)) continue;
      const Vector product = jacobian_product(omega, s, v, temperature);
      // The errors are rounding of p divided by h, and h^2 times third derivatives, which reach p^-5 for alpha 3.
      REQUIRE(distance(product, (forth - back) / (2 * h)) < (omega.alpha > 2 ? 1e-4 : 1e-8));
      REQUIRE(product == jacobian_product_at(omega, p, v, temperature));
      ++compared;
    }
  }
  CHECK(compared > 1500);
}

TEST_CASE("J is symmetric and positive semidefinite, and J v = 0 for constant v", "[simplex_map]") {
  Rng rng(21, "simplex_map_test symmetry");
  for (int trial = 0; trial < 300; ++trial) {
    const Vector s = random_scores(rng, 1 + below(rng, 40));
    const Vector u = normal_vector(rng, s.size()), v = normal_vector(rng, s.size());
    for (const Regulariser& omega : regularisers(s.size())) {
      INFO(name_of(omega));
      const Vector ju = jacobian_product(omega, s, u), jv = jacobian_product(omega, s, v);
      // Rounding of sums of up to 40 products of this size. With alpha 3 the products contain 1/p.
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

TEST_CASE("J of small cases computed by hand", "[simplex_map]") {
  const Vector s = vector({std::log(2.0), 0}), v = vector({1, 0});
  // The softmax weights are p = 2/3 and q = 1/3, so J v = p q (1, -1)/T.
  CHECK(distance(jacobian_product(SimplexMap::softmax, s, v, 1.0), vector({2. / 9, -2. / 9})) < 1e-15);
  CHECK(distance(jacobian_product(SimplexMap::sparsemax, s, v, 2.0), vector({0.25, -0.25})) < 1e-15);
  // Entmax 1.5 of two equal scores: the weights are squares of w = 1/sqrt(2), so J v = w/2 (1, -1).
  CHECK(distance(jacobian_product({SimplexMap::entmax, 1.5}, Vector::Zero(2), v),
                 vector({std::sqrt(0.125), -std::sqrt(0.125)})) < 1e-15);
  // Normmax 2 of two equal scores: the norm of the weights is N = sqrt(1/2), so J v = N/2 (1, -1).
  CHECK(distance(jacobian_product({SimplexMap::normmax, 2.0}, Vector::Zero(2), v),
                 vector({std::sqrt(0.125), -std::sqrt(0.125)})) < 1e-15);
  // A budget of two for three equal scores: all weights are between 0 and 1, so J is the identity minus 1/3.
  CHECK(distance(jacobian_product({SimplexMap::budget, 1.5, 2}, Vector::Zero(3), vector({1, 0, 0})),
                 vector({2. / 3, -1. / 3, -1. / 3})) < 1e-15);
  const Vector none = Vector::Zero(2);
  CHECK(jacobian_product(SimplexMap::argmax, s, v) == none);
  CHECK(jacobian_product({SimplexMap::entmax, infinity}, s, v) == none);
  CHECK(jacobian_product({SimplexMap::normmax, infinity}, s, v) == none);
  for (const Regulariser& omega : regularisers(1))
    CHECK(jacobian_product(omega, Vector::Ones(1), Vector::Ones(1)) == Vector(Vector::Zero(1)));
  // If one weight is nearly 1, J v is as small as the other weight, and still accurate.
  CHECK(std::abs(jacobian_product(SimplexMap::softmax, vector({40, 0}), v)[0] / std::exp(-40.0) - 1) < 1e-14);
}

TEST_CASE("J v is finite for huge and tiny scores", "[simplex_map]") {
  const Vector v = vector({1, -2, 3});
  for (const Regulariser& omega : regularisers(3)) {
    INFO(name_of(omega));
    for (const Vector& s :
         {vector({1e4, -1e4, 9999.5}), vector({1e-300, 0, -1e-300}), vector({1e308, -1e308, 0})})
      CHECK(jacobian_product(omega, s, v).allFinite());
    CHECK(jacobian_product_at(omega, vector({1 - 1e-16, 1e-300, 0}), v).allFinite());
  }
}

// The derivative of the weights with respect to alpha.
Vector derivative_in_alpha(const Regulariser& omega, const Vector& scores, double temperature = 1.0) {
  return derivative_in_alpha_at(omega, apply(omega, scores, temperature));
}

bool has_alpha(const Regulariser& omega) { return facts(omega.map).has_alpha; }

TEST_CASE("dp/dalpha agrees with differences", "[simplex_map]") {
  Rng rng(22, "simplex_map_test alpha");
  constexpr double h = 1e-5;
  int compared = 0;
  for_each_map(
      rng, 200, 7,
      [&](const Regulariser& omega, const Vector& s, double temperature) {
        if (!has_alpha(omega)) return;
        const auto p = [&](double alpha) { return apply({omega.map, alpha}, s, temperature); };
        const double alpha = omega.alpha;
        if (!clear_of_edges(p(alpha), 1e-2) || !same_pattern(p(alpha), p(alpha + 2 * h))) return;
        if (alpha > 1 && !same_pattern(p(alpha), p(alpha - h))) return;
        const Vector slope = alpha > 1 ? Vector((p(alpha + h) - p(alpha - h)) / (2 * h))
                                       : Vector((4 * p(1 + h) - 3 * p(1) - p(1 + 2 * h)) / (2 * h));
        const Vector derivative = derivative_in_alpha(omega, s, temperature);
        // The errors are rounding divided by h, and h^2 times third derivatives.
        REQUIRE(distance(derivative, slope) < (alpha > 2 ? 1e-4 : alpha == 1 ? 1e-7 : 2e-8));
        REQUIRE(derivative == derivative_in_alpha_at(omega, p(alpha)));
        REQUIRE(std::abs(derivative.sum()) < 1e-13);  // p sums to 1 for every alpha
        ++compared;
      },
      normal_vector, mild_temperature);
  CHECK(compared > 1000);
}

TEST_CASE("dp/dalpha is accurate near alpha = 1 and right in cases computed by hand", "[simplex_map]") {
  Rng rng(23, "simplex_map_test alpha one");
  for (int trial = 0; trial < 200; ++trial) {
    const Vector s = normal_vector(rng, 1 + below(rng, 12)) * 2;
    const Vector at_one = derivative_in_alpha({SimplexMap::entmax, 1}, s);
    Vector by_hand(s.size());  // the derivative p (mean of log^2 p - log^2 p)/2
    const Vector p = apply(SimplexMap::softmax, s);
    double mean = 0;
    for (const double x : p) mean += x * std::log(x) * std::log(x);
    for (Index i = 0; i < s.size(); ++i) by_hand[i] = 0.5 * p[i] * (mean - std::log(p[i]) * std::log(p[i]));
    REQUIRE(distance(at_one, by_hand) < 1e-13);
    // The second derivative is at most about log^4 p, which is 1e4 for these scores.
    for (const double c : {1e-15, 1e-12, 1e-9})
      REQUIRE(distance(derivative_in_alpha({SimplexMap::entmax, 1 + c}, s), at_one) < 1e-13 + 1e4 * c);
  }
  for (const double alpha : {1.2, 2.0, 3.0}) {  // equal scores have equal weights for every alpha
    CHECK(derivative_in_alpha({SimplexMap::entmax, alpha}, Vector::Zero(4)).cwiseAbs().maxCoeff() < 1e-15);
    CHECK(derivative_in_alpha({SimplexMap::normmax, alpha}, Vector::Zero(4)).cwiseAbs().maxCoeff() < 1e-15);
    CHECK(derivative_in_alpha({SimplexMap::entmax, alpha}, vector({1e4, -1e4})) == vector({0, 0}));
    CHECK(derivative_in_alpha({SimplexMap::normmax, alpha}, Vector::Ones(1)) == Vector(Vector::Zero(1)));
  }
}

TEST_CASE("maps without alpha have no derivative in alpha", "[simplex_map]") {
  for (const Regulariser& omega : regularisers(2)) {
    INFO(name_of(omega));
    if (!has_alpha(omega)) CHECK_INVALID(derivative_in_alpha(omega, Vector::Ones(2)));
  }
  CHECK_INVALID(derivative_in_alpha({SimplexMap::entmax, infinity}, Vector::Ones(2)));
  CHECK_INVALID(derivative_in_alpha_at({SimplexMap::normmax, infinity}, Vector::Ones(2)));
  CHECK_INVALID(derivative_in_alpha_at({SimplexMap::entmax, 1.5}, Vector()));
  CHECK_INVALID(jacobian_product_at(SimplexMap::softmax, Vector::Ones(2), Vector::Ones(3)));
  CHECK_INVALID(jacobian_product_at(SimplexMap::softmax, Vector::Ones(2), Vector::Ones(2), 0));
}

}  // namespace
}  // namespace engram::core
