// SPDX-License-Identifier: MIT
#include "core/numbers/ranking.hpp"

#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// Random multiples of 1/4. Few different `values` give many ties.
Vector ranking(Rng& rng, Index n, std::uint64_t values) {
  Vector v(n);
  for (double& x : v) x = static_cast<double>(rng.below(values)) / 4;
  return v;
}

int sign(double x) { return (x > 0) - (x < 0); }

// Kendall's tau by counting pairs: (C - D) / sqrt((N - T_a)(N - T_b)) for C concordant, D discordant, N total and T
// tied pairs.
std::optional<double> slow_kendall(const Vector& a, const Vector& b) {
  double difference = 0, untied_a = 0, untied_b = 0;
  for (Index i = 0; i < a.size(); ++i)
    for (Index j = 0; j < i; ++j) {
      difference += sign(a[i] - a[j]) * sign(b[i] - b[j]);
      untied_a += a[i] != a[j] ? 1 : 0;
      untied_b += b[i] != b[j] ? 1 : 0;
    }
  if (untied_a == 0 || untied_b == 0) return {};
  return difference / std::sqrt(untied_a * untied_b);
}

// Ranks by counting: 1, plus the number of smaller values, plus half the number of other equal values.
Vector slow_ranks(const Vector& a) {
  Vector ranks(a.size());
  for (Index i = 0; i < a.size(); ++i) {
    double rank = 1;
    for (Index j = 0; j < a.size(); ++j) rank += a[j] < a[i] ? 1 : (a[j] == a[i] && j != i ? 0.5 : 0);
    ranks[i] = rank;
  }
  return ranks;
}

std::optional<double> slow_spearman(const Vector& a, const Vector& b) {
  if (a.size() < 2) return {};
  const Vector x = slow_ranks(a).array() - slow_ranks(a).mean(),
               y = slow_ranks(b).array() - slow_ranks(b).mean();
  if (x.isZero(1e-9) || y.isZero(1e-9)) return {};
  return x.dot(y) / x.norm() / y.norm();
}

TEST_CASE("Spearman and Kendall agree with counting pairs, also with ties", "[agreement]") {
  Rng rng(1, "agreement_test brute force");
  int nothing = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const Index n = below(rng, 25);
    const double lowest = trial % 3 == 0 ? -1 : 0;  // in a third of the trials 0 is not the smallest value
    const Vector a = ranking(rng, n, 1 + rng.below(30)).array() + lowest,
                 b = ranking(rng, n, 1 + rng.below(30)).array() + lowest;
    const auto tau = kendall(a, b), slow_tau = slow_kendall(a, b);
    REQUIRE(tau.has_value() == slow_tau.has_value());
    if (tau) REQUIRE(std::abs(*tau - *slow_tau) < 1e-14);  // rounding of two roots and quotients
    const auto rho = spearman(a, b), slow_rho = slow_spearman(a, b);
    REQUIRE(rho.has_value() == slow_rho.has_value());
    if (rho) REQUIRE(std::abs(*rho - *slow_rho) < 1e-14);
    nothing += tau ? 0 : 1;
  }
  CHECK(nothing > 20);  // rankings that are too short or constant have no correlation
  CHECK(nothing < 200);
}

TEST_CASE("Kendall agrees with counting for long rankings", "[agreement]") {
  Rng rng(2, "agreement_test long");
  for (const std::uint64_t values : {3ULL, 100ULL, 1000000ULL}) {
    const Vector a = ranking(rng, 700, values), b = ranking(rng, 700, values) + a;
    CHECK(std::abs(kendall(a, b).value() - slow_kendall(a, b).value()) < 1e-13);
  }
}

