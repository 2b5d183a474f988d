// SPDX-License-Identifier: MIT
// Multi-head attention: several attentions side by side, each in a subspace of its own.
#pragma once

#include <vector>

#include "core/attention/attention.hpp"

namespace engram::core {

/// x -> M x + b on rows: queries, keys and values of width E from inputs, and the output from the heads.
struct LinearMap {
  Matrix weight;  // (E, E)
  Vector bias;    // (E), empty: none
};

/// The four maps of multi-head attention: of queries, keys, values, and of what the heads give together.
struct MultiheadMaps {
  LinearMap query, key, value, output;

  /// Maps that change nothing: heads over the inputs' own columns.
  static MultiheadMaps identity(Index width);
  /// The layout of torch.nn.MultiheadAttention: rows of Q, K and V below each other.
  /// Shapes   in_weight (3E, E), in_bias (3E), out_weight (E, E), out_bias (E), E >= 1; an empty bias: none
  /// Errors   std::invalid_argument if shapes do not fit
  static MultiheadMaps stacked(const Matrix& in_weight, const Vector& in_bias, const Matrix& out_weight,
                               const Vector& out_bias);
};

/// What several heads give together, and the weights of each.
struct MultiheadAttention {
  Matrix output;                // (q, E)
  std::vector<Matrix> weights;  // one (q, k) a head
};

/// Head h attends with columns [h d, (h+1) d) of the mapped queries, keys and values, d = E / heads, at scale
/// 1/sqrt(d); the heads' outputs stand side by side before the output map.
/// Shapes   query (q, E), key and value (k, E); allow (q, k), empty: everything
/// Errors   std::invalid_argument if shapes do not fit, or E is not a multiple of heads >= 1
/// Cost     O((q + k) E^2 + q k E); deterministic
/// Source   Vaswani et al. 2017, section 3.2.2
MultiheadAttention attend_multihead(const Matrix& query, const Matrix& key, const Matrix& value, Index heads,
                                    const MultiheadMaps& maps, const Mask& allow = {},
                                    const Regulariser& map = SimplexMap::softmax);

}  // namespace engram::core
