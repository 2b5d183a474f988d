// SPDX-License-Identifier: MIT
// Rules that turn +1/-1 patterns into the couplings of a Hopfield network. Rules that learn from a stream of
// activity are in core/learning/hebbian.hpp.
#pragma once

#include <array>
#include <cstdint>

#include "core/numbers/names.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core {

/// Rules that make the weights of a network from its patterns.
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

/// The couplings that a rule makes of patterns x_1 ... x_k, in this order:
///     hebb                      W = (1/n) sum x x', W_ii = 0. Local and in any order.
///     storkey                   W_ij += (1/n) (x_i x_j - x_i h_ji - h_ij x_j), W_ii = 0, pattern by pattern,
///                               h_ij = sum_{l != i,j} W_il x_l the cavity field. Holds more patterns that
///                               come once, but under a stream of them its weights grow without bound.
///     storkey_full_field        the same with h_i = sum_l W_il x_l for h_ij: forgets the oldest patterns and
///                               keeps the newest for ever. The one for online use.
///     pseudo_inverse            W = X+ X, the projector on the span of the patterns. Every pattern is fixed.
///     pseudo_inverse_zero_diag  the same with W_ii = 0: wider basins
/// A pattern in the span of those before it (within 1e-8 of its length) adds nothing to a projector, so
/// repeated, opposite and more than n patterns need no care; n independent ones give W = I.
/// Shapes   patterns (k, n), entries +1 or -1 -> (n, n), symmetric to the last bit; no patterns give 0
/// Errors   std::invalid_argument for n = 0 or another entry
/// Cost     O(k n^2), for the projectors O((k + n) n min(k, n)); deterministic. hebb is exact but for 1/n
/// Source   Hopfield 1982; Storkey 1997; its full field as in OpenCog; Personnaz, Guyon and Dreyfus 1985
Matrix pattern_weights(WeightRule rule, const Matrix& patterns);

/// pattern_weights by Hebb's rule.
Matrix hebb_weights(const Matrix& patterns);

/// One more pattern, by a rule that learns them one at a time: hebb, storkey, storkey_full_field. A stream
/// starts with W = 0.
/// Shapes   W (n, n) symmetric with zero diagonal, x (n) of +1 and -1.    Cost  O(n^2)
/// Errors   std::invalid_argument if shapes do not fit, for another entry or another rule
void learn_pattern(WeightRule rule, Matrix& w, const Vector& x);

}  // namespace engram::core
