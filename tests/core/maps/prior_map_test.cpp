// SPDX-License-Identifier: MIT
#include "core/maps/prior_map.hpp"

#include "core/maps/simplex_map.hpp"
#include "tests/core/regularisers.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// The derivative dD/dp_i, from the definition of each form of prior.
long double slope(const Prior& prior, long double p, double q) {
  const long double alpha = prior.alpha, u = std::max(p, 1e-300L) / q;
  if (prior.form == PriorForm::euclidean) return p - q;
  if (prior.form == PriorForm::kl || alpha == 1) return std::log(u) + 1;
  return (alpha * std::pow(u, alpha - 1) - 1) / (alpha * (alpha - 1));
}

double divergence_by_definition(const Prior& prior, const Vector& p) {
  long double total = 0;
  for (Index i = 0; i < p.size(); ++i) {
    const long double q = prior.q[i], x = p[i], alpha = prior.alpha;
    if (prior.form == PriorForm::euclidean)
      total += (x - q) * (x - q) / 2;
    else if (x > 0 && (prior.form == PriorForm::kl || alpha == 1))
      total += x * std::log(x / q);
    else if (x > 0)
      total += q * (std::pow(x / q, alpha) - x / q) / (alpha * (alpha - 1));
  }
  return static_cast<double>(total);
}

std::vector<Prior> priors(const Vector& q) {
  return {{PriorForm::kl, q, 1.5},       {PriorForm::alpha, q, 1.0}, {PriorForm::alpha, q, 1.2},
          {PriorForm::alpha, q, 1.5},    {PriorForm::alpha, q, 2.0}, {PriorForm::alpha, q, 3.0},
          {PriorForm::euclidean, q, 1.5}};
}

std::string prior_name(const Prior& prior) {
  return "form " + std::to_string(static_cast<int>(prior.form)) + " alpha " + std::to_string(prior.alpha);
}

Vector random_prior(Rng& rng, Index n, bool zeros) {
  Vector q(n);
  for (double& x : q) x = zeros && rng.below(3) == 0 ? 0.0 : -std::log(rng.uniform());
  q[below(rng, n)] = 0.5;
  return q / q.sum();
}

TEST_CASE("a map with a prior finds the maximum found by pairwise exchange of weights", "[prior_map]") {
  Rng rng(1, "prior_map_test exchange");
  for (int trial = 0; trial < 40; ++trial) {
    const Index n = 1 + below(rng, 5);
    const Vector s = normal_vector(rng, n);
    const double temperature = 0.3 + rng.uniform();
    Vector q = random_prior(rng, n, false);
    if (rng.below(2) == 0) q *= 3;  // not normalised
    for (const Prior& prior : priors(q)) {
      INFO(prior_name(prior));
      const Vector best = solved_by_exchange(n, 1, [&](const auto& p, std::size_t i) {
        const auto at = static_cast<Index>(i);
        return s[at] / temperature - slope(prior, p[i], q[at]);
      });
      REQUIRE(distance(apply(prior, s, temperature), best) < 1e-9);  // the precision of the reference solver
    }
  }
}

TEST_CASE("equal scores give the prior", "[prior_map]") {
  Rng rng(2, "prior_map_test constant");
  for (int trial = 0; trial < 200; ++trial) {
    const Vector q = random_prior(rng, 1 + below(rng, 30), true);
    for (const Prior& prior : priors(q)) {
      INFO(prior_name(prior));
      for (const double score : {0.0, 1e4, -0.3, 1e-300}) {
        const Vector s = Vector::Constant(q.size(), score);
        REQUIRE(distance(apply(prior, s, 0.7), q) < 1e-15);
        REQUIRE(std::abs(programme_value(prior, s, 0.7) - score) <= 1e-15 * (1 + std::abs(score)));
      }
      REQUIRE(std::abs(divergence(prior, q)) < 1e-15);  // rounding of the sum of q
    }
  }
}

