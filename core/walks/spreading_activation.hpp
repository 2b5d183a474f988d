// SPDX-License-Identifier: MIT
// Activation that spreads from a cue along links, in waves.
#pragma once

#include <functional>
#include <vector>

#include "core/numbers/sparse_rows.hpp"
#include "core/numbers/sparse_vector.hpp"

namespace engram::core {

/// How pulses spread, and when they fade.
struct SpreadingOptions {
  double passed_on = 0.85;  // share of a pulse that a node passes to its neighbours, in [0, 1)
  double threshold = 1e-4;  // pulses below it do not fire; chosen: about a cue's share of a thousand concepts
  int max_steps = 100;      // of a wave
};

/// The links of a node, ascending, by their weights: a row of (n, n).
using LinkRows = std::function<std::vector<SparseVector::Entry>(Index node)>;
/// Is told of the nodes, ascending, whose links a step will ask for: for who must fetch them.
using LinksToCome = std::function<void(const std::vector<std::uint32_t>& nodes)>;
/// Those of a matrix that outlives them.
LinkRows rows_of(const SparseRows& links);

/// Where activation came to rest.
struct Spread {
  SparseVector activation;  // (n), a distribution
  int steps = 0;
  std::size_t fired = 0;   // pulses; what the work grows with
  bool converged = false;  // no pulse was left that would fire
  SparseVector fired_sum =
      {};  // (n): of the pulses with which a node fired; it passed on passed_on times that
};

/// Spreading activation in waves: the cue v, normalised to sum 1, is the first pulse. A node whose pulse x is
/// at least the threshold fires: it keeps (1 - passed_on) x for good and passes the rest on along its links,
/// by their weights, as pulses of the next step; a node without links passes it back to the cue. A pulse too
/// weak to fire stays where it is, and so does every pulse after the last step. Nothing gets lost:
/// activations sum to 1.
/// With threshold 0 step t is the t-th iterate a <- (1-d) v + d P'a of Personalized PageRank, d = passed_on
/// (core/walks/page_rank.hpp), and the limit its fixed point. With a threshold the result is off by at most
/// 2 d times the sum of the pulses that stay, and a wave touches the neighbourhood of the cue alone.
/// Shapes   links (n, n) with weights >= 0, cue (n) >= 0 with a positive sum
/// Errors   std::invalid_argument if shapes or ranges do not fit
/// Cost     O(links of what fires) a step; deterministic
/// Source   Collins and Loftus 1975; the stop at a threshold as in Andersen, Chung and Lang 2006
Spread spread_activation(const LinkRows& links, const SparseVector& cue, const SpreadingOptions& options = {},
                         const LinksToCome& expect = {});
Spread spread_activation(const SparseRows& links, const SparseVector& cue,
                         const SpreadingOptions& options = {});

}  // namespace engram::core
