// SPDX-License-Identifier: MIT
// The typical distance between patterns, from which an inverse temperature can be chosen.
#pragma once

#include "core/numbers/shapes.hpp"
#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// Median separation of patterns of length 1. The separation of a pattern x_i is
///     Delta_i = 1 - max_j x_i x_j     over the x_j that are not copies of x_i (x_i x_j < 1 - 1e-9).
/// The median is over 64 patterns, spread evenly over all of them. Chosen: it differs from the median of all patterns
/// by a few hundredths. Patterns without entries are skipped. The result is 1 if no pattern overlaps with another one.
/// Shapes   patterns (k, d), transposed (d, k), entries >= 0
/// Cost     O(entries of the columns that a pattern has), at most 64 times
double median_separation(const SparseRows& patterns, const SparseRows& transposed);
/// Median separation of dense patterns. Entries may be negative; an overlap below 0 counts as 0.
/// Cost     O(64 k d)
double median_separation(const Matrix& patterns);

}  // namespace engram::core