TEST_CASE("a uniform prior has no effect", "[prior_map]") {
  Rng rng(3, "prior_map_test uniform");
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + below(rng, 30);
    const Vector s = normal_vector(rng, n), q = Vector::Constant(n, 1 / static_cast<double>(n));
    REQUIRE(distance(apply(Prior{PriorForm::kl, q}, s, 0.7), apply(SimplexMap::softmax, s, 0.7)) < 2e-15);
    REQUIRE(distance(apply(Prior{PriorForm::euclidean, q}, s, 0.7), apply(SimplexMap::sparsemax, s, 0.7)) <
            2e-15);
    for (const double alpha : {1.2, 1.5, 2.0, 3.0}) {  // equals entmax at the temperature T n^(alpha-1)
      const double temperature = 0.7 * std::pow(static_cast<double>(n), alpha - 1);
      REQUIRE(distance(apply(Prior{PriorForm::alpha, q, alpha}, s, 0.7),
                       apply({SimplexMap::entmax, alpha}, s, temperature)) < (alpha > 2 ? 1e-9 : 1e-14));
    }
  }
}

TEST_CASE("a prior of 0 gives a weight of 0, except for the euclidean form", "[prior_map]") {
  const Vector q = vector({0.5, 0, 0.5}), s = vector({0, 1e4, 0.1});
  for (const Prior& prior : priors(q)) {
    INFO(prior_name(prior));
    const Vector p = apply(prior, s);
    const bool free = prior.form == PriorForm::euclidean;
    CHECK(p[1] == (free ? 1.0 : 0.0));
    CHECK(std::abs(p.sum() - 1) < 1e-15);
    CHECK(divergence(prior, Vector::Unit(3, 1)) == (free ? 0.75 : infinity));
    // Removing the item whose prior is 0 does not change the other weights.
    if (free) continue;
    Prior without = prior;
    without.q = vector({0.5, 0.5});
    CHECK(distance(vector({p[0], p[2]}), apply(without, vector({0, 0.1}))) < 1e-15);
  }
}

TEST_CASE("a prior of counts equals repeated keys", "[prior_map]") {
  Rng rng(4, "prior_map_test counts");
  for (int trial = 0; trial < 100; ++trial) {
    const Index n = 1 + below(rng, 8);
    const Vector s = normal_vector(rng, n);
    Vector counts(n);
    std::vector<double> repeated;
    for (Index i = 0; i < n; ++i) {
      counts[i] = static_cast<double>(1 + rng.below(4));
      repeated.insert(repeated.end(), static_cast<std::size_t>(counts[i]), s[i]);
    }
    const Vector all = Eigen::Map<const Vector>(repeated.data(), static_cast<Index>(repeated.size()));
    const auto gathered = [&](const Vector& p) {
      Vector sums = Vector::Zero(n);
      for (Index i = 0, at = 0; i < n; ++i)
        for (Index c = 0; c < static_cast<Index>(counts[i]); ++c) sums[i] += p[at++];
      return sums;
    };
    REQUIRE(distance(apply(Prior{PriorForm::kl, counts}, s), gathered(apply(SimplexMap::softmax, all))) <
            1e-14);
    for (const double alpha : {1.2, 1.5, 2.0})
      REQUIRE(distance(apply(Prior{PriorForm::alpha, counts, alpha}, s),
                       gathered(apply({SimplexMap::entmax, alpha}, all))) < 1e-14);
  }
}

TEST_CASE("divergence equals its definition, and programme_value is the maximum", "[prior_map]") {
  Rng rng(5, "prior_map_test value");
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + below(rng, 8);
    const Vector s = normal_vector(rng, n), q = random_prior(rng, n, true) * (trial % 2 == 0 ? 1 : 2.5);
    const double temperature = random_temperature(rng);
    for (const Prior& prior : priors(q)) {
      INFO(prior_name(prior));
      const auto objective = [&](const Vector& p) {
        return p.dot(s) - temperature * divergence_by_definition(prior, p);
      };
      const Vector p = apply(prior, s, temperature);
      const double value = programme_value(prior, s, temperature);
      const double rounding = 1e-13 * (1 + s.cwiseAbs().maxCoeff() + temperature);
      REQUIRE(std::abs(value - objective(p)) < rounding);
      for (int point = 0; point < 10; ++point) {
        Vector other = random_distribution(rng, n);
        if (prior.form != PriorForm::euclidean) {
          for (Index i = 0; i < n; ++i) other[i] = q[i] == 0 ? 0.0 : other[i] + 1e-3;
          other /= other.sum();
        }
        REQUIRE(std::abs(divergence(prior, other) - divergence_by_definition(prior, other)) <
                1e-13 * (1 + divergence(prior, other)));
        REQUIRE(objective(other) <= value + rounding);
      }
    }
  }
}

