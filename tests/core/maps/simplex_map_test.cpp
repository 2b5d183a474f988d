// SPDX-License-Identifier: MIT
#include "core/maps/simplex_map.hpp"

#include "tests/core/regularisers.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// The objective <p, s> - T Omega(p) of a map, by the table of regularisers.
double objective(const Regulariser& omega, const Vector& p, const Vector& s, double temperature) {
  const auto weights = in_long_double(p);
  long double value = -temperature * omega_by_definition(omega, weights);
  for (Index i = 0; i < p.size(); ++i) value += weights[static_cast<std::size_t>(i)] * s[i];
  return static_cast<double>(value);
}

bool is_argmax(const Regulariser& omega) { return omega.map == SimplexMap::argmax; }

// Exact sparsemax by enumeration: the best solution over all possible supports.
Vector best_over_supports(const Vector& s, double temperature) {
  Vector best;
  double best_value = -infinity;
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

TEST_CASE("sparsemax finds the maximum found by brute force over supports", "[simplex_map]") {
  Rng rng(1, "simplex_map_test sparsemax");
  for (int trial = 0; trial < 2000; ++trial) {
    const Vector s = random_scores(rng, 1 + below(rng, 6));
    const double temperature = random_temperature(rng);
    const Vector p = apply(SimplexMap::sparsemax, s, temperature);
    // The quotient s/T is at most about 500, so its rounding errors are a few times 500 * 2^-53.
    REQUIRE(distance(p, best_over_supports(s, temperature)) < 1e-12);
  }
}

TEST_CASE("sparsemax of published examples", "[simplex_map]") {
  const Vector p = apply(SimplexMap::sparsemax, vector({10000, -10000, 9999, 9999.5, 0}));
  CHECK(p == vector({0.75, 0, 0, 0.25, 0}));  // (1 + 0.5)/2 and (1 - 0.5)/2, exact in binary
  CHECK(apply(SimplexMap::sparsemax, vector({0.25, 0})) == vector({0.625, 0.375}));
  const Vector thirds = apply(SimplexMap::sparsemax, Vector::Constant(3, -3.25));
  CHECK(distance(thirds, Vector::Constant(3, 1.0 / 3)) < 1e-15);  // one rounding of 1/3
}

TEST_CASE("softmax equals its definition", "[simplex_map]") {
  Rng rng(2, "simplex_map_test softmax");
  for (int trial = 0; trial < 2000; ++trial) {
    const Vector s = random_scores(rng, 1 + below(rng, 40));
    const double temperature = random_temperature(rng);
    // The errors are that of exp (3e-16) and the rounding of s/T (at most 500 * 2^-53 in the exponent). The weights are
    // at most 1.
    REQUIRE(distance(apply(SimplexMap::softmax, s, temperature), softmax_by_definition(s, temperature)) <
            2e-13);
  }
  // Computed with 40-digit arithmetic, for the scores -2, 0, 0.5 at temperature 0.1.
  const Vector p = apply(SimplexMap::softmax, vector({-2, 0, 0.5}), 0.1);
  CHECK(distance(p, vector({1.3794993926840698e-11, 0.00669285092419253, 0.9933071490620125})) < 1e-15);
}

TEST_CASE("argmax selects the largest score, and the lowest index of ties", "[simplex_map]") {
  CHECK(apply(SimplexMap::argmax, vector({1, 3, 2})) == vector({0, 1, 0}));
  CHECK(apply(SimplexMap::argmax, vector({2, 5, 5, 5})) == vector({0, 1, 0, 0}));
  CHECK(apply(SimplexMap::argmax, Vector::Zero(3)) == vector({1, 0, 0}));
  CHECK(apply(SimplexMap::argmax, vector({-1, -0.5}), 1e6) == vector({0, 1}));
}

TEST_CASE("every map finds the maximum found by pairwise exchange of weights", "[simplex_map]") {
  Rng rng(11, "simplex_map_test exchange");
  for (int trial = 0; trial < 30; ++trial) {
    const Vector s = normal_vector(rng, 1 + below(rng, 5));
    const double temperature = 0.2 + rng.uniform();
    for (const Regulariser& omega : regularisers(s.size())) {
      INFO(name_of(omega));
      const Vector best = solved_by_exchange(s.size(), total_of(omega), [&](const auto& p, std::size_t i) {
        return samples::gain(omega, p, i, s, temperature);
      });
      // The precision of the reference solver is worst for alpha 3 near the edge of the support.
      REQUIRE(distance(apply(omega, s, temperature), best) < 1e-9);
    }
  }
}

// The largest violation of the optimality condition: the gradient at each p_i > 0 must be at least the gradient at each
// p_j that is below its maximum.
double gain_missed(const Regulariser& omega, const Vector& p, const Vector& s, double temperature) {
  const auto weights = in_long_double(p);
  const double least = omega.map == SimplexMap::softmax || omega.alpha == 1 ? 1e-290 : 0.0;
  long double worst_taken = std::numeric_limits<long double>::infinity(), best_left = -worst_taken;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const long double gain = samples::gain(omega, weights, i, s, temperature);
    if (weights[i] > least) worst_taken = std::min(worst_taken, gain);
    if (weights[i] < 1 || omega.map != SimplexMap::budget) best_left = std::max(best_left, gain);
  }
  return static_cast<double>(best_left - worst_taken);
}

