// SPDX-License-Identifier: MIT
#include "experiments/statistics/statistics.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers/random.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::experiments;

TEST_CASE("the bootstrap interval of a mean approaches the normal interval for many values",
          "[experiments][statistics]") {
  core::Rng rng(3, "bootstrap test");
  std::vector<double> values;
  for (int i = 0; i < 400; ++i) values.push_back(rng.uniform());
  const Estimate estimate = *bootstrap_mean(values);
  double mean = 0, square = 0;
  for (const double x : values) mean += x / 400;
  for (const double x : values) square += (x - mean) * (x - mean) / 399;
  const double half = 1.96 * std::sqrt(square / 400);
  CHECK(estimate.mean == Approx(mean));
  // With 2000 resamples, the error of a 2.5 % quantile is about 10 % of the interval's half width.
  CHECK(estimate.low == Approx(mean - half).margin(0.15 * half));
  CHECK(estimate.high == Approx(mean + half).margin(0.15 * half));
}

TEST_CASE("the bootstrap covers the true mean in about 95 percent of samples", "[experiments][statistics]") {
  int covered = 0;
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    core::Rng rng(4, "coverage", trial);
    std::vector<double> values;
    for (int i = 0; i < 30; ++i) values.push_back(rng.uniform());
    const Estimate estimate = *bootstrap_mean(values);
    covered += estimate.low <= 0.5 && 0.5 <= estimate.high;
  }
  // The coverage is slightly below 95 %, because percentile intervals of 30 values are a little short.
  CHECK(covered >= 270);
  CHECK(covered <= 297);
}

TEST_CASE("the interval of a skewed sample is asymmetric as theory predicts", "[experiments][statistics]") {
  // Expected limits by the second-order theory of the mean (Hall 1992, "The Bootstrap and Edgeworth Expansion", section
  // 3.6). m is the mean, s the standard deviation and g the skewness, both with divisor n. The limits are m + s/sqrt(n)
  // (z + g (2 z^2 + 1) / (6 sqrt(n))) for z = -1.96 and z = 1.96. Percentile intervals have (z^2 - 1) instead of (2 z^2
  // + 1), which is an error of 0.1 half widths here.
  std::vector<double> values;
  for (int i = 0; i < 64; ++i)
    values.push_back(-std::log((i + 0.5) / 64));  // quantiles of the exponential distribution
  double mean = 0, square = 0, cube = 0;
  for (const double x : values) mean += x / 64;
  for (const double x : values) square += std::pow(x - mean, 2) / 64;
  for (const double x : values) cube += std::pow(x - mean, 3) / 64;
  const double z = 1.96, error = std::sqrt(square / 64), g = cube / std::pow(square, 1.5);
  const double lean = g * (2 * z * z + 1) / (6 * 8);
  const Estimate estimate = *bootstrap_mean(values);
  CHECK(estimate.low == Approx(mean + error * (lean - z)).margin(0.08 * error * z));
  // The upper limit has the larger error: with 2000 resamples, its standard error is about 0.07 half widths.
  CHECK(estimate.high == Approx(mean + error * (lean + z)).margin(0.2 * error * z));
  // Beyond the limit of a percentile interval.
  CHECK(estimate.high > mean + error * (g * (z * z - 1) / (6 * 8) + z));
  std::vector<double> mirrored;
  for (const double x : values) mirrored.push_back(-x);
  CHECK(bootstrap_mean(mirrored)->low == Approx(-estimate.high).margin(1e-9));
  CHECK(bootstrap_mean(mirrored)->high == Approx(-estimate.low).margin(1e-9));
}

