// SPDX-License-Identifier: MIT
// Learning rules that compute the weights of a Hopfield network from +1/-1 patterns. core/learning/hebbian.hpp has
// rules that learn from activity over time.
#pragma once

#include <array>
#include <cstdint>

#include "core/numbers/names.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core {

/// Learning rule for the weights of a Hopfield network; pattern_weights() describes each rule.
enum class WeightRule : std::uint8_t {
  hebb,
  storkey,
  storkey_full_field,
  pseudo_inverse,
  pseudo_inverse_zero_diag
};

inline constexpr std::array<NamedValue<WeightRule>, 5> weight_rules{{
    {WeightRule::hebb, "hebb"},
    {WeightRule::storkey, "storkey"},
    {WeightRule::storkey_full_field, "storkey_full_field"},
    {WeightRule::pseudo_inverse, "pseudo_inverse"},
    {WeightRule::pseudo_inverse_zero_diag, "pseudo_inverse_zero_diag"},
}};

/// Computes the weight matrix W that a rule learns from n-dimensional patterns x_1 ... x_k, in this order:
///     hebb                      W = (1/n) sum x x', W_ii = 0. Local, and independent of the order.
///     storkey                   W_ij += (1/n) (x_i x_j - x_i h_ji - h_ij x_j), W_ii = 0, for each pattern,
///                               with the cavity field h_ij = sum_{l != i,j} W_il x_l. Stores more patterns than
///                               hebb, but in an endless stream of patterns its weights grow without bound.
///     storkey_full_field        like storkey with h_i = sum_l W_il x_l for h_ij. Forgets the oldest patterns and
///                               always stores the newest. Use it for online learning.
///     pseudo_inverse            W = X+ X, the projector on the span of the patterns. Every pattern is a fixed point.
///     pseudo_inverse_zero_diag  like pseudo_inverse with W_ii = 0, for wider basins
/// A pattern in the span of earlier patterns (within 1e-8 of its length) does not change a projector. Therefore
/// repeated, opposite and more than n patterns are allowed; n independent patterns give W = I.
/// Shapes   patterns (k, n), entries +1 or -1 -> (n, n), exactly symmetric; 0 for no patterns
/// Errors   std::invalid_argument for n = 0 or another entry
/// Cost     O(k n^2), for the projectors O((k + n) n min(k, n)); deterministic; hebb only rounds the factor 1/n
/// Source   Hopfield 1982; Storkey 1997; its full field as in OpenCog; Personnaz, Guyon and Dreyfus 1985
Matrix pattern_weights(WeightRule rule, const Matrix& patterns);

/// pattern_weights() with Hebb's rule: W = (1/n) sum x x' over the patterns x, with zero diagonal.
Matrix hebb_weights(const Matrix& patterns);

/// Updates the weights W for one more pattern x by an incremental rule: hebb, storkey or storkey_full_field. Start with
/// W = 0.
/// Shapes   W (n, n) symmetric with zero diagonal, x (n) of +1 and -1.    Cost  O(n^2)
/// Errors   std::invalid_argument if shapes do not fit, for another entry or another rule
void learn_pattern(WeightRule rule, Matrix& w, const Vector& x);

}  // namespace engram::core