TEST_CASE("every map satisfies the optimality conditions for any number of scores", "[simplex_map]") {
  Rng rng(12, "simplex_map_test conditions");
  for_each_map(rng, 400, 200, [&](const Regulariser& omega, const Vector& s, double temperature) {
    const double size = 1 + s.cwiseAbs().maxCoeff() / temperature;
    const Vector p = apply(omega, s, temperature);
    // The errors are a few roundings of s/T, and in -log p the rounding of the weights, which is at most as large.
    REQUIRE(gain_missed(omega, p, s, temperature) < 5e-15 * size);
  });
}

TEST_CASE("every map returns a distribution in the order of the scores", "[simplex_map]") {
  Rng rng(3, "simplex_map_test distribution");
  for_each_map(rng, 400, 200, [&](const Regulariser& omega, const Vector& s, double temperature) {
    const Vector p = apply(omega, s, temperature);
    REQUIRE(p.size() == s.size());
    REQUIRE((p.array() >= 0).all());
    REQUIRE((p.array() <= 1).all());
    // Rounding of up to 200 weights. For a budget, each weight has the rounding error of a number up to 2.
    REQUIRE(std::abs(p.sum() - total_of(omega)) < 1e-13);
    bool ordered = true;
    for (Index i = 0; i < s.size(); ++i) {
      ordered = ordered && (s[i] <= s[0] ? p[i] <= p[0] : p[i] >= p[0]);
      ordered = ordered && (is_argmax(omega) || s[i] != s[0] || p[i] == p[0]);  // ties have equal weights
    }
    REQUIRE(ordered);
  });
}

TEST_CASE("adding a number to all scores changes nothing", "[simplex_map]") {
  Rng rng(4, "simplex_map_test shift");
  for (int trial = 0; trial < 300; ++trial) {
    Vector s(1 + below(rng, 20));
    for (double& x : s) x = static_cast<double>(rng.below(4096)) / 1024;  // so that s + shift is exact
    const Vector shifted = s.array() + (rng.below(2) == 0 ? 4096.0 : -1048576.0);
    for (const Regulariser& omega : regularisers(s.size()))
      REQUIRE(apply(omega, shifted, 0.7) == apply(omega, s, 0.7));
  }
}

