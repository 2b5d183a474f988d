// SPDX-License-Identifier: MIT
// Attention: every query takes a mean of the values, weighted by how well their keys match it.
#pragma once

#include <optional>

#include "core/simplex_map.hpp"

namespace engram::core {

struct Attention {
  Matrix weights;  // (q, k), rows on the simplex
  Matrix output;   // (q, d_v)
};

/// weights = map(scale Q K'), output = weights V; without a map the scores themselves are the weights: raw
/// self-attention (X X') X.
/// Shapes   Q (q, d), K (k, d), V (k, d_v)
/// Ranges   scale finite; a usual choice is 1/sqrt(d)
/// Errors   std::invalid_argument if shapes do not fit or there is no key
/// Cost     O(q k (d + d_v)); deterministic
/// Source   Vaswani et al. 2017; with another map: Martins and Astudillo 2016
Attention attend(const Matrix& queries, const Matrix& keys, const Matrix& values, double scale,
                 std::optional<SimplexMap> map = SimplexMap::softmax);

}  // namespace engram::core
