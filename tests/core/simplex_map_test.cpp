// SPDX-License-Identifier: MIT
#include "core/simplex_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

constexpr std::array<SimplexMap, 3> maps{SimplexMap::softmax, SimplexMap::sparsemax, SimplexMap::argmax};

// <p, s> - T Omega(p), from the table of regularisers.
double objective(SimplexMap map, const Vector& p, const Vector& s, double temperature) {
  long double value = 0;
  for (Index i = 0; i < p.size(); ++i) {
    value += static_cast<long double>(p[i]) * s[i];
    if (map == SimplexMap::sparsemax) value -= 0.5L * temperature * p[i] * p[i];
    if (map == SimplexMap::softmax && p[i] > 0)
      value -= temperature * p[i] * std::log(static_cast<long double>(p[i]));
  }
  return static_cast<double>(value);
}

// The best of all points that solve the programme on the face of some support.
Vector best_over_supports(const Vector& s, double temperature) {
  Vector best;
  double best_value = -std::numeric_limits<double>::infinity();
  for (unsigned support = 1; support < (1u << s.size()); ++support) {
    double total = 0, count = 0;
    for (Index i = 0; i < s.size(); ++i)
      if ((support >> i & 1u) != 0) total += s[i] / temperature, count += 1;
    Vector p = Vector::Zero(s.size());
    bool feasible = true;
    for (Index i = 0; i < s.size(); ++i)
      if ((support >> i & 1u) != 0) {
        p[i] = s[i] / temperature - (total - 1) / count;
        feasible = feasible && p[i] >= 0;
      }
    const double value = feasible ? objective(SimplexMap::sparsemax, p, s, temperature) : best_value;
    if (value > best_value) best_value = value, best = p;
  }
  return best;
}

Vector softmax_by_definition(const Vector& s, double temperature) {
  long double total = 0;
  for (const double x : s) total += std::exp((static_cast<long double>(x) - s[0]) / temperature);
  Vector p(s.size());
  for (Index i = 0; i < s.size(); ++i)
    p[i] = static_cast<double>(std::exp((static_cast<long double>(s[i]) - s[0]) / temperature) / total);
  return p;
}

// A point of the simplex: uniform, or with a few of its weights 0.
Vector random_distribution(Rng& rng, Index k) {
  Vector p(k);
  for (double& x : p) x = rng.below(3) == 0 ? 0.0 : -std::log(rng.uniform());
  if (p.sum() == 0) p[0] = 1;
  return p / p.sum();
}

Vector random_scores(Rng& rng, Index k) {
  const double spread = std::ldexp(1.0, static_cast<int>(rng.below(9)) - 4);
  Vector s = samples::normal_vector(rng, k) * spread;
  if (rng.below(4) == 0 && k > 1) s[k - 1] = s[0];  // ties
  return s;
}

double random_temperature(Rng& rng) {
  return std::ldexp(0.5 + rng.uniform(), static_cast<int>(rng.below(8)) - 4);
}

TEST_CASE("sparsemax solves its programme: brute force over supports", "[core][simplex_map]") {
  Rng rng(1, "simplex_map_test sparsemax");
  for (int trial = 0; trial < 2000; ++trial) {
    const Vector s = random_scores(rng, 1 + static_cast<Index>(rng.below(6)));
    const double temperature = random_temperature(rng);
    const Vector p = apply(SimplexMap::sparsemax, s, temperature);
    // Rounding of s/T, at most about 500 here: 500 * 2^-53 * a few.
    REQUIRE(samples::distance(p, best_over_supports(s, temperature)) < 1e-12);
  }
}

TEST_CASE("sparsemax of published scores", "[core][simplex_map]") {
  const Vector p = apply(SimplexMap::sparsemax, samples::vector({10000, -10000, 9999, 9999.5, 0}));
  CHECK(p == samples::vector({0.75, 0, 0, 0.25, 0}));  // (1 + 0.5)/2 and (1 - 0.5)/2: exact in binary
  CHECK(apply(SimplexMap::sparsemax, samples::vector({0.25, 0})) == samples::vector({0.625, 0.375}));
  const Vector thirds = apply(SimplexMap::sparsemax, Vector::Constant(3, -3.25));
  CHECK(samples::distance(thirds, Vector::Constant(3, 1.0 / 3)) < 1e-15);  // one rounding
}

