// SPDX-License-Identifier: MIT
// Online learning of principal components by Hebbian units whose weights stay bounded. Use it if the matrix of second
// moments would be too large to build.
#pragma once

#include <cstdint>
#include <span>

#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// A sparse input vector: values at ascending columns, 0 elsewhere.
struct SparseInput {
  std::span<const std::uint32_t> columns;
  std::span<const double> values;
};

/// One step of Oja's rule for the weights W of k units and an input x. With the outputs y = W x and the learning rate
/// eta:  W += eta (y x' - y y' W). One unit has the rule w += eta y (x - y w), which converges to the first principal
/// direction with length 1. Several units converge to an arbitrary orthonormal basis of the space of the first k
/// directions.
/// Shapes   W (k, n), x (n).    Cost  O(k n)
/// Errors   std::invalid_argument if the shapes do not fit
/// Source   Oja 1982; Oja 1989, "Neural Networks, Principal Components, and Subspaces" for k > 1
void oja_step(Matrix& w, SparseInput x, double eta);

/// One step of Sanger's rule for the weights W of k units and an input x. With the outputs y = W x, the learning rate
/// eta and the lower triangle tril:  W += eta (y x' - tril(y y') W). A unit learns from the input minus the
/// reconstruction by earlier units, so row j converges to the j-th principal direction.
/// Shapes   W (k, n), x (n).    Cost  O(k n)
/// Errors   std::invalid_argument if the shapes do not fit
/// Source   Sanger 1989
void sanger_step(Matrix& w, SparseInput x, double eta);

/// Learning rule for principal components. After learning with `oja`, the weights of the units span the principal
/// subspace; after `sanger`, unit j has the j-th component.
enum class ComponentRule : std::uint8_t { oja, sanger };

/// Options of learn_components().
struct LearningOptions {
  int epochs = 40;         // passes over all inputs, each in its own random order
  double eta = 0.5;        // learning rate of epoch 0; epoch e has eta / (1 + e)
  std::uint64_t seed = 1;  // of the initial weights and the orders
};

/// Learns the first k principal directions of the rows of a matrix A (`inputs`), weighted by D (`evidence`), and
/// returns them as rows. The rule sees the inputs sqrt(D_e) A_e, divided by the length of the longest. Convergence
/// depends on the ratio g of neighbouring second moments: the angular error falls as a power of the number of passes,
/// with an exponent that grows with p (1 - g). Directions of nearly equal moments mix.
/// Shapes   A (p, n), D (p) >= 0 -> (k, n); rows beyond n are 0; all rows are 0 if A is 0
/// Errors   std::invalid_argument outside these ranges
/// Cost     O(epochs p k n); deterministic
Matrix learn_components(const SparseRows& inputs, const Vector& evidence, ComponentRule rule, Index k,
                        const LearningOptions& options = {});

/// Computes an embedding X (n, k) of n concepts from learnt directions W (`components`). X X' = W' (W C W') W is the
/// projection of the Hebbian graph C = A' D A onto the directions, with the episodes A (`inputs`) weighted by D
/// (`evidence`). For exact principal directions it is the truncated SVD. Columns are in descending order of their
/// eigenvalues.
/// Shapes   W (k, n), A (p, n), D (p) -> (n, k).    Cost  O(k entries of A + k^2 (p + n + k))
Matrix component_embedding(const Matrix& components, const SparseRows& inputs, const Vector& evidence);

}  // namespace engram::core
