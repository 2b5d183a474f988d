// SPDX-License-Identifier: MIT
// The statistics that tables carry.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/shapes.hpp"

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

/// Fewer pairs than this can tell no lead from chance: five differences of one sign have odds of 1 in 32.
inline constexpr std::size_t fewest_pairs = 5;

/// Whether the first of two paired samples is higher by more than chance: there are at least fewest_pairs,
/// and the 95 percent interval of the mean difference lies above zero.
bool clearly_higher(const std::vector<double>& a, const std::vector<double>& b);

/// Rank of item i by descending score, 1 best, tied items sharing the mean of their places; only items with
/// counted[j] take part.  Cost  O(n)
double tied_rank(const core::Vector& scores, std::size_t item, const std::vector<bool>& counted);

/// Chance that a wanted item scores above an unwanted one, ties half (area under the ROC curve). Nothing
/// where either kind is missing.  Cost  O(n log n)
std::optional<double> area_under_curve(const core::Vector& scores, const std::vector<bool>& wanted);

}  // namespace engram::experiments