TEST_CASE("softmax is its definition", "[core][simplex_map]") {
  Rng rng(2, "simplex_map_test softmax");
  for (int trial = 0; trial < 2000; ++trial) {
    const Vector s = random_scores(rng, 1 + static_cast<Index>(rng.below(40)));
    const double temperature = random_temperature(rng);
    // exp's 3e-16 and the rounding of s/T (at most 500 * 2^-53 in the exponent), on weights of at most 1
    REQUIRE(samples::distance(apply(SimplexMap::softmax, s, temperature),
                              softmax_by_definition(s, temperature)) < 2e-13);
  }
  // 40-digit arithmetic gives these for scores -2, 0, 0.5 at temperature 0.1.
  const Vector p = apply(SimplexMap::softmax, samples::vector({-2, 0, 0.5}), 0.1);
  CHECK(samples::distance(
            p, samples::vector({1.3794993926840698e-11, 0.00669285092419253, 0.9933071490620125})) < 1e-15);
}

TEST_CASE("argmax takes the largest score, of the lowest index where several are", "[core][simplex_map]") {
  CHECK(apply(SimplexMap::argmax, samples::vector({1, 3, 2})) == samples::vector({0, 1, 0}));
  CHECK(apply(SimplexMap::argmax, samples::vector({2, 5, 5, 5})) == samples::vector({0, 1, 0, 0}));
  CHECK(apply(SimplexMap::argmax, Vector::Zero(3)) == samples::vector({1, 0, 0}));
  CHECK(apply(SimplexMap::argmax, samples::vector({-1, -0.5}), 1e6) == samples::vector({0, 1}));
}

TEST_CASE("every map gives a distribution that keeps the order of the scores", "[core][simplex_map]") {
  Rng rng(3, "simplex_map_test distribution");
  for (int trial = 0; trial < 1000; ++trial) {
    const Vector s = random_scores(rng, 1 + static_cast<Index>(rng.below(200)));
    const double temperature = random_temperature(rng);
    for (const SimplexMap map : maps) {
      const Vector p = apply(map, s, temperature);
      REQUIRE(p.size() == s.size());
      REQUIRE((p.array() >= 0).all());
      REQUIRE(std::abs(p.sum() - 1) < 1e-12);  // 200 weights, each off by rounding of s/T
      bool ordered = true;
      for (Index i = 0; i < s.size(); ++i) ordered = ordered && (s[i] <= s[0] ? p[i] <= p[0] : p[i] >= p[0]);
      REQUIRE(ordered);
    }
  }
}

TEST_CASE("a number added to all scores changes nothing", "[core][simplex_map]") {
  Rng rng(4, "simplex_map_test shift");
  for (int trial = 0; trial < 300; ++trial) {
    Vector s(1 + static_cast<Index>(rng.below(20)));
    for (double& x : s) x = static_cast<double>(rng.below(4096)) / 1024;  // so that s + shift is exact
    const Vector shifted = s.array() + (rng.below(2) == 0 ? 4096.0 : -1048576.0);
    for (const SimplexMap map : maps) REQUIRE(apply(map, shifted, 0.7) == apply(map, s, 0.7));
  }
}

TEST_CASE("permuted scores give permuted weights", "[core][simplex_map]") {
  Rng rng(5, "simplex_map_test permutation");
  for (int trial = 0; trial < 300; ++trial) {
    const Vector s = samples::normal_vector(rng, 1 + static_cast<Index>(rng.below(30)));
    const auto order = rng.permutation(static_cast<std::uint32_t>(s.size()));
    Vector permuted(s.size());
    for (std::size_t i = 0; i < order.size(); ++i) permuted[static_cast<Index>(i)] = s[order[i]];
    for (const SimplexMap map : maps) {
      const Vector p = apply(map, s), q = apply(map, permuted);
      Vector expected(s.size());
      for (std::size_t i = 0; i < order.size(); ++i) expected[static_cast<Index>(i)] = p[order[i]];
      // softmax's sum is taken in another order; the others must agree to the last bit
      REQUIRE(samples::distance(q, expected) <= (map == SimplexMap::softmax ? 1e-15 : 0.0));
    }
  }
}