TEST_CASE("permuting the scores permutes the weights", "[simplex_map]") {
  Rng rng(5, "simplex_map_test permutation");
  for (int trial = 0; trial < 300; ++trial) {
    const Vector s = normal_vector(rng, 1 + below(rng, 30));
    const auto order = rng.permutation(static_cast<std::uint32_t>(s.size()));
    Vector permuted(s.size());
    for (std::size_t i = 0; i < order.size(); ++i) permuted[static_cast<Index>(i)] = s[order[i]];
    for (const Regulariser& omega : regularisers(s.size())) {
      INFO(name_of(omega));
      const Vector p = apply(omega, s), q = apply(omega, permuted);
      Vector expected(s.size());
      for (std::size_t i = 0; i < order.size(); ++i) expected[static_cast<Index>(i)] = p[order[i]];
      // The bits are equal if sums are taken in the order of size. Otherwise the weights differ by the rounding error
      // of the sum, or by its root for alpha 3 near the edge of the support.
      const bool exact = omega.map == SimplexMap::sparsemax || is_argmax(omega);
      REQUIRE(distance(q, expected) <= (exact ? 0.0 : omega.alpha > 2 ? 1e-9 : 5e-15));
    }
  }
}

TEST_CASE("a low temperature selects the best score, a high one gives even weights", "[simplex_map]") {
  Rng rng(6, "simplex_map_test temperature");
  for (int trial = 0; trial < 100; ++trial) {
    Vector s = normal_vector(rng, 2 + below(rng, 10));
    Index best = 0;
    s.maxCoeff(&best);
    s[best] += 0.01;  // with this lead, e^(-lead/T) is 0 for T = 1e-5
    for (const Regulariser& omega : regularisers(s.size())) {
      INFO(name_of(omega));
      if (omega.map != SimplexMap::budget) {
        REQUIRE(apply(omega, s, 1e-5) == Vector(Vector::Unit(s.size(), best)));
      } else {
        const Vector p = apply(omega, s, 1e-9);
        REQUIRE((p.array() == 1).count() == omega.k);
        REQUIRE((p.array() == 0).count() == s.size() - omega.k);
      }
      if (is_argmax(omega)) continue;
      const Vector even = Vector::Constant(s.size(), total_of(omega) / static_cast<double>(s.size()));
      // The deviation p - 1/n is about (s - mean)/T n^(alpha-2), with |s| < 6, n < 12 and alpha <= 3.
      REQUIRE(distance(apply(omega, s, 1e9), even) < 2e-7);
      REQUIRE(apply(omega, s * 4, 2.0) == apply(omega, s, 0.5));  // the weights depend only on s/T
    }
  }
}

TEST_CASE("entmax is softmax, sparsemax and argmax for alpha 1, 2 and infinity", "[simplex_map]") {
  Rng rng(13, "simplex_map_test alpha");
  for (int trial = 0; trial < 200; ++trial) {
    const Vector s = random_scores(rng, 1 + below(rng, 30));
    const double temperature = 0.5 + rng.uniform();
    const auto p = [&](double alpha) { return apply({SimplexMap::entmax, alpha}, s, temperature); };
    REQUIRE(p(1) == apply(SimplexMap::softmax, s, temperature));
    REQUIRE(p(2) == apply(SimplexMap::sparsemax, s, temperature));
    REQUIRE(p(infinity) == apply(SimplexMap::argmax, s));
    // The derivative dp/dalpha is at most about (|s|/T)^2 p/2, with |s|/T up to 200.
    REQUIRE(distance(p(1 + 1e-12), p(1)) < 1e-8);
    REQUIRE(distance(p(1 + 1e-9), p(1)) < 1e-5);
    // The exact algorithms for alpha 1.5 and 2 agree with the general one, which serves an alpha two roundings away.
    REQUIRE(distance(p(1.5 + 4e-16), p(1.5)) < 1e-13);
    REQUIRE(distance(p(2 - 4e-16), p(2)) < 1e-13);
    REQUIRE(distance(p(2 + 8e-16), p(2)) < 1e-13);
    if (s.size() < 2 || s[s.size() - 1] == s[0]) continue;
    REQUIRE(p(1e12) == p(infinity));  // the lead of the best score exceeds the margin 1/(alpha-1)
  }
}