TEST_CASE("rank correlations of examples computed by hand", "[agreement]") {
  const Vector up = vector({1, 2, 3, 4, 5});
  CHECK(spearman(up, up * 7).value() == 1);
  CHECK(std::abs(kendall(up, up * 7).value() - 1) < 1e-15);  // two roots and quotients
  CHECK(spearman(up, -up).value() == -1);
  CHECK(std::abs(kendall(up, -up).value() + 1) < 1e-15);
  // One swap of neighbours gives rho = 1 - 6*2/(5*24) and tau = (9 - 1)/10.
  const Vector nearly = vector({1, 2, 4, 3, 5});
  CHECK(std::abs(spearman(up, nearly).value() - 0.9) < 1e-15);
  CHECK(std::abs(kendall(up, nearly).value() - 0.8) < 1e-15);
  // One tie: five of six pairs are ordered on the left, and all agree with the right, so tau is 5/sqrt(5*6).
  CHECK(std::abs(kendall(vector({1, 1, 2, 3}), vector({1, 2, 3, 4})).value() - 5 / std::sqrt(30.0)) < 1e-15);
  // The ranks (1.5, 1.5, 3, 4) and (1, 2, 3, 4) have the correlation 4.5/sqrt(4.5*5).
  CHECK(std::abs(spearman(vector({1, 1, 2, 3}), vector({1, 2, 3, 4})).value() - 4.5 / std::sqrt(22.5)) <
        1e-15);
  // The result depends only on the order.
  const Vector huge = vector({-1e308, 0, 5e-324, 1, 1e308});
  CHECK(spearman(up, huge).value() == 1);
  CHECK(std::abs(kendall(up, huge).value() - 1) < 1e-15);
}

TEST_CASE("rank correlations are symmetric, within [-1, 1], and 1 for the same order", "[agreement]") {
  Rng rng(3, "agreement_test symmetric");
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 2 + below(rng, 20);
    const Vector a = ranking(rng, n, 6), b = ranking(rng, n, 6);
    CHECK(spearman(a, b) == spearman(b, a));
    CHECK(kendall(a, b) == kendall(b, a));
    CHECK(jensen_shannon(a, b) == jensen_shannon(b, a));
    CHECK(top_overlap(a, b, 5) == top_overlap(b, a, 5));
    for (const auto& value : {kendall(a, b), spearman(a, b), kendall(a, a), spearman(a, a)})
      if (value) CHECK(std::abs(*value) <= 1);
    if (kendall(a, a)) CHECK(*kendall(a, a) > 1 - 1e-15 * 4);
  }
}

TEST_CASE("a constant or too short side has no correlation", "[agreement]") {
  const Vector up = vector({1, 2, 3});
  for (const Vector& flat : {Vector(Vector::Zero(3)), Vector(Vector::Constant(3, 0.3))}) {
    CHECK_FALSE(spearman(up, flat).has_value());
    CHECK_FALSE(spearman(flat, up).has_value());
    CHECK_FALSE(kendall(up, flat).has_value());
    CHECK_FALSE(kendall(flat, up).has_value());
    CHECK_FALSE(kendall(flat, flat).has_value());
  }
  for (const Index n : {0, 1}) {
    CHECK_FALSE(spearman(Vector::Ones(n), Vector::Ones(n)).has_value());
    CHECK_FALSE(kendall(Vector::Ones(n), Vector::Ones(n)).has_value());
  }
  CHECK_INVALID(spearman(up, Vector::Ones(2)));
  CHECK_INVALID(kendall(up, Vector::Ones(4)));
}

TEST_CASE("top_overlap of examples computed by hand", "[agreement]") {
  const Vector a = vector({5, 4, 3, 2, 1, 0}), b = vector({5, 0, 3, 9, 0, 0});
  CHECK(top_overlap(a, b, 1) == 0);          // top sets {0} and {3}
  CHECK(top_overlap(a, b, 2) == 0.5);        // top sets {0,1} and {3,0}
  CHECK(top_overlap(a, b, 3) == 2.0 / 3);    // top sets {0,1,2} and {3,0,2}
  CHECK(top_overlap(a, b, 5) == 3.0 / 5);    // b has only three positive items
  CHECK(top_overlap(a, b, 100) == 3.0 / 5);  // relative to the larger set, of five items
  CHECK(top_overlap(a, a, 4) == 1);
  CHECK(top_overlap(vector({1, 1, 0}), vector({0, 1, 1}), 1) == 0);  // the first of equal items: {0} and {1}
  CHECK(top_overlap(Vector::Zero(3), Vector::Zero(3), 2) == 1);
  CHECK(top_overlap(Vector::Zero(3), Vector::Ones(3), 2) == 0);
  CHECK(top_overlap(a, b, 0) == 1);  // both sets are empty
}

