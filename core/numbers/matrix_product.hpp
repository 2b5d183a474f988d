// SPDX-License-Identifier: MIT
// Products of matrices whose bits depend on neither blocks nor registers.
#pragma once

#include "core/numbers/shapes.hpp"

namespace engram::core {

/// C = A B, each element one chain of sums in the order of its terms: c_ij <- c_ij + a_ik b_kj for k = 0, 1,
/// ..., product and sum rounded each. Blocks of rows and columns stay in registers, which changes no order.
/// Shapes   A (m, k), B (k, n) -> (m, n)
/// Errors   std::invalid_argument if they do not fit
/// Cost     O(m k n) time, some 4 to 8 of these operations in the time of one that waits for the last;
///          O(k) memory beside C
Matrix product(const Matrix& a, const Matrix& b);

}  // namespace engram::core
