// SPDX-License-Identifier: MIT
// Statistics for tables: intervals, tests, effect sizes, and the leads of the best method over other methods.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
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

/// Bootstrap interval of the mean, bias-corrected and accelerated (BCa). G is the share of resampled means below the
/// mean, in which a resampled mean that equals the mean counts as 1/2. Phi is the standard normal distribution
/// function, and z = 1.96. With
///     z0 = Phi^-1(G),   a = sum d^3 / (6 (sum d^2)^(3/2)),   d = x - mean for each value x,
/// the interval begins at quantile Phi(z0 + (z0 - z)/(1 - a (z0 - z))) of the resampled means. It ends at the quantile
/// with +z instead of -z. For fewer than fewest_for_bca values, or if G is 0 or 1, the interval has plain percentiles
/// (Efron 1979). The 2000 resamples depend only on the number of values, so differences between paired samples resample
/// pairs. The result is empty without values, and low = high = mean for one value.
/// Cost    O(2000 n)
/// Source  Efron 1987; Efron and Tibshirani 1993, "An Introduction to the Bootstrap", equations 14.9, 14.10, 14.14,
///         14.15
std::optional<Estimate> bootstrap_mean(const std::vector<double>& values);

/// Share k / n with Wilson's 95 percent interval (1927), z = 1.96:
///     (k + z^2/2 +- z sqrt(k (n - k) / n + z^2/4)) / (n + z^2)
/// Empty for n = 0.  Errors  std::invalid_argument if k > n
std::optional<Estimate> wilson_interval(std::size_t k, std::size_t n);

/// Fewest pairs for a significant lead. Five differences with the same sign have the two-sided p 2/32. Six have 2/64,
/// which is below 0.05.
inline constexpr std::size_t fewest_pairs = 6;

/// Result of a permutation test.
struct RearrangementTest {
  double p = 1;                    // two-sided
  std::uint64_t arrangements = 1;  // number of sign arrangements examined
  bool exact = true;               // all arrangements were examined; otherwise a random sample
};

/// Paired permutation test of the mean difference (Fisher 1935, section 21). Under the null hypothesis, each difference
/// could have either sign. p is the share of the 2^n sign arrangements with a sum that is at least as far from 0 as the
/// observed sum. For more than 20 non-zero differences, p is (1 + hits)/(1 + 9999) of 9999 arrangements drawn with
/// Philox, which depend only on n. Sums count as equal if they differ by at most 1e-12 times the sum of absolute
/// values.
/// Errors  std::invalid_argument if a difference is not finite
/// Cost    O(2^n) up to 20, otherwise O(9999 n)
RearrangementTest paired_permutation(const std::vector<double>& differences);

/// Holm's correction for multiple tests (1979). If all corrected p are compared with one level, the probability of any
/// false finding is at most this level.
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

/// A measure with paired values for every method: value i of each list belongs to the same cue, seed or block.
struct Measure {
  std::string name;
  std::vector<std::vector<double>> values;  // one list for each label; empty if the method was not measured
  bool higher_is_better = true;
  int decimals = 3;
};

/// Lead of the best method of a measure over another method.
struct Lead {
  std::size_t measure = 0, best = 0, other = 0;  // indices of the measure and of the labels
  std::size_t pairs = 0;
  Estimate difference;     // best minus other
  RearrangementTest test;  // paired permutation
  double corrected = 1;    // p by Holm's correction over the leads of every measure
  double delta = 0;        // Cliff's delta; positive if the values of the best method are higher
  std::optional<double> d_z;
  bool clear = false;  // enough pairs, an interval that excludes zero, and a corrected p of at most 0.05
};

/// Leads of several measures over the same labels.
struct Leads {
  std::vector<std::string> labels;
  std::vector<Measure> measures;
  std::vector<std::optional<std::size_t>> best;  // best label of each measure; the first of equal labels
  std::vector<Lead> leads;                       // leads of the best label over each other label, by measure
  /// Whether the best method of a measure has a clear lead over every other.
  bool has_winner(std::size_t measure) const;
};

/// Compares two paired lists as a Lead, without correction for multiple tests. `a` has the place of the best method.
/// Errors  std::invalid_argument if the lists are empty or differ in length
Lead paired_lead(const std::vector<double>& a, const std::vector<double>& b);

/// Whether a lead is clear (see Lead::clear). `beyond_zero` says whether its interval excludes zero on the side of the
/// best method.
bool is_clear(const Lead& lead, bool beyond_zero);

/// Finds the best method of each measure and its leads. A method with another number of values has no lead,
/// because it cannot be paired with the best.
/// Cost  two intervals and a permutation test for each lead
Leads find_leads(std::vector<std::string> labels, std::vector<Measure> measures);

/// Clause such as "its lead over every other method is clear of zero". Names the methods over which the lead may be
/// chance, and the methods with the same mean.
std::string lead_clause(const Leads& leads, std::size_t measure);

}  // namespace engram::experiments