TEST_CASE("normmax for alpha infinity has equal weights on the support of sparsemax", "[simplex_map]") {
  Rng rng(14, "simplex_map_test normmax");
  for (int trial = 0; trial < 200; ++trial) {
    const Vector s = normal_vector(rng, 1 + below(rng, 30));
    Vector even = apply(SimplexMap::sparsemax, s);
    for (double& x : even) x = x > 0 ? 1.0 : 0.0;
    even /= even.sum();
    REQUIRE(distance(apply({SimplexMap::normmax, infinity}, s), even) < 1e-15);
    REQUIRE(distance(apply({SimplexMap::normmax, 1e12}, s), even) < 1e-8);
    // The maximum with Omega = max p: the largest, over k, of the mean of the k best scores minus 1/k.
    Vector sorted = s;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    double best = -infinity;
    for (Index k = 1; k <= s.size(); ++k)
      best = std::max(best, (sorted.head(k).sum() - 1) / static_cast<double>(k));
    REQUIRE(std::abs(programme_value({SimplexMap::normmax, infinity}, s) - best) < 1e-14);
  }
}

TEST_CASE("maps that are equal by theory give equal weights", "[simplex_map]") {
  Rng rng(15, "simplex_map_test same");
  for (int trial = 0; trial < 200; ++trial) {
    const Vector s = random_scores(rng, 1 + below(rng, 30));
    const Index n = s.size();
    REQUIRE(distance(apply({SimplexMap::budget, 1.5, 1}, s), apply(SimplexMap::sparsemax, s)) < 1e-14);
    REQUIRE(apply({SimplexMap::budget, 1.5, n}, s) == Vector(Vector::Ones(n)));
    if (n < 2) continue;
    // If p are the weights for a budget of k, then 1 - p are those for a budget of n - k and the negated scores.
    const Index k = 1 + below(rng, n - 1);
    const Vector taken = apply({SimplexMap::budget, 1.5, k}, s),
                 left = apply({SimplexMap::budget, 1.5, n - k}, -s);
    REQUIRE(distance(taken, Vector::Ones(n) - left) < 1e-14);
  }
}

TEST_CASE("huge, tiny and single scores have finite weights", "[simplex_map]") {
  for (const Regulariser& omega : regularisers(1)) {
    INFO(name_of(omega));
    // Omega of the only point is 0, 1/2 or 1, depending on the map.
    const double omega_of_one = static_cast<double>(omega_by_definition(omega, {1.0L}));
    for (const double s : {0.0, 1e308, -1e308, 5e-324, -0.7}) {
      CHECK(apply(omega, Vector::Constant(1, s)) == Vector::Ones(1));
      CHECK(programme_value(omega, Vector::Constant(1, s)) == s - omega_of_one);
    }
    CHECK(apply(omega, vector({1e308, -1e308, 0})) == vector({1, 0, 0}));
    CHECK(apply(omega, vector({1e308, -1e308, 0}), 1e300) == vector({1, 0, 0}));
    CHECK(apply(omega, vector({-1e4, 1e4})) == vector({0, 1}));
    CHECK(apply(omega, vector({1, 0}), 1e-300) == vector({1, 0}));
    CHECK(std::isfinite(programme_value(omega, vector({1e308, -1e308}), 1.0)));
    const Vector tiny = vector({1e-300, -1e-300, 0, 2e-300, 5e-324, 0});
    if (is_argmax(omega))
      CHECK(apply(omega, tiny) == vector({0, 0, 0, 1, 0, 0}));
    else
      CHECK(distance(apply(omega, tiny), Vector::Constant(6, 1.0 / 6)) < 1e-15);
    if (!is_argmax(omega)) CHECK(apply(omega, vector({1e4, 1e4})) == vector({0.5, 0.5}));
  }
  const Vector three = vector({1e4, -1e4, 1e4 + 3});
  CHECK(apply({SimplexMap::budget, 1.5, 2}, three) == vector({1, 0, 1}));
}

