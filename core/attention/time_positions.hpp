// SPDX-License-Identifier: MIT
// Positions in time: without one of these, a mask or a prior, attention does not know what came first.
#pragma once

#include "core/numbers/shapes.hpp"

namespace engram::core {

/// PE(t, 2i) = sin(t / base^(2i/d)), PE(t, 2i+1) = cos of the same: to be added to, or joined with,
/// embeddings. The inner product of two rows depends on the difference of their times alone (d even).
/// Shapes   times (n) -> (n, d), d >= 1
/// Ranges   |times| <= 1e9, base > 0
/// Errors   std::invalid_argument outside these
/// Cost     O(n d); deterministic
/// Source   Vaswani et al. 2017, section 3.5
Matrix sinusoidal_positions(const Vector& times, Index dimensions, double base = 10000);

/// -slope (t_i - t_j), a bias on the scores of queries at t_i for keys at t_j: under softmax the same as a
/// prior that falls as exp(-slope age). For keys later than the query it grows: join it with a causal mask.
/// Shapes   query_times (q), key_times (k) -> (q, k)
/// Source   Press, Smith and Lewis 2022, "Train Short, Test Long" (ALiBi)
Matrix linear_age_bias(const Vector& query_times, const Vector& key_times, double slope);

}  // namespace engram::core
