// SPDX-License-Identifier: MIT
#include "core/numbers/edge_list.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace engram::core {

SparseRows links_of_edges(Index n, std::span<const Edge> edges, bool directed) {
  std::vector<Edge> ordered;
  for (const Edge& edge : edges) {
    require(edge.source < n && edge.target < n, "an edge names a node that is not there");
    require(edge.weight >= 0 && std::isfinite(edge.weight), "a weight must be finite and not negative",
            edge.weight);
    ordered.push_back(edge);
    if (!directed && edge.source != edge.target) ordered.push_back({edge.target, edge.source, edge.weight});
  }
  const auto ends = [](const Edge& edge) { return std::tuple(edge.source, edge.target); };
  std::ranges::stable_sort(ordered, {}, ends);

  SparseRows links(n);
  std::vector<std::uint32_t> columns;
  std::vector<double> weights;
  auto next = ordered.begin();
  for (Index row = 0; row < n; ++row) {
    columns.clear();
    weights.clear();
    for (; next != ordered.end() && next->source == row; ++next) {
      if (!columns.empty() && columns.back() == next->target) {
        weights.back() += next->weight;
        require(std::isfinite(weights.back()), "the weights of an edge add up to more than a double holds");
      } else {
        columns.push_back(next->target);
        weights.push_back(next->weight);
      }
    }
    links.push_row(columns, weights);
  }
  return links;
}

}  // namespace engram::core