TEST_CASE("divergence is accurate near the prior", "[prior_map]") {
  const Vector q = vector({0.25, 0.75});
  for (const int power : {-10, -20, -30}) {
    const double e = std::ldexp(1.0, power);  // a power of two, so that p sums to 1 exactly
    const Vector p = vector({0.25 + e, 0.75 - e});
    // Every form that divides by q gives e^2 (1/q1 + 1/q2)/2, with a relative error of order e.
    const double expected = 0.5 * e * e * (4 + 4. / 3);
    for (const Prior& prior : priors(q))
      if (prior.form != PriorForm::euclidean)
        CHECK(std::abs(divergence(prior, p) / expected - 1) < 10 * e + 1e-14);
    CHECK(divergence({PriorForm::euclidean, q}, p) == e * e);
  }
}

TEST_CASE("J v with a prior agrees with differences, is symmetric, and is 0 for constant v", "[prior_map]") {
  Rng rng(6, "prior_map_test jacobian");
  constexpr double h = 1e-6;
  int compared = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + below(rng, 6);
    const Vector s = normal_vector(rng, n), q = random_prior(rng, n, true);
    const Vector u = normal_vector(rng, n), v = normal_vector(rng, n);
    const double temperature = 0.5 + rng.uniform();
    for (const Prior& prior : priors(q)) {
      INFO(prior_name(prior));
      const Vector product = jacobian_product(prior, s, v, temperature);
      const double rounding = 1e-12 * (1 + product.cwiseAbs().maxCoeff());
      const Vector other = jacobian_product(prior, s, u, temperature);
      REQUIRE(std::abs(u.dot(product) - v.dot(other)) < rounding * (1 + other.cwiseAbs().maxCoeff()));
      REQUIRE(v.dot(product) > -rounding);
      REQUIRE(jacobian_product(prior, s, Vector::Constant(n, -2.5)).cwiseAbs().maxCoeff() < 1e-15);
      const Vector p = apply(prior, s, temperature);
      const Vector forth = apply(prior, s + h * v, temperature), back = apply(prior, s - h * v, temperature);
      bool clear = true;
      for (Index i = 0; i < n; ++i)
        clear = clear && (p[i] == 0 || p[i] > 1e-2) && (p[i] > 0) == (forth[i] > 0) &&
                (p[i] > 0) == (back[i] > 0);
      if (!clear) continue;
      REQUIRE(distance(product, (forth - back) / (2 * h)) < (prior.alpha > 2 ? 1e-4 : 1e-8));
      ++compared;
    }
  }
  CHECK(compared > 500);
}

TEST_CASE("priors and scores may be huge or tiny", "[prior_map]") {
  const Vector q = vector({1e-300, 1, 1e-10}), v = vector({1, -2, 3});
  for (const Prior& prior : priors(q)) {
    INFO(prior_name(prior));
    for (const Vector& s :
         {vector({1e4, -1e4, 9999}), vector({1e-300, 0, -1e-300}), vector({1e308, -1e308, 0})}) {
      const Vector p = apply(prior, s);
      CHECK(std::abs(p.sum() - 1) < 1e-15);
      CHECK((p.array() >= 0).all());
      CHECK(jacobian_product(prior, s, v).allFinite());
    }
    CHECK(apply(prior, vector({1e308, -1e308, 0})) == vector({1, 0, 0}));
    CHECK(apply(Prior{prior.form, Vector::Constant(1, 0.3), prior.alpha}, vector({-4})) ==
          Vector(Vector::Ones(1)));
  }
  // The prior 1e-300 has the logarithm -690.8, which the score 700 outweighs.
  const Vector p = apply(Prior{PriorForm::kl, q}, vector({700, 0, 0}));
  CHECK(std::abs(p[0] - 1 / (1 + std::exp(-700 + 300 * std::log(10.0)) * (1 + 1e-10))) < 1e-12);
}

