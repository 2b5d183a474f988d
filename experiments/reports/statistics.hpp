// SPDX-License-Identifier: MIT
// The statistics that tables carry.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/numbers/shapes.hpp"

namespace engram::experiments {

/// A mean with a 95 percent interval.
struct Estimate {
  double mean = 0;
  double low = 0;
  double high = 0;
};

/// Percentile bootstrap of the mean (Efron 1979): 2000 resamples of the values, the same for every call
/// with equally many values, so that differences between paired samples resample pairs.
/// Nothing for no values; low = high = mean for one.  Cost  O(2000 n)
std::optional<Estimate> bootstrap_mean(const std::vector<double>& values);

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

/// Wilcoxon's signed-rank test (1945): the same of the ranks of the sizes, so that a few large differences
/// do not decide; ranks of ties are averaged, zeros dropped. Exact up to 200 differences by the distribution
/// of the rank sum, which takes ties into account; drawn beyond.
/// Errors  std::invalid_argument if a difference is not finite.   Cost  O(n^3) up to 200, else O(9999 n)
RearrangementTest wilcoxon_signed_rank(const std::vector<double>& differences);

/// Holm's correction (1979): where all are held against the same level, the chance of any false finding among
/// them stays below it.  Shapes  p (m) -> (m), at most 1.   Cost  O(m log m)
std::vector<double> holm(const std::vector<double>& p);

/// Cliff's delta (1993): P(a > b) - P(a < b) over all pairs of one of each; 0 where either is empty.
/// Ranges  the result in [-1, 1].   Cost  O((m + n) log n)
double cliffs_delta(const std::vector<double>& a, const std::vector<double>& b);

/// Cohen's d_z of paired differences: their mean in units of their standard deviation (n - 1). Nothing for
/// fewer than two, or where they do not vary.
std::optional<double> effect_size(const std::vector<double>& differences);

/// Rank of item i by descending score, 1 best, tied items sharing the mean of their places; only items with
/// counted[j] take part.  Cost  O(n)
double tied_rank(const core::Vector& scores, std::size_t item, const std::vector<bool>& counted);

/// Chance that a wanted item scores above an unwanted one, ties half (area under the ROC curve). Nothing
/// where either kind is missing.  Cost  O(n log n)
std::optional<double> area_under_curve(const core::Vector& scores, const std::vector<bool>& wanted);

}  // namespace engram::experiments
