// SPDX-License-Identifier: MIT
// Personalised PageRank on weighted links, in three ways: by power iteration, by forward push from the nodes near the
// start, and by spreading activation with a threshold. All sums are in a fixed order.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/numbers/sparse_rows.hpp"
#include "core/numbers/sparse_vector.hpp"

namespace engram::core {

/// Function that returns row `node` of a link matrix (n, n): the neighbours, ascending, with their weights. Use it for
/// graphs that are too large for a matrix.
using LinkRows = std::function<std::vector<SparseVector::Entry>(Index node)>;
/// Makes a LinkRows function that reads the rows of a matrix. The matrix must outlive it.
LinkRows rows_of(const SparseRows& links);
/// Function that returns a lower bound on the number of links of a node. push_rank() calls it before it reads the
/// node's row.
using LinkCounts = std::function<std::size_t(Index node)>;
/// Callback with the nodes, ascending, whose rows the next step reads. Use it to prefetch these rows.
using LinkPrefetch = std::function<void(const std::vector<std::uint32_t>& nodes)>;

/// Returns the sum of v.
/// Errors  std::invalid_argument with `message` unless all entries and the sum are positive and finite
double positive_sum(const SparseVector& v, const char* message);

/// Sets `shares` to the transition probabilities of a random walk from node i: w_ij / sum_j w_ij, with w the link
/// weights, in the order of row i of `links`. If node i has no links, or only weights of 0, all shares are 0.
/// Ranges  weights >= 0
void set_shares(const SparseRows& links, Index i, std::vector<double>& shares);
/// Divides the weights of one row by their sum, in place, as set_shares() does. If the sum is 0, all shares are 0.
void normalise_shares(std::span<double> shares);

/// Result of personalized_page_rank(): the stationary distribution of a random walk with restarts.
struct PageRank {
  Vector rank;  // (n), a distribution
  int iterations = 0;
  bool converged = false;
};

/// Personalised PageRank by power iteration: the importance of each node for a random walk that restarts, with
/// probability 1-d, at a node drawn from v. The result r is the fixed point of  r = (1-d) v + d P' r,  with damping d,
/// transition probabilities P_ij = w_ij / sum_j w_ij of the link weights w, and v the vector `restart` normalised to
/// sum 1. A node without links jumps back to v. The iteration starts from v; after t steps the L1 error is at most 2
/// d^t. Use push_rank() if the graph is much larger than the neighbourhood of v.
/// Shapes   links (n, n) with weights >= 0, restart (n) >= 0 with a positive sum
/// Ranges   damping d in [0, 1); tolerance on the L1 norm of a step's change
/// Errors   std::invalid_argument if shapes or ranges do not fit
/// Cost     O(n + links) a step, about log(tolerance)/log(d) steps; deterministic
/// Source   Page et al. 1999; Haveliwala 2002
PageRank personalized_page_rank(const SparseRows& links, const Vector& restart, double damping = 0.85,
                                double tolerance = 1e-12, int max_steps = 10000);

/// Spreading activation with restart: the vectors that the iteration of personalized_page_rank() has reached after 1,
/// 2, ... `steps` steps, one per row.
/// Shapes   links (n, n), restart (n) -> (steps, n)
Matrix page_rank_steps(const SparseRows& links, const Vector& restart, double damping, int steps);

/// The number of steps after which the L1 error of page_rank_steps() is at most `error`.
int page_rank_steps_needed(double damping, double error);

/// Result of push_rank(): lower bounds on personalised PageRank, computed only from the nodes near the start.
struct PushedRank {
  SparseVector rank;      // (n), each entry at most that of personalized_page_rank()
  SparseVector residual;  // (n), probability mass that was not pushed on
  double missing = 0;     // sum of the residual, equal to the mass that `rank` lacks
  int waves = 0;
};

/// Personalised PageRank  r = (1-d) v + d P' r  by forward push, with damping d, restart vector v and transition
/// probabilities P as in personalized_page_rank(). Use it if the graph is much larger than the neighbourhood of v. At
/// first the residual, the mass still to be distributed, is v. A node with a residual of at least `threshold` per link
/// is pushed: it adds the share 1-d of its residual to its rank and passes the share d to its neighbours' residuals;
/// without links it passes that share back to v. All due nodes are pushed at once, so the result does not depend on
/// their order. With x the final residual,
///     fixed point = rank + (the result of the same walk with restart vector x),
/// so `rank` lacks sum x in total, and at most that at any node.
/// Shapes   links (n, n) with weights >= 0, v (n) >= 0 with a positive sum; results scale with that sum
/// Ranges   damping d in [0, 1), threshold > 0
/// Errors   std::invalid_argument if shapes or ranges do not fit; WorkStopped
/// Cost     at most sum v / (threshold (1-d)) links, for any size of graph; each row is read once. A node with more
///          than sum v / threshold links, such as a hub, is never pushed
/// Source   Andersen, Chung and Lang 2006, "Local graph partitioning using PageRank vectors"
PushedRank push_rank(const LinkRows& links, const LinkCounts& counts, const SparseVector& v, double damping,
                     double threshold);
/// The smallest residual that makes push_rank() push a node: `threshold` for each link, at least for one.
double push_threshold(const LinkCounts& counts, Index node, double threshold);

/// Parameters of spread_activation().
struct SpreadingOptions {
  double passed_on = 0.85;  // share of a pulse that a node passes to its neighbours, in [0, 1)
  double threshold = 1e-4;  // weaker pulses do not fire; chosen: about a cue's share of a thousand concepts
  int max_steps = 100;      // most steps of the wave
};

/// Result of spread_activation().
struct Spread {
  SparseVector activation;  // (n), a distribution
  int steps = 0;
  std::size_t fired = 0;   // number of pulses that fired, proportional to the work
  bool converged = false;  // no remaining pulse is strong enough to fire
  /// (n), sum of the pulses that a node fired; it passed on `passed_on` times this sum.
  SparseVector fired_sum = {};
};

/// Spreading activation in waves, which stop when they become weak. A pulse is activation that arrives at a node; the
/// first pulses are the cue v, normalised to sum 1. A node fires if its pulse x is at least the threshold: it keeps (1
/// - passed_on) x and passes the rest along its links, by weight, as pulses of the next step. A node without links
/// passes the rest back to the cue. Weaker pulses, and all pulses after the last step, stay at their nodes, so
/// activations always sum to 1. With threshold 0, step t is the t-th iterate of personalised PageRank with damping d =
/// passed_on. With a threshold the L1 error is at most 2 d times the sum of the pulses that stay, and a wave reaches
/// only the neighbourhood of the cue.
/// Shapes   links (n, n) with weights >= 0, cue (n) >= 0 with a positive sum
/// Errors   std::invalid_argument if shapes or ranges do not fit
/// Cost     O(links of the firing nodes) a step; deterministic
/// Source   Collins and Loftus 1975; the threshold as in Andersen, Chung and Lang 2006
Spread spread_activation(const LinkRows& links, const SparseVector& cue, const SpreadingOptions& options = {},
                         const LinkPrefetch& prefetch = {});
Spread spread_activation(const SparseRows& links, const SparseVector& cue,
                         const SpreadingOptions& options = {});

}  // namespace engram::core
