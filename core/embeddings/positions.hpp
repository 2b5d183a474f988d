// SPDX-License-Identifier: MIT
// Positions on a graph. Attention sees a set: without positions it does not know who is near whom. A graph
// has no first node to count from, but walks and vibrations know its places.
//
// In all of them W (n, n) are the weights of the links, symmetric and >= 0, d_i = sum_j W_ij the degrees with
// self loops (once), and a node of degree 0 is alone. A weight of 0 is no link.
#pragma once

#include "core/numbers/spectral.hpp"

namespace engram::core {

/// Where a walker that starts at i is back: (P^k)_ii for k = 1 .. steps, P_ij = W_ij / d_i; nodes that are
/// alone are never returned to. Unlike eigenvectors these have neither sign nor order to choose.
/// Shapes   W (n, n) -> (n, steps)
/// Ranges   each in [0, 1]; W need not be symmetric; no factor of a row of W matters
/// Errors   std::invalid_argument unless W is square, finite and >= 0, and steps >= 0; so below
/// Cost     O(n steps links) time, less where few steps do not reach all; O(n steps + links) memory
/// Source   Dwivedi et al. 2022, "Graph Neural Networks with Learnable Structural and Positional
///          Representations", eq. 9
Matrix random_walk_positions(const SparseRows& links, Index steps);

/// L = D - W, D = diag(d). Positive semidefinite; constant vectors on a component have value 0.
/// Errors   also where a degree is more than a double holds
SparseRows laplacian(const SparseRows& links);

/// L_sym = I - D^-1/2 W D^-1/2, with a row of zeros for a node that is alone. Its values lie in [0, 2].
SparseRows normalised_laplacian(const SparseRows& links);

/// Laplacian eigenvectors as coordinates: `count` of the smallest values of L or L_sym but the first of each
/// component (0, which tells nothing but the component). Column k is an eigenvector, row i a place.
/// What has a meaning: the values; the line of a vector whose value is single, with the sign that the rule of
/// core/numbers/spectral.hpp sets (it makes results repeat, it means nothing); of equal values only the space
/// that their vectors span. So compare |L u - lambda u|, or projectors, not vectors.
/// Shapes   W (n, n) -> values (k), vectors (n, k) with k = min(count, n - components)
/// Ranges   see eigenpairs.
/// Cost     that of eigenpairs
/// Source   Dwivedi and Bresson 2021, "A Generalization of Transformer Networks to Graphs"
Eigenpairs laplacian_positions(const SparseRows& links, Index count, bool normalised = true);

}  // namespace engram::core
