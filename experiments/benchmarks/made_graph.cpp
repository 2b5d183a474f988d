// SPDX-License-Identifier: MIT
#include "experiments/benchmarks/made_graph.hpp"

#include <algorithm>
#include <cmath>

namespace engram::benchmarks {

using namespace core;

SparseRows concept_graph(Rng& rng, Index concepts, Index links) {
  const auto n = static_cast<std::uint64_t>(concepts);
  const std::vector<std::uint32_t> by_rank = rng.permutation(static_cast<std::uint32_t>(n));
  std::vector<std::vector<std::uint32_t>> neighbours(n);
  for (std::uint32_t from = 0; from < n; ++from)
    for (Index link = 0; link < links; ++link) {
      const double rank = std::exp(rng.uniform() * std::log(static_cast<double>(n)));
      const std::uint32_t to =
          link % 2 == 0 ? by_rank[std::min<std::uint64_t>(n - 1, static_cast<std::uint64_t>(rank) - 1)]
                        : static_cast<std::uint32_t>(rng.below(n));
      if (to == from) continue;
      neighbours[from].push_back(to);
      neighbours[to].push_back(from);
    }
  SparseRows graph(concepts);
  std::vector<double> weights;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::vector<std::uint32_t>& row = neighbours[i];
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    weights.clear();
    for (const std::uint32_t j : row)  // symmetric integers from 1 to 64
      weights.push_back(static_cast<double>((std::uint64_t{i} + j) * 2'654'435'761U % 64 + 1));
    graph.push_row(row, weights);
  }
  return graph;
}

}  // namespace engram::benchmarks
