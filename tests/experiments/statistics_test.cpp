// SPDX-License-Identifier: MIT
#include "experiments/statistics.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::experiments;

TEST_CASE("the bootstrap interval of a mean is close to the normal one for many values",
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
  // 2000 resamples place a 2.5 percent quantile within about 10 percent of the interval's half width
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
  CHECK(covered >= 270);  // 95 percent less a bit: percentile intervals are a little short at n = 30
  CHECK(covered <= 297);
}

TEST_CASE("no value has no mean, one value has no spread, equal values have none either",
          "[experiments][statistics]") {
  CHECK_FALSE(bootstrap_mean({}));
  const Estimate one = *bootstrap_mean({0.25});
  CHECK(one.low == 0.25);
  CHECK(one.high == 0.25);
  const Estimate equal = *bootstrap_mean({2, 2, 2});
  CHECK(equal.low == 2);
  CHECK(equal.high == 2);
}

TEST_CASE("a lead counts only where the paired difference is clear of zero", "[experiments][statistics]") {
  CHECK(clearly_higher({1.1, 2.1, 3.1, 4.1, 5.1}, {1, 2, 3, 4, 5}));
  CHECK_FALSE(clearly_higher({1.1, 2.1, 3.1, 4.1}, {1, 2, 3, 4}));  // too few
  CHECK_FALSE(clearly_higher({1, 2, 3, 4, 5}, {1.1, 2.1, 3.1, 4.1, 5.1}));
  CHECK_FALSE(clearly_higher({1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}));
  CHECK_FALSE(clearly_higher({0, 9, 0, 9, 1}, {9, 0, 0, 8, 1}));
  CHECK_FALSE(clearly_higher({}, {}));
}

TEST_CASE("tied items share the mean of their ranks, and others do not count", "[experiments][statistics]") {
  const core::Vector scores = (core::Vector(5) << 3, 1, 2, 2, 9).finished();
  const std::vector<bool> counted{true, true, true, true, false};
  CHECK(tied_rank(scores, 0, counted) == 1);
  CHECK(tied_rank(scores, 2, counted) == 2.5);
  CHECK(tied_rank(scores, 3, counted) == 2.5);
  CHECK(tied_rank(scores, 1, counted) == 4);
}

TEST_CASE("the area under the curve is the share of pairs in order", "[experiments][statistics]") {
  core::Rng rng(5, "area test");
  for (int trial = 0; trial < 200; ++trial) {
    const auto n = static_cast<core::Index>(2 + rng.below(12));
    core::Vector scores(n);
    std::vector<bool> wanted;
    for (core::Index i = 0; i < n; ++i) {
      scores[i] = static_cast<double>(rng.below(4));  // many ties
      wanted.push_back(rng.below(2) == 1);
    }
    double pairs = 0, won = 0;
    for (core::Index i = 0; i < n; ++i)
      for (core::Index j = 0; j < n; ++j)
        if (wanted[static_cast<std::size_t>(i)] && !wanted[static_cast<std::size_t>(j)]) {
          pairs += 1;
          won += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
        }
    const auto area = area_under_curve(scores, wanted);
    REQUIRE(area.has_value() == (pairs > 0));
    if (area) CHECK(*area == Approx(won / pairs));
  }
}
