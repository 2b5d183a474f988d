// SPDX-License-Identifier: MIT
// Who may attend to whom. Attention knows no space: permuting the keys permutes the weights. A mask, or a
// bias on the scores (core/attention/time_positions.hpp), is what tells it of neighbours and of before and
// after.
#pragma once

#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// (q, k): true where query i may attend to key j. Masks are joined by Eigen's && on their arrays.
using Mask = Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// j <= i: nothing that comes later.   Shapes  (n, n)
Mask causal_mask(Index n);

/// |i - j| <= width.   Shapes  (n, n)   Errors  std::invalid_argument if width < 0
Mask window_mask(Index n, Index width);

/// A link i -> j of weight above 0, or i = j: with it attention is message passing on the graph, and with
/// scores log w_ij under softmax the weights are the random walk w_ij / sum_j w_ij.
/// Shapes  links (n, n) -> (n, n)   Errors  std::invalid_argument if links are not square
Mask neighbourhood_mask(const SparseRows& links);

}  // namespace engram::core