namespace {

// Reference implementation of the bias-corrected and accelerated (BCa) bootstrap interval, over the same resamples.
std::pair<double, double> bca_by_definition(const std::vector<double>& x) {
  const std::size_t n = x.size();
  double mean = 0;
  for (const double v : x) mean += v / static_cast<double>(n);
  std::vector<double> left_out, means;  // left_out: jackknife means, each without one value
  for (const double v : x)
    left_out.push_back((mean * static_cast<double>(n) - v) / static_cast<double>(n - 1));
  double top = 0, bottom = 0;
  for (const double v : left_out) top += std::pow(mean - v, 3), bottom += std::pow(mean - v, 2);
  const double a = top / (6 * std::pow(bottom, 1.5));
  core::Rng rng(0, "bootstrap_mean", n);
  double below = 0;
  for (int i = 0; i < 2000; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += x[rng.below(n)];
    means.push_back(sum / static_cast<double>(n));
    below += std::abs(means.back() - mean) < 1e-13 ? 0.5 : means.back() < mean ? 1 : 0;
  }
  std::sort(means.begin(), means.end());
  const auto phi = [](double t) { return 0.5 * (1 + std::erf(t / std::sqrt(2.0))); };
  double z0 = -5;  // bias correction: phi(z0) is the share of means below the sample mean
  while (phi(z0) < below / 2000) z0 += 1e-5;
  const double z = 1.959964;
  const auto limit = [&](double at) { return 2000 * phi(z0 + at / (1 - a * at)); };
  return {means.at(static_cast<std::size_t>(limit(z0 - z))),
          means.at(static_cast<std::size_t>(std::ceil(limit(z0 + z))) - 1)};
}

}  // namespace

TEST_CASE("the interval matches the definition of BCa", "[experiments][statistics]") {
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    core::Rng rng(5, "definition", trial);
    std::vector<double> values;
    for (std::uint64_t i = 0; i < 10 + 3 * trial; ++i) values.push_back(std::pow(rng.uniform(), 4));
    const auto [low, high] = bca_by_definition(values);
    const Estimate estimate = *bootstrap_mean(values);
    CHECK(estimate.low == Approx(low).epsilon(1e-9));
    CHECK(estimate.high == Approx(high).epsilon(1e-9));
  }
}

TEST_CASE("few values have the plain percentile interval", "[experiments][statistics]") {
  const std::vector<double> values{0, 0, 0, 0, 0, 0, 0, 0, 1};  // nine values, because BCa needs at least ten
  core::Rng rng(0, "bootstrap_mean", 9);
  std::vector<double> means(2000);
  for (double& mean : means)
    for (int i = 0; i < 9; ++i) mean += values[rng.below(9)] / 9;
  std::sort(means.begin(), means.end());
  CHECK(bootstrap_mean(values)->low == Approx(means[50]).margin(1e-12));
  CHECK(bootstrap_mean(values)->high == Approx(means[1949]));
}

TEST_CASE("intervals are correct for huge, tiny and almost equal values", "[experiments][statistics]") {
  std::vector<double> shape;
  for (int i = 0; i < 16; ++i) shape.push_back(i * i);
  const Estimate plain = *bootstrap_mean(shape);
  for (const double scale : {0x1p-1000, 0x1p1000}) {
    std::vector<double> scaled;
    for (const double x : shape) scaled.push_back(scale * x);
    CHECK(bootstrap_mean(scaled)->low == scale * plain.low);
    CHECK(bootstrap_mean(scaled)->high == scale * plain.high);
  }
  std::vector<double> one_apart(40, 3.0);
  one_apart[7] = 4;
  const Estimate apart = *bootstrap_mean(one_apart);
  CHECK(apart.low >= 3);
  CHECK(apart.low <= apart.mean);
  CHECK(apart.high >= apart.mean);
  CHECK(apart.high <= 4);
}

TEST_CASE("an empty list has no mean, and one value or equal values have no spread",
          "[experiments][statistics]") {
  CHECK_FALSE(bootstrap_mean({}));
  const Estimate one = *bootstrap_mean({0.25});
  CHECK(one.low == 0.25);
  CHECK(one.high == 0.25);
  const Estimate equal = *bootstrap_mean({2, 2, 2});
  CHECK(equal.low == 2);
  CHECK(equal.high == 2);
}

