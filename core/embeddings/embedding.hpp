// SPDX-License-Identifier: MIT
// Embeddings of concepts: rows whose inner products approximate the Hebbian graph, or what spreads over it.
// (core/learning/principal_components.hpp learns them, core/embeddings/composition.hpp adds the structure of
// compounds, core/retrieval/concept_embedding.hpp chooses one by name.)
#pragma once

#include <cstdint>

#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// Random indexing: every statement gets a random sparse vector of +1 and -1, a concept's row is the sum of
/// those of the statements that mention it, over sqrt(nonzeros). Then E[X X'] = A' A, the Hebbian graph with
/// unit evidence, with a standard error that falls as 1/sqrt(d).
/// Shapes   episodes A (p, n) -> (n, dimensions)
/// Ranges   1 <= nonzeros <= dimensions
/// Errors   std::invalid_argument outside these
/// Cost     O(p nonzeros + entries of A * nonzeros); the same for every order of evaluation
/// Source   Kanerva, Kristoferson and Holst 2000; Sahlgren 2005
Matrix random_indexing(const SparseRows& episodes, Index dimensions, Index nonzeros, std::uint64_t seed);

/// Truncated singular value decomposition of the Hebbian graph. W = A' D A with its diagonal is symmetric and
/// positive semidefinite, so that its singular vectors are its eigenvectors: X = U sqrt(Lambda) of the d
/// largest. X X' is then the matrix of rank d that is nearest to W (Eckart and Young 1936), W itself where d
/// reaches its rank. Columns go from the largest value down, with the signs of core/numbers/spectral.hpp.
/// Unique are the inner products X X', unless the last value that is kept equals the first that is not;
/// single columns are, up to their sign, where the values are distinct.
/// Shapes   links (n, n) without diagonal, activity (n), its diagonal -> (n, d); what is beyond n is 0
/// Ranges   d <= max_sparse_eigenpairs; weights >= 0
/// Errors   std::invalid_argument outside these
/// Cost     that of eigenpairs (core/numbers/spectral.hpp)
/// Source   Deerwester et al. 1990, "Indexing by Latent Semantic Analysis", of A D^1/2
Matrix truncated_svd(const SparseRows& links, const Vector& activity, Index dimensions);

/// Laplacian embedding: x_i = exp(-lambda t / 2) u_i over the d smallest eigenpairs of L_sym = I - D^-1/2 W
/// D^-1/2, so that X X' approximates the heat kernel exp(-t L_sym): what of a unit of heat on i has come to j
/// by the time t. No entry of that kernel is negative. Value 0 is kept, unlike in positions: it is what tells
/// components apart. Concepts without links get rows of 0, and so do components beyond the d first, by their
/// lowest concept.
/// Shapes   links (n, n) -> (n, d);    Ranges, Errors, Cost  as above; t >= 0
/// Source   Belkin and Niyogi 2003, "Laplacian Eigenmaps"; Kondor and Lafferty 2002, "Diffusion Kernels on
///          Graphs" for the weights
Matrix laplacian_embedding(const SparseRows& links, Index dimensions, double time = 1);

}  // namespace engram::core
