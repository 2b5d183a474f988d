// SPDX-License-Identifier: MIT
// Graphs as lists of links.
#pragma once

#include <span>

#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// A weighted link from one node to another.
struct Edge {
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  double weight = 1;
};

/// The weights of a graph given edge by edge, as rows: W_ij is the sum over the edges i -> j, in their order.
/// Undirected edges count in both directions, a self loop once.
/// Shapes   n nodes -> (n, n)
/// Errors   std::invalid_argument for nodes out of range or a weight that is negative or not finite
/// Cost     O(edges log edges + n); deterministic
SparseRows links_of_edges(Index n, std::span<const Edge> edges, bool directed);

}  // namespace engram::core
