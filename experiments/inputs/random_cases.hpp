// SPDX-License-Identifier: MIT
// Random inputs of the experiments that need no file: a function of the generator's key alone.
#pragma once

#include "core/numbers/random.hpp"
#include "core/numbers/sparse_rows.hpp"

namespace engram::experiments {

// What random cases are made of, and all that is worked out on them.
using core::Index, core::Matrix, core::Rng, core::Vector;

/// Entries uniform in (-1, 1).
Matrix random_matrix(Rng& rng, Index rows, Index columns);
Vector random_vector(Rng& rng, Index n);

/// Entries normal (Marsaglia's polar method), rows therefore in directions without preference.
Matrix normal_matrix(Rng& rng, Index rows, Index columns);
/// The same with rows of length 1.
Matrix unit_rows(Rng& rng, Index rows, Index columns);

/// +1 or -1, each as likely, 64 a draw.
Matrix random_spins(Rng& rng, Index rows, Index columns);
/// One state; `row` of a matrix of spins with each spin flipped with probability `damage`.
Vector random_state(Rng& rng, Index n);
Vector damaged(Rng& rng, const Matrix& spins, Index row, double damage);

/// Links of weights in (0.1, 1.1) between pairs chosen with probability `density`, symmetric, no diagonal;
/// beside them a ring, so that every node has a neighbour.    Ranges  n >= 2
core::SparseRows random_links(Rng& rng, Index n, double density);

/// The entries of a matrix that are not 0, row by row.
core::SparseRows sparse(const Matrix& m);

}  // namespace engram::experiments
