// SPDX-License-Identifier: MIT
// Embeddings of concepts: rows whose inner products approximate the Hebbian graph.
#pragma once

#include <cstdint>

#include "core/sparse_rows.hpp"

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

}  // namespace engram::core
