// SPDX-License-Identifier: MIT
// Attention: every query takes a mean of the values, weighted by how well their keys match it.
#pragma once

#include <optional>

#include "core/attention/masks.hpp"
#include "core/maps/simplex_map.hpp"

namespace engram::core {

/// What attention gives for q queries over k keys with values of d_v numbers.
struct Attention {
  Matrix weights;  // (q, k), rows on the simplex (of sum k with the budget map)
  Matrix output;   // (q, d_v)
};

/// What scores are multiplied by, and how weights are made of them.
struct AttentionOptions {
  double scale = 1;  // a usual choice is 1/sqrt(d)
  /// Without a map the scores themselves are the weights: raw self-attention (X X') X.
  std::optional<Regulariser> map = SimplexMap::softmax;
  Mask allow;   // (q, k); empty: every query may attend to every key
  Matrix bias;  // (q, k), added to the scaled scores; empty: none
};

/// S = scale Q K' + bias; each row of the weights is map(S_i) over the allowed keys alone; output = weights
/// V. What is not allowed is taken out before the map, so its weight is exactly 0 and it shifts no threshold;
/// a query that may attend to nothing gets weights and output of zeros. Self-attention has Q = K = V = X, and
/// cross-attention queries of another source than keys and values.
/// Shapes   Q (q, d), K (k, d), V (k, d_v)
/// Ranges   scale finite
/// Errors   std::invalid_argument if shapes do not fit, there is no key, or a score to map is not finite
/// Cost     O(q k (d + d_v)); values of weight 0 are skipped; deterministic
/// Source   Vaswani et al. 2017; with another map: Martins and Astudillo 2016
Attention attend(const Matrix& queries, const Matrix& keys, const Matrix& values,
                 const AttentionOptions& options);

/// The same without mask or bias.
Attention attend(const Matrix& queries, const Matrix& keys, const Matrix& values, double scale,
                 std::optional<Regulariser> map = SimplexMap::softmax);

/// The same for scores of any kind (core/attention/scores.hpp) in the place of Q K'.   Shapes  scores (q, k)
Attention attend_by(const Matrix& scores, const Matrix& values, const AttentionOptions& options);

}  // namespace engram::core