TEST_CASE("programme_value is attained at p and is the maximum", "[simplex_map]") {
  Rng rng(7, "simplex_map_test value");
  for_each_map(rng, 200, 8, [&](const Regulariser& omega, const Vector& s, double temperature) {
    const double value = programme_value(omega, s, temperature);
    // Tolerance of a few roundings relative to the size of the terms.
    const double rounding = 1e-14 * total_of(omega) * (s.cwiseAbs().maxCoeff() + temperature);
    REQUIRE(std::abs(value - objective(omega, apply(omega, s, temperature), s, temperature)) <= rounding);
    if (omega.map == SimplexMap::budget) return;
    for (int point = 0; point < 20; ++point)
      REQUIRE(objective(omega, random_distribution(rng, s.size()), s, temperature) <= value + rounding);
  });
}

TEST_CASE("programme_value is the maximum over a fine grid of the triangle", "[simplex_map]") {
  Rng rng(8, "simplex_map_test grid");
  constexpr int steps = 200;
  for (int trial = 0; trial < 3; ++trial) {
    const Vector s = normal_vector(rng, 3);
    for (const Regulariser& omega : regularisers(3)) {
      INFO(name_of(omega));
      const int sum = static_cast<int>(total_of(omega)) * steps;
      double best = -1e9;
      for (int i = 0; i <= std::min(sum, steps); ++i)
        for (int j = 0; j <= std::min(sum - i, steps); ++j)
          if (sum - i - j <= steps)
            best =
                std::max(best, objective(omega, Vector(Eigen::Vector3d(i, j, sum - i - j) / steps), s, 1.0));
      const double value = programme_value(omega, s);
      CHECK(best <= value + 1e-14);
      CHECK(best >= value - 1e-3);  // the grid with the step h = 1/200 misses the maximum by about h^2/p
    }
  }
}

TEST_CASE("a lead of margin times T gives all the weight, a smaller one does not", "[simplex_map]") {
  CHECK(margin(SimplexMap::sparsemax) == 1.0);
  CHECK(margin(SimplexMap::argmax) == 0.0);
  CHECK(std::isinf(margin(SimplexMap::softmax)));
  CHECK(margin({SimplexMap::entmax, 1.5}) == 2.0);
  CHECK(std::isinf(margin({SimplexMap::entmax, 1.0})));
  CHECK(margin({SimplexMap::normmax, 3.0}) == 1.0);
  Rng rng(10, "simplex_map_test margin");
  int exact = 0, spread = 0;
  for (int trial = 0; trial < 500; ++trial) {
    Vector s = normal_vector(rng, 2 + below(rng, 10));
    const double temperature = random_temperature(rng);
    for (const Regulariser& omega : regularisers(s.size())) {
      if (omega.k == s.size()) continue;  // the budget selects all scores, so there is no lead
      INFO(name_of(omega));
      const double needed = std::min(margin(omega), 5.0) * temperature;
      const double lead = (0.001 + 2 * rng.uniform()) * (needed + (is_argmax(omega) ? temperature : 0));
      // Raises the k best scores so that the k-th best leads the next one by `lead`.
      std::vector<Index> order(static_cast<std::size_t>(s.size()));
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
      std::sort(order.begin(), order.end(), [&](Index a, Index b) { return s[a] > s[b]; });
      const auto k = static_cast<std::size_t>(total_of(omega));
      const double lift = lead - (s[order[k - 1]] - s[order[k]]);
      Vector lifted = s, vertex = Vector::Zero(s.size());
      for (std::size_t i = 0; i < k; ++i) lifted[order[i]] += lift, vertex[order[i]] = 1;
      // The lead is so near the margin that rounding decides.
      if (std::abs(lead - margin(omega) * temperature) < 1e-9) continue;
      const bool whole = apply(omega, lifted, temperature) == vertex;
      REQUIRE(whole == (lead > margin(omega) * temperature));
      ++(whole ? exact : spread);
    }
  }
  CHECK(exact > 1000);
  CHECK(spread > 1000);
  CHECK(apply(SimplexMap::sparsemax, vector({1, 0})) == vector({1, 0}));  // the lead is exactly the margin
}