TEST_CASE("a low temperature picks the best, a high one spreads evenly", "[core][simplex_map]") {
  Rng rng(6, "simplex_map_test temperature");
  for (int trial = 0; trial < 100; ++trial) {
    Vector s = samples::normal_vector(rng, 2 + static_cast<Index>(rng.below(10)));
    Index best = 0;
    s.maxCoeff(&best);
    s[best] += 0.01;  // so that e^(-0.01/T) is nothing at T = 1e-5
    for (const SimplexMap map : maps) REQUIRE(apply(map, s, 1e-5) == Vector(Vector::Unit(s.size(), best)));
    const Vector even = Vector::Constant(s.size(), 1.0 / static_cast<double>(s.size()));
    // p - 1/k is about (s - mean)/T with |s| < 6
    REQUIRE(samples::distance(apply(SimplexMap::softmax, s, 1e9), even) < 2e-8);
    REQUIRE(samples::distance(apply(SimplexMap::sparsemax, s, 1e9), even) < 2e-8);
    // Only s/T counts.
    REQUIRE(samples::distance(apply(SimplexMap::softmax, s * 4, 2.0), apply(SimplexMap::softmax, s, 0.5)) ==
            0);
    REQUIRE(samples::distance(apply(SimplexMap::sparsemax, s * 4, 2.0),
                              apply(SimplexMap::sparsemax, s, 0.5)) == 0);
  }
}

TEST_CASE("huge, tiny and single scores give finite weights", "[core][simplex_map]") {
  for (const SimplexMap map : maps) {
    INFO(facts(map).name);
    for (const double s : {0.0, 1e308, -1e308, 5e-324, -0.7}) {
      CHECK(apply(map, Vector::Constant(1, s)) == Vector::Ones(1));
      // p = (1), so the value is s - T Omega(1)
      CHECK(programme_value(map, Vector::Constant(1, s)) == s - (map == SimplexMap::sparsemax ? 0.5 : 0.0));
    }
    CHECK(apply(map, samples::vector({1e308, -1e308, 0})) == samples::vector({1, 0, 0}));
    CHECK(apply(map, samples::vector({-1e4, 1e4})) == samples::vector({0, 1}));
    CHECK(apply(map, samples::vector({1, 0}), 1e-300) == samples::vector({1, 0}));
  }
  const Vector tiny = samples::vector({1e-300, -1e-300, 0, 2e-300, 5e-324, 0});
  for (const SimplexMap map : {SimplexMap::softmax, SimplexMap::sparsemax})
    CHECK(samples::distance(apply(map, tiny), Vector::Constant(6, 1.0 / 6)) < 1e-16);
  CHECK(apply(SimplexMap::argmax, tiny) == samples::vector({0, 0, 0, 1, 0, 0}));
}

TEST_CASE("the value is the maximum: attained at p, and exceeded nowhere", "[core][simplex_map]") {
  Rng rng(7, "simplex_map_test value");
  for (int trial = 0; trial < 500; ++trial) {
    const Vector s = random_scores(rng, 1 + static_cast<Index>(rng.below(8)));
    const double temperature = random_temperature(rng);
    const double size = s.cwiseAbs().maxCoeff() + temperature;
    for (const SimplexMap map : maps) {
      const double value = programme_value(map, s, temperature);
      // a few roundings of numbers of this size
      REQUIRE(std::abs(value - objective(map, apply(map, s, temperature), s, temperature)) <= 1e-14 * size);
      for (int point = 0; point < 20; ++point)
        REQUIRE(objective(map, random_distribution(rng, s.size()), s, temperature) <= value + 1e-14 * size);
    }
  }
}

TEST_CASE("the value is the maximum over a fine grid of the triangle", "[core][simplex_map]") {
  Rng rng(8, "simplex_map_test grid");
  constexpr int steps = 200;
  for (int trial = 0; trial < 10; ++trial) {
    const Vector s = samples::normal_vector(rng, 3);
    for (const SimplexMap map : maps) {
      double best = -1e9;
      for (int i = 0; i <= steps; ++i)
        for (int j = 0; i + j <= steps; ++j)
          best = std::max(best, objective(map, Vector(Eigen::Vector3d(i, j, steps - i - j) / steps), s, 1.0));
      const double value = programme_value(map, s);
      CHECK(best <= value + 1e-14);
      CHECK(best >= value - 1e-3);  // flat at the optimum: a grid step h = 1/200 misses it by about h^2/p
    }
  }
}

