// SPDX-License-Identifier: MIT
// Principal components learnt by Hebb's rule: units that fire together with their input and forget just
// enough to stay bounded. No matrix of second moments is ever built.
#pragma once

#include <cstdint>
#include <span>

#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// A sparse input x: values at ascending columns.
struct SparseInput {
  std::span<const std::uint32_t> columns;
  std::span<const double> values;
};

/// One step of Oja's rule for k units, y = W x:  W += eta (y x' - y y' W). For one unit that is
/// w += eta y (x - y w), which turns w to the first principal direction and its length to 1; more units come
/// to an orthonormal basis of the space of the first k directions, whichever basis.
/// Shapes   W (k, n), x (n).    Cost  O(k n)
/// Errors   std::invalid_argument if the shapes do not fit
/// Source   Oja 1982; Oja 1989, "Neural Networks, Principal Components, and Subspaces" for k > 1
void oja_step(Matrix& w, SparseInput x, double eta);

/// One step of Sanger's rule:  W += eta (y x' - tril(y y') W). Each unit learns from what the units before it
/// have left over: row j turns to the j-th principal direction.    Source  Sanger 1989
void sanger_step(Matrix& w, SparseInput x, double eta);

/// The rule: rows of W span the principal subspace (oja), or are its components in their order (sanger).
enum class ComponentRule : std::uint8_t { oja, sanger };

/// How components are learnt.
struct LearningOptions {
  int epochs = 40;         // passes over all inputs, each in an order of its own
  double eta = 0.5;        // at first, for inputs of length 1 at most; in epoch e it is eta / (1 + e)
  std::uint64_t seed = 1;  // of the first weights and the orders
};

/// The first k principal directions of the rows of A weighted by D, learnt row by row: the inputs are
/// sqrt(D_e) A_e over the length of the longest. The rest of the way to them is a matter of luck and passes:
/// with a ratio g of two neighbouring second moments the angle falls as a power of the passes that grows with
/// p (1 - g), and directions of (nearly) equal moments mix.
/// Shapes   A (p, n), D (p) >= 0 -> (k, n); rows beyond n, and all if A is 0, are 0
/// Errors   std::invalid_argument outside these ranges
/// Cost     O(epochs p k n); deterministic
Matrix learn_components(const SparseRows& inputs, const Vector& evidence, ComponentRule rule, Index k,
                        const LearningOptions& options = {});

/// The embedding that learnt directions W (k, n) give: X with X X' = W' (W C W') W, C = A' D A, the Hebbian
/// graph as seen through the units; for exact directions the truncated SVD. Column 1 is where it is largest.
/// Shapes   -> (n, k).    Cost  O(k entries of A + k^2 (p + n + k))
Matrix component_embedding(const Matrix& components, const SparseRows& inputs, const Vector& evidence);

}  // namespace engram::core