TEST_CASE("top_overlap agrees with sorting all values", "[agreement]") {
  Rng rng(4, "agreement_test overlap");
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + below(rng, 20);
    const Vector a = ranking(rng, n, 8), b = ranking(rng, n, 8);
    const std::size_t k = 1 + rng.below(12);
    const auto best = [&](const Vector& v) {
      std::set<Index> chosen;
      while (chosen.size() < k) {
        Index top = -1;
        for (Index i = 0; i < n; ++i)
          if (chosen.count(i) == 0 && v[i] > 0 && (top < 0 || v[i] > v[top])) top = i;
        if (top < 0) break;
        chosen.insert(top);
      }
      return chosen;
    };
    double shared = 0;
    for (const Index i : best(a)) shared += best(b).count(i) > 0 ? 1 : 0;
    const auto larger = static_cast<double>(std::max(best(a).size(), best(b).size()));
    CHECK(top_overlap(a, b, k) == (larger == 0 ? 1 : shared / larger));
  }
}

TEST_CASE("Jensen-Shannon divergence is 0 for equal and 1 for disjoint distributions", "[agreement]") {
  const Vector p = vector({0.5, 0.25, 0.25, 0});
  CHECK(jensen_shannon(p, p).value() == 0);
  CHECK(jensen_shannon(p, p * 8).value() == 0);  // scaling has no effect
  CHECK(std::abs(jensen_shannon(vector({1, 3, 0, 0}), vector({0, 0, 2, 5})).value() - 1) < 1e-15);
  // The divergence of (1, 0) and (1/2, 1/2) is H(3/4, 1/4) - H(1/2, 1/2)/2 = 0.811278 - 0.5 bits, with the entropy H.
  const double hand = -0.75 * std::log2(0.75) - 0.25 * std::log2(0.25) - 0.5;
  CHECK(std::abs(jensen_shannon(vector({1, 0}), vector({0.5, 0.5})).value() - hand) < 1e-15 * 2);
  CHECK(std::abs(hand - 0.311278) < 1e-6);
  CHECK_FALSE(jensen_shannon(p, Vector::Zero(4)).has_value());
  CHECK_FALSE(jensen_shannon(Vector::Zero(4), p).has_value());
  CHECK_FALSE(jensen_shannon(Vector(), Vector()).has_value());
  CHECK_INVALID(jensen_shannon(p, Vector::Ones(3)));
}

TEST_CASE("measures of agreement stay in their ranges for the smallest weights", "[agreement]") {
  CHECK(jensen_shannon(vector({1, 5e-324}), vector({1, 0})).value() < 1e-300);
  CHECK(jensen_shannon(vector({1, 5e-324}), vector({1, 5e-324})).value() == 0);
  for (Index n = 2; n < 50; ++n) {
    const Vector up = Vector::LinSpaced(n, 1, static_cast<double>(n));
    CHECK(kendall(up, up).value() == 1);  // the root of a square is exact
    CHECK(kendall(up, -up).value() == -1);
  }
}

TEST_CASE("Jensen-Shannon divergence is the entropy of the mean minus the mean entropy", "[agreement]") {
  Rng rng(5, "agreement_test divergence");
  const auto entropy = [](const Vector& p) {
    long double h = 0;
    for (const double x : p)
      if (x > 0) h -= static_cast<long double>(x) * std::log2(static_cast<long double>(x));
    return static_cast<double>(h);
  };
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = 1 + below(rng, 30);
    Vector a(n), b(n);
    for (Index i = 0; i < n; ++i) {
      a[i] = rng.below(3) == 0 ? 0.0 : rng.uniform();
      b[i] = rng.below(3) == 0 ? 0.0 : rng.uniform();
    }
    if (a.sum() == 0 || b.sum() == 0) continue;
    const Vector p = a / a.sum(), q = b / b.sum();
    const double expected = entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2;
    const double found = jensen_shannon(a, b).value();
    CHECK(std::abs(found - expected) < 1e-14);  // rounding of 30 terms below 1
    CHECK(found == jensen_shannon(b, a).value());
    CHECK(found >= 0);
    CHECK(found <= 1);
  }
}

}  // namespace
}  // namespace engram::core
