// SPDX-License-Identifier: MIT
// Personalised PageRank by fixed-order sums.
#pragma once

#include <span>
#include <vector>

#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// Where a walk goes from node i, in shares that sum to 1: w_ij / sum_j w_ij, in the order of the row. No
/// links, or links without weight, give zeros.    Ranges  weights >= 0
void set_shares(const SparseRows& links, Index i, std::vector<double>& shares);
/// The same of the weights of a row.
void normalise_shares(std::span<double> shares);

/// Where a walk with restarts is, in the long run.
struct PageRank {
  Vector rank;  // (n), a distribution
  int iterations = 0;
  bool converged = false;
};

/// Personalized PageRank: the fixed point of  r = (1-d) v + d P' r,  P_ij = w_ij / sum_j w_ij, v = restart
/// normalised to sum 1; a node without links jumps back to v. It is where spreading activation with restart
/// settles. Starts from v; after t steps the error is at most 2 d^t in sum.
/// Shapes   links (n, n) with weights >= 0, restart (n) >= 0 with a positive sum
/// Ranges   damping d in [0, 1); tolerance on the sum of absolute changes of a step
/// Errors   std::invalid_argument if shapes or ranges do not fit
/// Cost     O(n + links) a step, about log(tolerance)/log(d) steps; deterministic
/// Source   Page et al. 1999; Haveliwala 2002
PageRank personalized_page_rank(const SparseRows& links, const Vector& restart, double damping = 0.85,
                                double tolerance = 1e-12, int max_steps = 10000);

/// The first steps towards it, one a row: x_0 = v, x_(t+1) = (1-d) v + d P' x_t; row t holds x_(t+1). That is
/// spreading activation with restart, cut off.
/// Shapes   as above -> (steps, n)
Matrix page_rank_steps(const SparseRows& links, const Vector& restart, double damping, int steps);

/// How many steps bring the iterates within `error` (sum of absolute differences) of the fixed point.
int page_rank_steps_needed(double damping, double error);

}  // namespace engram::core
