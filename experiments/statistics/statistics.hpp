// SPDX-License-Identifier: MIT
// The statistics that tables carry.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/numbers/shapes.hpp"

namespace engram::experiments {

/// NaN of no values.
double mean(const std::vector<double>& values);

/// A mean with a 95 percent interval.
struct Estimate {
  double mean = 0;
  double low = 0;
  double high = 0;
};

/// Fewer values than this say too little of their own skewness for BCa.
inline constexpr std::size_t fewest_for_bca = 10;

/// Bootstrap of the mean, bias-corrected and accelerated (BCa; Efron 1987; Efron and Tibshirani
/// 1993, "An Introduction to the Bootstrap", equations 14.9, 14.10, 14.14 and 14.15): with G the share of
/// resampled means below the mean, ties half, and
///     z0 = Phi^-1(G),   a = sum d^3 / (6 (sum d^2)^(3/2)),   d = x - mean,
/// the interval goes from quantile Phi(z0 + (z0 - z)/(1 - a (z0 - z))) of the resampled means to the same
/// with +z, z = 1.96. For fewer than fewest_for_bca values, or where G is 0 or 1, plain percentiles (Efron
/// 1979). 2000 resamples, the same for every call with equally many values, so that differences between
/// paired samples resample pairs.
/// Nothing for no values; low = high = mean for one.  Cost  O(2000 n)
std::optional<Estimate> bootstrap_mean(const std::vector<double>& values);

/// A share of n that did, with Wilson's 95 percent interval (1927), z = 1.96:
///     (k + z^2/2 +- z sqrt(k (n - k) / n + z^2/4)) / (n + z^2)
/// Nothing for n = 0.  Errors  std::invalid_argument if k > n
std::optional<Estimate> wilson_interval(std::size_t k, std::size_t n);

/// Fewer pairs than this can tell no lead from chance: five differences of one sign have a two-sided p of
/// 2/32, six of 2/64.
inline constexpr std::size_t fewest_pairs = 6;

/// What a test by rearrangement found.
struct RearrangementTest {
  double p = 1;                    // two-sided
  std::uint64_t arrangements = 1;  // of signs that were looked at
  bool exact = true;               // these were all; else they were drawn at random
};

/// Paired permutation test of the mean difference (Fisher 1935, section 21): were the two of each pair alike,
/// each difference could as well have the other sign. p is the share of all 2^n arrangements of signs whose
/// sum is at least as far from 0; for more than 20 differences that are not 0 it is (1 + hits)/(1 + 9999) of
/// 9999 that Philox draws, the same for every call with equally many. Sums within 1e-12 of the sum of all
/// sizes count as tied.
/// Errors  std::invalid_argument if a difference is not finite.   Cost  O(2^n) up to 20, else O(9999 n)
RearrangementTest paired_permutation(const std::vector<double>& differences);

/// Holm's correction (1979): where all are held against the same level, the chance of any false finding among
/// them stays below it.  Shapes  p (m) -> (m), at most 1.   Cost  O(m log m)
std::vector<double> holm(const std::vector<double>& p);

/// Cliff's delta (1993): P(a > b) - P(a < b) over all pairs of one of each; 0 where either is empty.
/// Ranges  the result in [-1, 1].   Cost  O((m + n) log n)
double cliffs_delta(const std::vector<double>& a, const std::vector<double>& b);

/// Cohen's d_z of paired differences: their mean in units of their standard deviation (n - 1). Nothing for
/// fewer than two, or where they do not vary.
std::optional<double> effect_size(const std::vector<double>& differences);

/// Ranks of an item under the three policies for ties: it comes first among what is tied with it, shares the
/// mean of their places, comes last.
struct TiedRanks {
  double optimistic = 1, average = 1, pessimistic = 1;

  /// Expectations if what is tied stands in random order: of 1 / rank, and of being among the k first.
  /// Cost  O(items that are tied); O(1)
  double expected_reciprocal() const;
  double chance_within(double k) const;
};

/// Ranks of item i by descending score, 1 best; only items with counted[j] take part.  Cost  O(n)
TiedRanks tied_ranks(const core::Vector& scores, std::size_t item, const std::vector<bool>& counted);

/// Chance that a wanted item scores above an unwanted one, ties half (area under the ROC curve). Nothing
/// where either kind is missing.  Cost  O(n log w), w wanted
std::optional<double> area_under_curve(const core::Vector& scores, const std::vector<bool>& wanted);

}  // namespace engram::experiments
