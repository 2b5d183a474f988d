// SPDX-License-Identifier: MIT
// Positional encodings of graph nodes, and embeddings of concepts. Inner products of embeddings approximate the Hebbian
// graph or a diffusion on it. core/learning/principal_components.hpp has learnt embeddings, and
// core/index/concept_embedding.hpp selects an embedding by name.
//
// W (n, n) are the weights of the links, symmetric and >= 0. d_i = sum_j W_ij are the degrees, self loops included
// once. A node with degree 0 is isolated. A weight of 0 is the same as no link.
#pragma once

#include <cstdint>
#include <span>

#include "core/numbers/shapes.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/numbers/spectral.hpp"
#include "narsese/term.hpp"

namespace engram::core {

/// Positional encoding of graph nodes by return probabilities. Entry k of row i is the probability that a random walk
/// from node i is back at i after k steps: (P^k)_ii for k = 1 .. steps, with P_ij = W_ij / d_i, link weights W and
/// degrees d. Rows of isolated nodes are 0. Unlike the signs and the order of eigenvectors, these numbers are not
/// arbitrary.
/// Shapes   W (n, n) -> (n, steps)
/// Ranges   results in [0, 1]; W need not be symmetric; scaling a row of W changes nothing
/// Errors   std::invalid_argument unless W is square, finite and >= 0, and steps >= 0; the first holds for all
///          functions of links W here
/// Cost     O(n steps links) time, less if walks of this length reach few nodes; O(n steps + links) memory
/// Source   Dwivedi et al. 2022, "Graph Neural Networks with Learnable Structural and Positional
///          Representations", eq. 9
Matrix random_walk_positions(const SparseRows& links, Index steps);

/// Computes the Laplacian L = D - W of a graph with link weights W and the diagonal matrix D of degrees. L is positive
/// semidefinite; vectors that are constant on a component have the eigenvalue 0.
/// Errors   as random_walk_positions(), and std::invalid_argument if a degree overflows
SparseRows laplacian(const SparseRows& links);

/// Computes the normalised Laplacian L_sym = I - D^-1/2 W D^-1/2 of a graph with link weights W and the diagonal matrix
/// D of degrees; rows of isolated nodes are 0. Its eigenvalues are in [0, 2].
SparseRows normalised_laplacian(const SparseRows& links);

/// Positional encoding of graph nodes by Laplacian eigenvectors. Uses the `count` smallest eigenvalues of the Laplacian
/// L or L_sym (if normalised), except the first of each component, which is 0. Column k of `vectors` is an eigenvector;
/// row i has the coordinates of node i. A vector with a simple eigenvalue is unique up to its sign, which
/// core/numbers/spectral.hpp chooses. For equal eigenvalues only the space of their vectors is unique. Therefore
/// compare |L u - lambda u| (for a value lambda and its vector u) or projectors, not vectors.
/// Shapes   W (n, n) -> values (k), vectors (n, k) with k = min(count, n - components)
/// Ranges   as eigenpairs() of core/numbers/spectral.hpp
/// Cost     as eigenpairs() of core/numbers/spectral.hpp
/// Source   Dwivedi and Bresson 2021, "A Generalization of Transformer Networks to Graphs"
Eigenpairs laplacian_positions(const SparseRows& links, Index count, bool normalised = true);

/// Embedding of concepts by random indexing. Every statement gets a random sparse vector with `nonzeros` entries of +1
/// and -1. A concept's row of X is the sum of the vectors of the statements that mention it, divided by sqrt(nonzeros).
/// The expectation of X X' is A' A, the Hebbian graph of the episodes A with unit evidence, with a standard error
/// proportional to 1/sqrt(dimensions).
/// Shapes   episodes A (p, n) -> (n, dimensions)
/// Ranges   1 <= nonzeros <= dimensions
/// Errors   std::invalid_argument outside this range
/// Cost     O(p nonzeros + entries of A * nonzeros); deterministic
/// Source   Kanerva, Kristoferson and Holst 2000; Sahlgren 2005
Matrix random_indexing(const SparseRows& episodes, Index dimensions, Index nonzeros, std::uint64_t seed);

/// Embedding of concepts by the truncated singular value decomposition of the Hebbian graph W = A' D A of episodes A
/// weighted by D. W with its diagonal is symmetric and positive semidefinite, so its singular vectors are its
/// eigenvectors U. The rows of X = U sqrt(Lambda) are the embedding, with the d largest eigenvalues Lambda. X X' is the
/// best approximation of W of rank d (Eckart and Young 1936). Columns are in descending order of their values, with the
/// signs of core/numbers/spectral.hpp. The inner products X X' are unique if value d differs from value d + 1. A column
/// is unique up to its sign if its value is simple.
/// Shapes   links (n, n) without diagonal, activity (n) as the diagonal -> (n, d); columns beyond n are 0
/// Ranges   d <= max_sparse_eigenpairs; weights >= 0
/// Errors   std::invalid_argument outside these ranges
/// Cost     as eigenpairs (core/numbers/spectral.hpp)
/// Source   Deerwester et al. 1990, "Indexing by Latent Semantic Analysis", of A D^1/2
Matrix truncated_svd(const SparseRows& links, const Vector& activity, Index dimensions);

/// Embedding of concepts by diffusion on the graph of links W. Row i is x_i = exp(-lambda t / 2) u_i for the d smallest
/// eigenpairs (lambda, u) of the normalised Laplacian L_sym. The inner products X X' approximate the heat kernel exp(-t
/// L_sym), the heat that has flowed from i to j by the time t, which is never negative. Eigenvalue 0 is included,
/// unlike in laplacian_positions(), because its vectors distinguish components. Concepts without links get rows of 0;
/// so do components after the first d, ordered by their lowest concept.
/// Shapes   links (n, n) -> (n, d)
/// Ranges, Errors, Cost  as truncated_svd(); t >= 0
/// Source   Belkin and Niyogi 2003, "Laplacian Eigenmaps"; Kondor and Lafferty 2002, "Diffusion Kernels on
///          Graphs" for the weights
Matrix laplacian_embedding(const SparseRows& links, Index dimensions, double time = 1);

/// Adds structure to the embeddings of compounds and statements, because co-activation alone cannot distinguish <a -->
/// b> from <b --> a>. The row x_c of a compound or statement c becomes
///   x_c <- x_c / |x_c| + s_c / |s_c|,  s_c = sum over the components k of c of R_role(k) f_k.
/// Components are processed before the terms that contain them. Rows of atoms do not change; zero vectors add nothing.
///   f_k     the filler, a vector for component k. For an atom: x_k / |x_k| + i_k, normalised. i_k is a
///           random vector of length 1 for the atom's name. Without it, two names that always occur together would be
///           indistinguishable. For a compound: x_k / |x_k|
///   R_role  a random signed permutation of the coordinates for the role of a component. The role consists of the
///           connector or copula, an image's placeholder, and the position of the component. Commutative terms (sets,
///           <->, &&) have one role for all positions
/// R is orthogonal, so compounds with equal roles are as similar as their fillers. Without learnt rows,
/// cos(<a --> b>, <c --> d>) = (f_a.f_c + f_b.f_d) / 2, with f_a.f_c = cos(a, c) / 2 for two names and 1 for one.
/// Fillers of different roles add an error of about 1/sqrt(d).
/// Shapes   terms (n), rows (n, d) -> (n, d).  Components without a row (variables) add nothing
/// Errors   std::invalid_argument unless there is a row for each term
/// Cost     O(d components), and O(d) for each role
/// Source   Sahlgren, Holst and Kanerva 2008, "Permutations as a Means to Encode Order in Word Space"; Plate
///          1995 for roles bound to fillers
Matrix composed(std::span<const narsese::Term> terms, Matrix rows, std::uint64_t seed);

}  // namespace engram::core
