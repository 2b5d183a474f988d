// SPDX-License-Identifier: MIT
// Random inputs for experiments without files. They depend only on the key of the generator.
#pragma once

#include "core/numbers/random.hpp"
#include "core/numbers/sparse_rows.hpp"

namespace engram::experiments {

using core::Index, core::Matrix, core::Rng, core::Vector;

/// Matrix and vector with entries uniform in (-1, 1).
Matrix random_matrix(Rng& rng, Index rows, Index columns);
Vector random_vector(Rng& rng, Index n);

/// Matrix with standard normal entries (Marsaglia's polar method), so that rows have uniform directions.
Matrix normal_matrix(Rng& rng, Index rows, Index columns);
/// Matrix with rows of length 1 in uniform directions.
Matrix unit_rows(Rng& rng, Index rows, Index columns);

/// Matrix of +1 and -1 with equal probability. Each random number yields 64 spins.
Matrix random_spins(Rng& rng, Index rows, Index columns);
/// Random vector of +1 and -1 with equal probability.
Vector random_state(Rng& rng, Index n);
/// A row of `spins` in which each spin is flipped with probability `damage`.
Vector damaged(Rng& rng, const Matrix& spins, Index row, double damage);

/// Random symmetric matrix of link weights with zero diagonal. Two nodes are linked with probability `density`, with a
/// weight in (0.1, 1.1). A ring of links is added, so that every node has a neighbour.
/// Ranges  n >= 2
core::SparseRows random_links(Rng& rng, Index n, double density);

/// Sparse copy of a matrix, row by row.
core::SparseRows sparse(const Matrix& m);

}  // namespace engram::experiments
