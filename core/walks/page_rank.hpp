// SPDX-License-Identifier: MIT
// Personalised PageRank on weighted links: by power iteration, by forward push from the nodes near the start, and by
// spreading activation with a threshold. All sums are in a fixed order.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/numbers/sparse_rows.hpp"
#include "core/numbers/sparse_vector.hpp"

namespace engram::core {

/// Returns row `node` of a link matrix (n, n): the neighbours, ascending, with their weights.
using LinkRows = std::function<std::vector<SparseVector::Entry>(Index node)>;
/// The rows of a matrix, which must outlive the result.
LinkRows rows_of(const SparseRows& links);
/// Returns a lower bound on the number of links of a node. Called before the node's row is read.
using LinkCounts = std::function<std::size_t(Index node)>;
/// Called with the nodes, ascending, whose rows the next step reads. Use it to prefetch them.
using LinkPrefetch = std::function<void(const std::vector<std::uint32_t>& nodes)>;

/// The sum of v.  Errors  std::invalid_argument with this message unless entries and sum are positive and finite
double positive_sum(const SparseVector& v, const char* message);

/// The transition probabilities from node i, w_ij / sum_j w_ij, in the order of the row. A node without links, or
/// with weights of 0, gets zeros.
/// Ranges  weights >= 0
void set_shares(const SparseRows& links, Index i, std::vector<double>& shares);
/// Normalises the weights of one row, as set_shares() does.
void normalise_shares(std::span<double> shares);

/// The stationary distribution of a walk with restarts.
struct PageRank {
  Vector rank;  // (n), a distribution
  int iterations = 0;
  bool converged = false;
};

/// Personalised PageRank: the fixed point of  r = (1-d) v + d P' r,  P_ij = w_ij / sum_j w_ij, with v the restart
/// vector normalised to sum 1. A node without links jumps back to v. The iteration starts from v; after t steps the
/// L1 error is at most 2 d^t.
/// Shapes   links (n, n) with weights >= 0, restart (n) >= 0 with a positive sum
/// Ranges   damping d in [0, 1); tolerance on the L1 norm of a step's change
/// Errors   std::invalid_argument if shapes or ranges do not fit
/// Cost     O(n + links) a step, about log(tolerance)/log(d) steps; deterministic
/// Source   Page et al. 1999; Haveliwala 2002
PageRank personalized_page_rank(const SparseRows& links, const Vector& restart, double damping = 0.85,
                                double tolerance = 1e-12, int max_steps = 10000);

/// The iterates of this iteration after 1, 2, ... `steps` steps, one per row: spreading activation with restart.
/// Shapes   as above -> (steps, n)
Matrix page_rank_steps(const SparseRows& links, const Vector& restart, double damping, int steps);

/// The number of steps after which the L1 error is at most `error`.
int page_rank_steps_needed(double damping, double error);

/// Lower bounds on PageRank, computed from the nodes near the start.
struct PushedRank {
  SparseVector rank;      // (n), each entry at most the fixed point's
  SparseVector residual;  // (n), mass that was not pushed
  double missing = 0;     // the sum of the residual, equal to the mass that `rank` lacks
  int waves = 0;
};

/// Personalised PageRank  r = (1-d) v + d P' r  by forward push. Use it if the graph is much larger than the
/// neighbourhood of the start. At first the residual is v. A node with a residual of at least `threshold` per link is
/// pushed: it adds the share 1-d to its rank and passes d to its neighbours' residuals; without links it passes d back
/// to v. All due nodes are pushed at once, so the result does not depend on their order. With residual x,
///     fixed point = rank + (the same walk from x),
/// so `rank` lacks sum x in total, and at most that at any node.
/// Shapes   links (n, n) with weights >= 0, v (n) >= 0 with a positive sum; results scale with that sum
/// Ranges   damping d in [0, 1), threshold > 0
/// Errors   std::invalid_argument if shapes or ranges do not fit; WorkStopped
/// Cost     at most sum v / (threshold (1-d)) links, for any size of graph; each row is read once. A node with more
///          than sum v / threshold links, such as a hub, is never pushed
/// Source   Andersen, Chung and Lang 2006, "Local graph partitioning using PageRank vectors"
PushedRank push_rank(const LinkRows& links, const LinkCounts& counts, const SparseVector& v, double damping,
                     double threshold);
/// The residual from which on push_rank() pushes a node: `threshold` per link, at least one.
double push_threshold(const LinkCounts& counts, Index node, double threshold);

/// Parameters of spreading activation.
struct SpreadingOptions {
  double passed_on = 0.85;  // share of a pulse that a node passes to its neighbours, in [0, 1)
  double threshold = 1e-4;  // weaker pulses do not fire; chosen: about a cue's share of a thousand concepts
  int max_steps = 100;      // steps of a wave
};

/// The result of spreading activation.
struct Spread {
  SparseVector activation;  // (n), a distribution
  int steps = 0;
  std::size_t fired = 0;        // pulses that fired, proportional to the work
  bool converged = false;       // no remaining pulse is strong enough to fire
  SparseVector fired_sum = {};  // (n), a node's fired pulses; it passed on `passed_on` times their sum
};

/// Spreading activation in waves. The cue v, normalised to sum 1, is the first pulse. A node fires if its pulse x is at
/// least the threshold: it keeps (1 - passed_on) x and passes the rest along its links, by weight, as pulses of the
/// next step. A node without links passes the rest back to the cue. Weaker pulses, and all pulses after the last step,
/// stay. Activations therefore always sum to 1. With threshold 0, step t is the t-th iterate of personalised PageRank
/// with damping `passed_on`. With a threshold the L1 error is at most 2 d times the sum of the pulses that stay, and a
/// wave reaches only the neighbourhood of the cue.
/// Shapes   links (n, n) with weights >= 0, cue (n) >= 0 with a positive sum
/// Errors   std::invalid_argument if shapes or ranges do not fit
/// Cost     O(links of the firing nodes) a step; deterministic
/// Source   Collins and Loftus 1975; the threshold as in Andersen, Chung and Lang 2006
Spread spread_activation(const LinkRows& links, const SparseVector& cue, const SpreadingOptions& options = {},
                         const LinkPrefetch& prefetch = {});
Spread spread_activation(const SparseRows& links, const SparseVector& cue,
                         const SpreadingOptions& options = {});

}  // namespace engram::core