TEST_CASE("age_prior and kernel_prior equal their formulas", "[prior_map]") {
  const Vector halves = age_prior(vector({0, 1, 2}), std::log(2.0));
  CHECK(distance(halves, vector({4. / 7, 2. / 7, 1. / 7})) < 1e-15);
  CHECK(distance(age_prior(vector({1e6, 1e6 + 1}), std::log(2.0)), vector({2. / 3, 1. / 3})) < 1e-9);
  // A linear age bias is the softmax of s - T rate age.
  const Vector s = vector({0.3, 1, -0.2}), ages = vector({5, 2, 0});
  CHECK(distance(apply(Prior{PriorForm::kl, age_prior(ages, 0.4)}, s, 0.5),
                 apply(SimplexMap::softmax, s - 0.5 * 0.4 * ages, 0.5)) < 1e-15);
  CHECK(age_prior(ages, 0) == Vector(Vector::Constant(3, 1.0 / 3)));
  CHECK_INVALID(age_prior(Vector(), 1));
  CHECK_INVALID(age_prior(ages, nan));
  CHECK_INVALID(age_prior(vector({infinity}), 1));

  const Vector gaussian = kernel_prior(vector({0, 2, -2}), 2);
  const double far = std::exp(-0.5), total = 1 + 2 * far;
  CHECK(distance(gaussian, vector({1 / total, far / total, far / total})) < 1e-15);
  CHECK(kernel_prior(vector({1e300, 1e200, 1}), 1) == vector({0, 0, 1}));
  // The result depends only on the differences of values, even if all values are large or close to each other.
  CHECK(kernel_prior(vector({1e160, 2e160}), 1) == vector({1, 0}));
  CHECK(kernel_prior(vector({-2e200, 1e200, 1e200}), 1) == vector({0, 0.5, 0.5}));
  CHECK(kernel_prior(vector({1e308, -1.5e308}), 1e-300) == vector({1, 0}));
  CHECK(distance(kernel_prior(vector({0x1p30, 0x1p30 + 0x1p-20}), 1),
                 vector({1 / (1 + std::exp(-1024.0)), 1 / (1 + std::exp(1024.0))})) < 1e-15);
  CHECK(distance(kernel_prior(vector({0x1p40, 0x1p40 + 0x1p-12}), 0x1p14),
                 vector({1 / (1 + std::exp(-1.0)), 1 / (1 + std::exp(1.0))})) < 1e-12);
  CHECK(age_prior(vector({1e200, 2e200, 1e200}), 1e200) == vector({0.5, 0, 0.5}));
  CHECK(age_prior(vector({-1e308, 1e308}), 1) == vector({1, 0}));
  CHECK(age_prior(vector({-1e308, 1e308}), -1) == vector({0, 1}));
  CHECK(age_prior(vector({-1e308, 1e308}), 0) == vector({0.5, 0.5}));
  for (const double bad : {0.0, -1.0, nan, infinity}) CHECK_INVALID(kernel_prior(vector({1}), bad));
  CHECK_INVALID(kernel_prior(vector({nan}), 1));
  CHECK_INVALID(kernel_prior(Vector(), 1));
}

TEST_CASE("invalid priors are rejected", "[prior_map]") {
  const Vector s = Vector::Zero(2);
  const auto refuses = [&](const Prior& prior, const Vector& scores, double temperature) {
    INFO(prior_name(prior) << " " << prior.q.transpose());
    CHECK_INVALID(apply(prior, scores, temperature));
    CHECK_INVALID(programme_value(prior, scores, temperature));
    CHECK_INVALID(jacobian_product(prior, scores, scores, temperature));
  };
  for (const Prior& prior : priors(Vector::Ones(2))) {
    for (const double bad : {nan, -0.1, infinity}) refuses({prior.form, vector({bad, 1}), prior.alpha}, s, 1);
    refuses({prior.form, Vector::Ones(3), prior.alpha}, s, 1);
    refuses({prior.form, vector({1e308, 1e308}), prior.alpha}, s, 1);
    refuses({prior.form, Vector(), prior.alpha}, Vector(), 1);
    if (prior.form != PriorForm::euclidean) refuses({prior.form, Vector::Zero(2), prior.alpha}, s, 1);
    for (const double bad : {nan, 0.0, -1.0, infinity}) refuses(prior, s, bad);
    for (const double bad : {nan, infinity}) refuses(prior, vector({0, bad}), 1);
    CHECK_INVALID(jacobian_product(prior, s, Vector::Ones(3)));
    CHECK_INVALID(divergence(prior, Vector::Ones(3)));
  }
  for (const double bad : {0.9, nan, infinity}) refuses({PriorForm::alpha, Vector::Ones(2), bad}, s, 1);
}

}  // namespace
}  // namespace engram::core