TEST_CASE("Wilson's interval contains exactly the shares that a test does not reject",
          "[experiments][statistics]") {
  CHECK_FALSE(wilson_interval(0, 0));
  CHECK_THROWS_AS(wilson_interval(3, 2), std::invalid_argument);
  const Estimate all = *wilson_interval(10, 10), none = *wilson_interval(0, 10);
  CHECK(all.low == Approx(0.722467).epsilon(1e-6));  // n / (n + z^2) with n = 10 successes
  CHECK(all.high == 1);
  CHECK(none.low == 0);
  CHECK(none.high == Approx(1 - 0.722467).epsilon(1e-5));
  for (const auto& [k, n] : {std::pair<std::size_t, std::size_t>{81, 263}, {1, 10}, {9, 10}, {499, 1000}}) {
    const Estimate e = *wilson_interval(k, n);
    const auto all_of = static_cast<double>(n), p = static_cast<double>(k) / all_of;
    CHECK(e.mean == p);
    // p is z standard errors away from each limit, with the error computed at the limit.
    for (const double border : {e.low, e.high})
      CHECK(std::abs(p - border) == Approx(1.959963984540054 * std::sqrt(border * (1 - border) / all_of)));
  }
}

namespace {

// Reference for the exact p value: enumerates all arrangements of the signs.
double all_arrangements(const std::vector<double>& d) {
  double observed = 0, hits = 0;
  for (const double x : d) observed += x;
  for (std::uint64_t signs = 0; signs < (std::uint64_t{1} << d.size()); ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < d.size(); ++i) sum += (signs >> i & 1) != 0 ? d[i] : -d[i];
    hits += std::abs(sum) >= std::abs(observed) ? 1 : 0;
  }
  return hits / static_cast<double>(std::uint64_t{1} << d.size());
}

std::vector<double> whole_numbers(core::Rng& rng, std::size_t n, std::uint64_t most) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i)
    values.push_back(static_cast<double>(rng.below(2 * most + 1)) - static_cast<double>(most));
  return values;
}

}  // namespace

TEST_CASE("Fisher's test of Darwin's maize gives Fisher's p", "[experiments][statistics]") {
  // Fisher, The Design of Experiments (1935), section 21: 863 of 2^15 arrangements have a sum of at least 314.
  const RearrangementTest test =
      paired_permutation({49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48});
  CHECK(test.p == 2 * 863 / 32768.0);
  CHECK(test.arrangements == 32768);
  CHECK(test.exact);
}

TEST_CASE("the exact test counts the same arrangements as brute force", "[experiments][statistics]") {
  core::Rng rng(8, "arrangements");
  for (int trial = 0; trial < 200; ++trial) {
    // Few distinct values, so that ties and zeros are frequent.
    const auto d = whole_numbers(rng, 1 + rng.below(10), 4);
    CHECK(paired_permutation(d).p == all_arrangements(d));
  }
}

TEST_CASE("sums that differ only by rounding are tied", "[experiments][statistics]") {
  // In doubles, 0.3 - 0.1 - 0.2 is not exactly 0, but it must tie with its mirror image.
  CHECK(paired_permutation({0.1, 0.2, -0.3}).p == 1);
  CHECK(paired_permutation({0.1, 0.2, 0.3, 0.1, 0.2, 0.3}).p == 2 / 64.0);
}

TEST_CASE("many pairs are tested by random arrangements", "[experiments][statistics]") {
  // 21 of 30 differences are 1, the others -1. The two-sided binomial p value 2 P(X >= 21) is 0.04277.
  std::vector<double> d(30, 1.0);
  std::fill(d.begin(), d.begin() + 9, -1.0);
  const RearrangementTest test = paired_permutation(d);
  CHECK_FALSE(test.exact);
  CHECK(test.arrangements == 9999);
  CHECK(test.p == Approx(0.04277).margin(0.008));  // four standard errors of an estimate from 9999 draws
  CHECK(test.p == paired_permutation(d).p);
  CHECK(paired_permutation(std::vector<double>(40, 0.5)).p == 1 / 10000.0);
}