TEST_CASE("the threshold reproduces the weights by the table", "[simplex_map]") {
  Rng rng(16, "simplex_map_test threshold");
  for_each_map(
      rng, 300, 12,
      [&](const Regulariser& omega, const Vector& s, double temperature) {
        if (omega.map == SimplexMap::softmax || is_argmax(omega) || omega.alpha == 1) return;
        const double tau = threshold(omega, s, temperature);
        const bool entmax = omega.map == SimplexMap::entmax;
        const bool power = entmax || omega.map == SimplexMap::normmax;
        Vector expected(s.size());
        for (Index i = 0; i < s.size(); ++i) {
          const double u = std::max((entmax ? omega.alpha - 1 : 1.0) * s[i] / temperature - tau, 0.0);
          expected[i] = power                             ? std::pow(u, 1 / (omega.alpha - 1))
                        : omega.map == SimplexMap::budget ? std::min(u, 1.0)
                                                          : u;
        }
        if (omega.map == SimplexMap::normmax) expected /= expected.sum();
        // The threshold tau has the rounding error of s/T, which is up to 200. For alpha 3 a weight near 0 has the root
        // of this error.
        REQUIRE(distance(apply(omega, s, temperature), expected) < (omega.alpha > 2 ? 1e-6 : 1e-11));
      },
      random_scores, mild_temperature);
  // A budget of two with two selected scores allows an interval for tau; threshold returns the largest.
  CHECK(threshold({SimplexMap::budget, 1.5, 2}, vector({5, 4, 0})) == 3.0);
  CHECK(threshold({SimplexMap::normmax, infinity}, vector({1, 0.5})) == 0.25);
  for (const Regulariser& none :
       {Regulariser(SimplexMap::softmax), Regulariser(SimplexMap::argmax),
        Regulariser(SimplexMap::entmax, 1.0), Regulariser(SimplexMap::entmax, infinity)})
    CHECK_INVALID(threshold(none, Vector::Ones(2)));
}

TEST_CASE("omega_of equals its definition, and omega_uniform equals omega_of", "[simplex_map]") {
  Rng rng(17, "simplex_map_test omega");
  for (const Index n : {1, 2, 3, 10, 1000})
    for (const Regulariser& omega : regularisers(n)) {
      INFO(name_of(omega) << " n " << n);
      const double share = total_of(omega) / static_cast<double>(n);
      const Vector even = Vector::Constant(n, share), p = random_distribution(rng, n) * share * n;
      const double size = total_of(omega) * total_of(omega);
      // Tolerance for the rounding of up to 1000 terms.
      CHECK(std::abs(omega_uniform(omega, n) + objective(omega, even, Vector::Zero(n), 1.0)) < 1e-14 * size);
      CHECK(std::abs(omega_of(omega, p) + objective(omega, p, Vector::Zero(n), 1.0)) < 2e-14 * size);
      const double value = programme_value(omega, Vector::Zero(n), 3.0);
      CHECK(std::abs(value + 3 * (is_argmax(omega) ? 0 : omega_uniform(omega, n))) < 1e-13 * size);
    }
  for (const Index n : {1, 17, 4096, 10001})
    for (const Regulariser& omega : regularisers(n)) {
      INFO(name_of(omega) << " of " << n);
      const double share = total_of(omega) / static_cast<double>(n);
      CHECK(omega_uniform(omega, n) == omega_of(omega, Vector::Constant(n, share)));
    }
  CHECK_INVALID(omega_uniform(SimplexMap::softmax, 0));
}

