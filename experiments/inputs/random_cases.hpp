// SPDX-License-Identifier: MIT
// Random inputs of the experiments that need no file: a function of the generator's key alone.
#pragma once

#include "core/numbers/random.hpp"
#include "core/numbers/sparse_rows.hpp"

namespace engram::experiments {

/// Entries uniform in (-1, 1).
core::Matrix random_matrix(core::Rng& rng, core::Index rows, core::Index columns);
core::Vector random_vector(core::Rng& rng, core::Index n);

/// Entries normal (Marsaglia's polar method), rows therefore in directions without preference.
core::Matrix normal_matrix(core::Rng& rng, core::Index rows, core::Index columns);
/// The same with rows of length 1.
core::Matrix unit_rows(core::Rng& rng, core::Index rows, core::Index columns);

/// +1 or -1, each as likely, 64 a draw.
core::Matrix random_spins(core::Rng& rng, core::Index rows, core::Index columns);
/// One state; `row` of a matrix of spins with each spin flipped with probability `damage`.
core::Vector random_state(core::Rng& rng, core::Index n);
core::Vector damaged(core::Rng& rng, const core::Matrix& spins, core::Index row, double damage);

/// Links of weights in (0.1, 1.1) between pairs chosen with probability `density`, symmetric, no diagonal;
/// beside them a ring, so that every node has a neighbour.    Ranges  n >= 2
core::SparseRows random_links(core::Rng& rng, core::Index n, double density);

/// The entries of a matrix that are not 0, row by row.
core::SparseRows sparse(const core::Matrix& m);

}  // namespace engram::experiments