TEST_CASE("the test handles zeros, huge and tiny differences, and refuses non-finite ones",
          "[experiments][statistics]") {
  CHECK(paired_permutation({}).p == 1);
  CHECK(paired_permutation({0, 0, 0}).p == 1);
  CHECK(paired_permutation({5}).p == 1);
  // Zeros carry no information, so six differences of one sign count: 2 / 2^6.
  CHECK(paired_permutation({0, 1, 0, 1, 1, 1, 1, 1}).p == 2 / 64.0);
  for (const double scale : {1e-300, 1e4, 1e308})
    CHECK(paired_permutation({scale, scale, scale, scale, scale, -scale}).p == 14 / 64.0);
  CHECK_THROWS_AS(paired_permutation({1, std::nan("")}), std::invalid_argument);
  CHECK_THROWS_AS(paired_permutation({1, INFINITY}), std::invalid_argument);
}

TEST_CASE("p values of the test are uniform under the null hypothesis", "[experiments][statistics]") {
  int hits = 0;
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    core::Rng rng(9, "null", trial);
    std::vector<double> d;
    for (int i = 0; i < 12; ++i) d.push_back(rng.uniform() - 0.5);
    hits += paired_permutation(d).p <= 0.1;
  }
  CHECK(std::abs(hits - 40) <= 24);  // 40 of 400 hits are expected; the tolerance is four standard deviations
}

TEST_CASE("Holm's correction steps down", "[experiments][statistics]") {
  const std::vector<double> corrected = holm({0.01, 0.04, 0.03, 0.005});
  const std::vector<double> wanted{0.03, 0.06, 0.06, 0.02};
  for (std::size_t i = 0; i < 4; ++i) CHECK(corrected[i] == Approx(wanted[i]));
  CHECK(holm({}).empty());
  CHECK(holm({0.5}) == std::vector<double>{0.5});
  CHECK(holm({0.9, 0.8}) == std::vector<double>{1, 1});
  // Reference by definition: hypotheses are rejected in ascending order of p, up to the first one that is not.
  core::Rng rng(10, "holm");
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<double> p;
    for (std::uint64_t i = 0; i < 1 + rng.below(8); ++i)
      p.push_back(static_cast<double>(1 + rng.below(9)) / 64);
    const auto fast = holm(p);
    for (const double level : {0.05, 0.1, 0.3, 0.9}) {
      std::vector<double> sorted = p;
      std::sort(sorted.begin(), sorted.end());
      double rejected_up_to = 0;
      for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (sorted[i] * static_cast<double>(sorted.size() - i) > level) break;
        rejected_up_to = sorted[i];
      }
      for (std::size_t i = 0; i < p.size(); ++i) CHECK((fast[i] <= level) == (p[i] <= rejected_up_to));
    }
  }
}

TEST_CASE("Cliff's delta equals the comparison of all pairs", "[experiments][statistics]") {
  CHECK(cliffs_delta({1, 2, 3}, {4, 5}) == -1);
  CHECK(cliffs_delta({4, 5}, {1, 2, 3}) == 1);
  CHECK(cliffs_delta({1, 2}, {1, 2}) == 0);
  CHECK(cliffs_delta({}, {1}) == 0);
  core::Rng rng(11, "delta");
  for (int trial = 0; trial < 100; ++trial) {
    const auto a = whole_numbers(rng, 1 + rng.below(9), 3), b = whole_numbers(rng, 1 + rng.below(9), 3);
    double won = 0;
    for (const double x : a)
      for (const double y : b) won += x > y ? 1 : x < y ? -1 : 0;
    CHECK(cliffs_delta(a, b) == Approx(won / static_cast<double>(a.size() * b.size())).margin(1e-15));
  }
}

TEST_CASE("d_z is the mean in units of the standard deviation", "[experiments][statistics]") {
  CHECK(*effect_size({1, 2, 3}) == Approx(2));
  CHECK(*effect_size({-1, -3}) == Approx(-2 / std::sqrt(2.0)));
  CHECK_FALSE(effect_size({1}));
  CHECK_FALSE(effect_size({0.1, 0.1, 0.1}));
  CHECK_FALSE(effect_size({}));
}
