// SPDX-License-Identifier: MIT
// Personalised PageRank from what a walk reaches, with its error.
#pragma once

#include <cstddef>
#include <functional>

#include "core/numbers/sparse_vector.hpp"
#include "core/walks/spreading_activation.hpp"

namespace engram::core {

/// How many links a node has, at least; asked before its row is.
using LinkCounts = std::function<std::size_t(Index node)>;

/// A walk from a cue, as far as it was pushed.
struct PushedRank {
  SparseVector rank;   // (n), no entry above that of the fixed point
  SparseVector waits;  // (n): what was not pushed on
  double left = 0;     // the sum of that, which is what `rank` lacks of the fixed point in sum
  int waves = 0;
};

/// Personalised PageRank  r = (1-d) v + d P' r  by forward push: at first all of v waits. What waits at a node
/// with at least `threshold` for each of its links is pushed: the node keeps 1-d of it for its rank and hands d
/// on along its links, where it waits; a node without links hands it back to v. With x what waits
///     fixed point = rank + (the same walk from x),
/// so that rank lacks nothing but sum x in all, and of a single node no more than that. All nodes that are due
/// push at once, so that the result does not depend on which come first.
/// Shapes   links (n, n) with weights >= 0, v (n) >= 0 with a positive sum, of which everything is a multiple
/// Ranges   damping d in [0, 1), threshold > 0
/// Errors   std::invalid_argument if shapes or ranges do not fit; WorkStopped
/// Cost     at most sum v / (threshold (1-d)) links, however large the graph is; a row is asked for once. A node
///          of more than sum v / threshold links, which much leads to and which leads anywhere, is never left
/// Source   Andersen, Chung and Lang 2006, "Local graph partitioning using PageRank vectors"
PushedRank push_rank(const LinkRows& links, const LinkCounts& counts, const SparseVector& v, double damping,
                     double threshold);

/// The same cut for economies in proportion (core/walks/ecan.hpp): linear_ecan's fixed point for
/// wages by v, of sum 1. Wages that are below the threshold where they are paid are not gone on with.
struct PushedEcan {
  PushedRank rank;
  SparseVector paid;  // (n): of v, what is gone on with; rank.left counts the rest
};
PushedEcan push_linear_ecan(const LinkRows& links, const LinkCounts& counts, const SparseVector& v,
                            double rent, double spread, double threshold);

}  // namespace engram::core