TEST_CASE("sample returns the first index with a cumulative weight above the number", "[simplex_map]") {
  const Vector p = vector({0, 0.25, 0, 0.5, 0.25, 0});
  CHECK(sample(p, 0.0) == 1);
  CHECK(sample(p, 0.2499999) == 1);
  CHECK(sample(p, 0.25) == 3);
  CHECK(sample(p, 0.75) == 4);
  CHECK(sample(p, std::nextafter(1.0, 0.0)) == 4);
  CHECK(sample(vector({0.1, 0.1, 0}), 0.9) == 1);  // beyond the sum: the last index with a weight
  CHECK(support(p) == std::vector<Index>{1, 3, 4});
  CHECK(support(Vector::Zero(2)).empty());
  for (const double bad : {-0.1, 1.0, nan}) CHECK_INVALID(sample(p, bad));
  CHECK_INVALID(sample(Vector::Zero(3), 0.5));
  Rng rng(18, "simplex_map_test sample");
  std::vector<int> drawn(4);
  const Vector q = apply(SimplexMap::softmax, vector({0, 1, -1, 0.5}));
  for (int i = 0; i < 20000; ++i) ++drawn[static_cast<std::size_t>(sample(q, rng.uniform()))];
  std::vector<double> expected;
  for (const double x : q) expected.push_back(20000 * x);
  CHECK(chi_square(drawn, expected) < 16.3);  // 3 degrees of freedom: 0.001
}

TEST_CASE("maps have names", "[simplex_map]") {
  for (const SimplexMapFacts& map : simplex_maps) {
    CHECK(facts(map.value).name == map.name);
    CHECK(value_named(simplex_maps, map.name) == map.value);
    CHECK(map.has_alpha == (map.name == "entmax" || map.name == "normmax"));
  }
  CHECK(value_named(simplex_maps, "sparsemax") == SimplexMap::sparsemax);
  CHECK_FALSE(value_named(simplex_maps, "hardmax").has_value());
  CHECK_FALSE(value_named(simplex_maps, "").has_value());
}

TEST_CASE("invalid arguments of maps are rejected", "[simplex_map]") {
  const auto refuses = [](const Regulariser& omega, const Vector& s, double temperature) {
    INFO(name_of(omega));
    const Vector v = Vector::Ones(s.size());
    CHECK_INVALID(apply(omega, s, temperature));
    CHECK_INVALID(programme_value(omega, s, temperature));
    CHECK_INVALID(jacobian_product(omega, s, v, temperature));
    CHECK_INVALID(threshold(omega, s, temperature));
    CHECK_INVALID(derivative_in_alpha(omega, s, temperature));
  };
  for (const Regulariser& omega : regularisers(2)) {
    refuses(omega, Vector(), 1);
    for (const double bad : {nan, infinity, -infinity}) {
      refuses(omega, vector({0, bad}), 1);
      refuses(omega, vector({bad, 0}), 1);
    }
    for (const double bad : {0.0, -1.0, nan, infinity}) refuses(omega, Vector::Ones(2), bad);
    CHECK_INVALID(jacobian_product(omega, Vector::Ones(2), Vector::Ones(3)));
  }
  for (const double bad : {0.99, -1.0, nan, -infinity})
    refuses({SimplexMap::entmax, bad}, Vector::Ones(2), 1);
  for (const double bad : {1.0, 0.5, nan}) refuses({SimplexMap::normmax, bad}, Vector::Ones(2), 1);
  for (const Index bad : {0, -1, 3}) refuses({SimplexMap::budget, 1.5, bad}, Vector::Ones(2), 1);
}

}  // namespace
}  // namespace engram::core