TEST_CASE("the gradient of the value is the distribution: finite differences", "[core][simplex_map]") {
  Rng rng(9, "simplex_map_test gradient");
  constexpr double h = 1e-5;
  for (int trial = 0; trial < 200; ++trial) {
    const Vector s = samples::normal_vector(rng, 1 + static_cast<Index>(rng.below(7)));
    const double temperature = 0.5 + rng.uniform();
    for (const SimplexMap map : {SimplexMap::softmax, SimplexMap::sparsemax}) {
      const Vector p = apply(map, s, temperature);
      for (Index i = 0; i < s.size(); ++i) {
        const Vector e = Vector::Unit(s.size(), i) * h;
        const double slope =
            (programme_value(map, s + e, temperature) - programme_value(map, s - e, temperature)) / (2 * h);
        // h^2 where smooth, h/(4T) where sparsemax's support changes within the step
        REQUIRE(std::abs(slope - p[i]) < 1e-5);
      }
    }
  }
}

TEST_CASE("a lead of margin times T gives everything, and less does not", "[core][simplex_map]") {
  CHECK(margin(SimplexMap::sparsemax) == 1.0);
  CHECK(margin(SimplexMap::argmax) == 0.0);
  CHECK(std::isinf(margin(SimplexMap::softmax)));
  Rng rng(10, "simplex_map_test margin");
  int exact = 0, spread = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    Vector s = samples::normal_vector(rng, 2 + static_cast<Index>(rng.below(10)));
    const double temperature = random_temperature(rng);
    const double lead = rng.uniform() * 2 * temperature;
    Index best = 0;
    const double top = s.maxCoeff(&best);
    s[best] = -1e9;
    s[best] = s.maxCoeff() + lead;
    REQUIRE(std::isfinite(top));
    if (std::abs(lead - temperature) < 1e-9) continue;  // rounding decides there
    const bool one_hot = apply(SimplexMap::sparsemax, s, temperature) == Vector(Vector::Unit(s.size(), best));
    REQUIRE(one_hot == (lead > temperature));
    ++(one_hot ? exact : spread);
    REQUIRE(apply(SimplexMap::argmax, s, temperature) == Vector(Vector::Unit(s.size(), best)));
    REQUIRE((apply(SimplexMap::softmax, s, temperature).array() > 0).all());
  }
  CHECK(exact > 500);
  CHECK(spread > 500);
  CHECK(apply(SimplexMap::sparsemax, samples::vector({1, 0})) ==
        samples::vector({1, 0}));  // the margin itself
}

TEST_CASE("Omega at the uniform distribution", "[core][simplex_map]") {
  for (const Index k : {1, 2, 3, 10, 1000}) {
    const Vector even = Vector::Constant(k, 1.0 / static_cast<double>(k));
    for (const SimplexMap map : maps) {
      // At scores of 0 the objective is -T Omega; rounding of up to 1000 terms.
      CHECK(std::abs(omega_uniform(map, k) + objective(map, even, Vector::Zero(k), 1.0)) < 1e-14);
      CHECK(std::abs(programme_value(map, Vector::Zero(k), 3.0) +
                     3 * (map == SimplexMap::argmax ? 0 : omega_uniform(map, k))) < 1e-13);
    }
  }
  CHECK_THROWS_AS(omega_uniform(SimplexMap::softmax, 0), std::invalid_argument);
}

TEST_CASE("maps go by their names", "[core][simplex_map]") {
  for (const SimplexMap map : maps) {
    CHECK(facts(map).map == map);
    CHECK(simplex_map_named(facts(map).name) == map);
  }
  CHECK(simplex_map_named("sparsemax") == SimplexMap::sparsemax);
  CHECK_FALSE(simplex_map_named("hardmax").has_value());
  CHECK_FALSE(simplex_map_named("").has_value());
}

TEST_CASE("what is no programme is refused", "[core][simplex_map]") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const SimplexMap map : maps) {
    INFO(facts(map).name);
    CHECK_THROWS_AS(apply(map, Vector()), std::invalid_argument);
    CHECK_THROWS_AS(programme_value(map, Vector()), std::invalid_argument);
    for (const double bad : {nan, infinity, -infinity}) {
      CHECK_THROWS_AS(apply(map, samples::vector({0, bad})), std::invalid_argument);
      CHECK_THROWS_AS(programme_value(map, samples::vector({bad, 0})), std::invalid_argument);
    }
    for (const double bad : {0.0, -1.0, nan, infinity}) {
      CHECK_THROWS_AS(apply(map, Vector::Ones(2), bad), std::invalid_argument);
      CHECK_THROWS_AS(programme_value(map, Vector::Ones(2), bad), std::invalid_argument);
    }
  }
}

}  // namespace
}  // namespace engram::core
