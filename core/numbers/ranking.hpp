// SPDX-License-Identifier: MIT
// Rankings: the best entries, and measures of how far two rankings agree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/numbers/shapes.hpp"
#include "core/numbers/sparse_vector.hpp"

namespace engram::core {

/// Returns the indices of the `capacity` largest positive scores, best first; ties go to the lower index.
/// Cost  O(stored scores log capacity)
std::vector<std::uint32_t> rank(const SparseVector& scores, std::size_t capacity);

/// Spearman's rho of two score vectors a and b: the Pearson correlation of their ranks, ties averaged. Returns
/// std::nullopt if all scores of a vector are equal. All measures of agreement return the same bits if a and b are
/// swapped.
/// Shapes  a, b (n).  Cost  O(n + k log k), k the number of indices at which a or b is not 0
std::optional<double> spearman(const Vector& a, const Vector& b);

/// Kendall's tau-b of two score vectors: (C - D) / sqrt((N - T_a)(N - T_b)) over N = n(n-1)/2 pairs of indices. C pairs
/// have the same order in a and b, and D the opposite order. T_a and T_b pairs are tied in a and in b. Returns
/// std::nullopt if all scores of a vector are equal.
/// Cost  O(n log n) (Knight 1966)
std::optional<double> kendall(const Vector& a, const Vector& b);

/// Overlap of the best k indices of two score vectors, rank(a, k) and rank(b, k): the number of common indices over the
/// size of the larger set. Returns 1 if both are empty.
double top_overlap(const Vector& a, const Vector& b, std::size_t k);

/// Jensen-Shannon divergence in bits of two score vectors a and b, each normalised to sum 1: 0 if they are equal, 1 if
/// they have no common support. Returns std::nullopt if a sum is 0.
/// Ranges  entries >= 0
std::optional<double> jensen_shannon(const Vector& a, const Vector& b);

}  // namespace engram::core
