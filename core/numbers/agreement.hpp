// SPDX-License-Identifier: MIT
// How far two recalls agree: of each measure as far as the other way round, to the last bit.
#pragma once

#include <optional>

#include "core/numbers/shapes.hpp"

namespace engram::core {

/// Spearman's rho: Pearson correlation of ranks, ties averaged. Nothing where either side is constant.
/// Shapes  a, b (n).  Cost  O(n + k log k), k where either is not 0
std::optional<double> spearman(const Vector& a, const Vector& b);

/// Kendall's tau-b = (C - D) / sqrt((N - T_a)(N - T_b)) over N = n(n-1)/2 pairs, C of them ordered alike, D
/// contrarily, T tied on a side. Nothing where either side is constant.
/// Cost  O(n log n) (Knight 1966)
std::optional<double> kendall(const Vector& a, const Vector& b);

/// Share of the k highest of `a` that are among the k highest of `b` (ties: the lower index), where only
/// values above 0 count; over the smaller of k and the larger set. 1 where both are empty.
double top_overlap(const Vector& a, const Vector& b, std::size_t k);

/// Jensen-Shannon divergence in bits of the two as distributions: 0 equal, 1 disjoint. Nothing where either
/// sums to 0.   Ranges  entries >= 0
std::optional<double> jensen_shannon(const Vector& a, const Vector& b);

}  // namespace engram::core
