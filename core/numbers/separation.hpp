// SPDX-License-Identifier: MIT
// Typical separation of patterns, from which an inverse temperature of a modern Hopfield network can be chosen.
#pragma once

#include "core/numbers/shapes.hpp"
#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// Median separation of patterns of length 1, stored as the rows of a matrix. The separation of a pattern x_i is one
/// minus its largest inner product with another pattern:
///     Delta_i = 1 - max_j x_i x_j     over the x_j that are not copies of x_i (x_i x_j < 1 - 1e-9).
/// The median is over 64 patterns, spread evenly over all of them. Chosen: it differs from the median of all patterns
/// by a few hundredths. Patterns without entries are skipped. The result is 1 if no pattern overlaps with another one.
/// Shapes   patterns (k, d), transposed (d, k), entries >= 0
/// Cost     O(entries of the columns that a pattern has), at most 64 times
double median_separation(const SparseRows& patterns, const SparseRows& transposed);
/// Median separation of dense patterns of length 1: 1 minus the largest inner product with another pattern, as for
/// sparse patterns. Entries may be negative; an inner product below 0 counts as 0.
/// Cost     O(64 k d)
double median_separation(const Matrix& patterns);

}  // namespace engram::core
