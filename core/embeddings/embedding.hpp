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

/// Return probabilities of a random walk that starts at i: (P^k)_ii for k = 1 .. steps, P_ij = W_ij / d_i; 0 for
/// isolated nodes. Unlike for eigenvectors, signs and order are not arbitrary.
/// Shapes   W (n, n) -> (n, steps)
/// Ranges   results in [0, 1]; W need not be symmetric; scaling a row of W changes nothing
/// Errors   std::invalid_argument unless W is square, finite and >= 0, and steps >= 0; the first holds for every
///          function below
/// Cost     O(n steps links) time, less if walks of this length reach few nodes; O(n steps + links) memory
/// Source   Dwivedi et al. 2022, "Graph Neural Networks with Learnable Structural and Positional
///          Representations", eq. 9
Matrix random_walk_positions(const SparseRows& links, Index steps);

/// The Laplacian L = D - W, D = diag(d). It is positive semidefinite; vectors that are constant on a component have
/// value 0.
/// Errors   also if a degree overflows
SparseRows laplacian(const SparseRows& links);

/// The normalised Laplacian L_sym = I - D^-1/2 W D^-1/2; rows of isolated nodes are 0. Its eigenvalues are in [0, 2].
SparseRows normalised_laplacian(const SparseRows& links);

/// Laplacian eigenvectors as coordinates: the `count` smallest eigenvalues of L or L_sym, except the first of each
/// component, which is 0. Column k is an eigenvector; row i has the coordinates of node i. A vector with a simple
/// eigenvalue is unique up to its sign, which core/numbers/spectral.hpp chooses. For equal eigenvalues only the space
/// of their vectors is unique. Therefore compare |L u - lambda u| or projectors, not vectors.
/// Shapes   W (n, n) -> values (k), vectors (n, k) with k = min(count, n - components)
/// Ranges   as eigenpairs
/// Cost     as eigenpairs
/// Source   Dwivedi and Bresson 2021, "A Generalization of Transformer Networks to Graphs"
Eigenpairs laplacian_positions(const SparseRows& links, Index count, bool normalised = true);

/// Random indexing: every statement gets a random sparse vector of +1 and -1. A concept's row is the sum of the vectors
/// of the statements that mention it, divided by sqrt(nonzeros). Then E[X X'] = A' A, the Hebbian graph with unit
/// evidence, with a standard error proportional to 1/sqrt(d).
/// Shapes   episodes A (p, n) -> (n, dimensions)
/// Ranges   1 <= nonzeros <= dimensions
/// Errors   std::invalid_argument outside this range
/// Cost     O(p nonzeros + entries of A * nonzeros); deterministic
/// Source   Kanerva, Kristoferson and Holst 2000; Sahlgren 2005
Matrix random_indexing(const SparseRows& episodes, Index dimensions, Index nonzeros, std::uint64_t seed);

/// Truncated singular value decomposition of the Hebbian graph. W = A' D A with its diagonal is symmetric and positive
/// semidefinite, so its singular vectors are its eigenvectors, and X = U sqrt(Lambda) with the d largest eigenvalues.
/// X X' is the best approximation of W of rank d (Eckart and Young 1936). Columns are in descending order of their
/// values, with the signs of core/numbers/spectral.hpp. The inner products X X' are unique if value d differs from
/// value d + 1. A column is unique up to its sign if its value is simple.
/// Shapes   links (n, n) without diagonal, activity (n) as the diagonal -> (n, d); columns beyond n are 0
/// Ranges   d <= max_sparse_eigenpairs; weights >= 0
/// Errors   std::invalid_argument outside these ranges
/// Cost     as eigenpairs (core/numbers/spectral.hpp)
/// Source   Deerwester et al. 1990, "Indexing by Latent Semantic Analysis", of A D^1/2
Matrix truncated_svd(const SparseRows& links, const Vector& activity, Index dimensions);

/// Laplacian embedding: x_i = exp(-lambda t / 2) u_i for the d smallest eigenpairs of L_sym = I - D^-1/2 W D^-1/2. X X'
/// approximates the heat kernel exp(-t L_sym), the heat that has flowed from i to j by the time t, which is
/// never negative. Eigenvalue 0 is included, unlike in laplacian_positions, because its vectors distinguish components.
/// Concepts without links get rows of 0; so do components after the first d, ordered by their lowest concept.
/// Shapes   links (n, n) -> (n, d)
/// Ranges, Errors, Cost  as for truncated_svd; t >= 0
/// Source   Belkin and Niyogi 2003, "Laplacian Eigenmaps"; Kondor and Lafferty 2002, "Diffusion Kernels on
///          Graphs" for the weights
Matrix laplacian_embedding(const SparseRows& links, Index dimensions, double time = 1);

/// Adds structure to the rows of compounds and statements, because co-activation alone cannot distinguish <a --> b>
/// from <b --> a>:
///   x_c <- x_c / |x_c| + s_c / |s_c|,  s_c = sum over the components k of c of R_role(k) f_k.
/// Components are processed before the terms that contain them. Rows of atoms do not change; zero vectors add nothing.
///   f_k     of an atom: x_k / |x_k| + i_k, normalised. i_k is a random vector of length 1 for the atom's name. Without
///           it, two names that always occur together would be indistinguishable. Of a compound: x_k / |x_k|
///   R_role  a random signed permutation of the coordinates for the role: the connector or copula, an image's
///           placeholder, and the position of the component. Commutative terms (sets, <->, &&) have one role for all
///           positions
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
