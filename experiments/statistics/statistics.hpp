// SPDX-License-Identifier: MIT
// Statistics for tables: intervals, tests, effect sizes and ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/numbers/shapes.hpp"

namespace engram::experiments {

/// Arithmetic mean; NaN for an empty list.
double mean(const std::vector<double>& values);

/// A mean with a 95 percent interval.
struct Estimate {
  double mean = 0;
  double low = 0;
  double high = 0;
};

/// Fewest values for BCa. Fewer values do not determine the skewness well enough.
inline constexpr std::size_t fewest_for_bca = 10;

/// Bootstrap interval of the mean, bias-corrected and accelerated (BCa). With G the share of resampled means below the
/// mean (ties count half) and
///     z0 = Phi^-1(G),   a = sum d^3 / (6 (sum d^2)^(3/2)),   d = x - mean,
/// the interval begins at quantile Phi(z0 + (z0 - z)/(1 - a (z0 - z))) of the resampled means and ends at the same with
/// +z, where z = 1.96. For fewer than fewest_for_bca values, or if G is 0 or 1, plain percentiles (Efron 1979). There
/// are 2000 resamples. They depend only on the number of values, so differences between paired samples resample pairs.
/// Empty for no values; low = high = mean for one.
/// Cost    O(2000 n)
/// Source  Efron 1987; Efron and Tibshirani 1993, "An Introduction to the Bootstrap", equations 14.9, 14.10, 14.14,
///         14.15
std::optional<Estimate> bootstrap_mean(const std::vector<double>& values);

/// Share k / n with Wilson's 95 percent interval (1927), z = 1.96:
///     (k + z^2/2 +- z sqrt(k (n - k) / n + z^2/4)) / (n + z^2)
/// Empty for n = 0.  Errors  std::invalid_argument if k > n
std::optional<Estimate> wilson_interval(std::size_t k, std::size_t n);

/// Fewest pairs for a significant lead. Five differences of one sign have a two-sided p of 2/32, six have 2/64.
inline constexpr std::size_t fewest_pairs = 6;

/// Result of a permutation test.
struct RearrangementTest {
  double p = 1;                    // two-sided
  std::uint64_t arrangements = 1;  // number of sign arrangements examined
  bool exact = true;               // all arrangements were examined; otherwise a random sample
};

/// Paired permutation test of the mean difference (Fisher 1935, section 21). Under the null hypothesis, each difference
/// could have either sign. p is the share of all 2^n sign arrangements whose sum is at least as far from 0. For more
/// than 20 non-zero differences, p is (1 + hits)/(1 + 9999) of 9999 arrangements drawn with Philox, which depend only
/// on n. Sums within 1e-12 of the sum of all absolute values count as tied.
/// Errors  std::invalid_argument if a difference is not finite
/// Cost    O(2^n) up to 20, otherwise O(9999 n)
RearrangementTest paired_permutation(const std::vector<double>& differences);

/// Holm's correction for multiple tests (1979). If all corrected p are compared with one level, it bounds the
/// probability of any false finding.
/// Shapes  p (m) -> (m), at most 1
/// Cost    O(m log m)
std::vector<double> holm(const std::vector<double>& p);

/// Cliff's delta (1993): P(a > b) - P(a < b) over all pairs of an element of each list; 0 if either is empty.
/// Ranges  the result in [-1, 1]
/// Cost    O((m + n) log n)
double cliffs_delta(const std::vector<double>& a, const std::vector<double>& b);

/// Cohen's d_z of paired differences: their mean divided by their standard deviation (n - 1). Empty for fewer than two
/// differences, or if they are all equal.
std::optional<double> effect_size(const std::vector<double>& differences);

/// Rank of an item under three policies for ties: first among the tied items, mean of their ranks, or last.
struct TiedRanks {
  double optimistic = 1, average = 1, pessimistic = 1;

  /// Expected 1 / rank, and probability of being among the first k, if tied items are in random order.
  /// Cost  O(tied items); O(1)
  double expected_reciprocal() const;
  double chance_within(double k) const;
};

/// Ranks of item i by descending score; 1 is the best. Only items with counted[j] take part.  Cost  O(n)
TiedRanks tied_ranks(const core::Vector& scores, std::size_t item, const std::vector<bool>& counted);

/// Area under the ROC curve: probability that a wanted item scores above an unwanted one; ties count half. Empty if
/// there is no wanted or no unwanted item.  Cost  O(n log w), w wanted
std::optional<double> area_under_curve(const core::Vector& scores, const std::vector<bool>& wanted);

}  // namespace engram::experiments
