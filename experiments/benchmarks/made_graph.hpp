// SPDX-License-Identifier: MIT
// Generated graph for benchmarks, in the formats of Engram and of matrix libraries.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "core/numbers/random.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "experiments/benchmarks/library_peers.hpp"
#include "experiments/benchmarks/limits.hpp"

namespace engram::benchmarks {

/// Generates a symmetric graph. Half of the links lead to concepts drawn by Zipf's law, which gives hubs. The other
/// half leads to uniformly random concepts. Weights are integers from 1 to 64.
inline core::SparseRows concept_graph(core::Rng& rng, core::Index concepts, core::Index links) {
  const auto n = static_cast<std::uint64_t>(concepts);
  const std::vector<std::uint32_t> by_rank = rng.permutation(static_cast<std::uint32_t>(n));
  std::vector<std::vector<std::uint32_t>> neighbours(n);
  for (std::uint32_t from = 0; from < n; ++from)
    for (core::Index link = 0; link < links; ++link) {
      const double rank = std::exp(rng.uniform() * std::log(static_cast<double>(n)));
      const std::uint32_t to =
          link % 2 == 0 ? by_rank[std::min<std::uint64_t>(n - 1, static_cast<std::uint64_t>(rank) - 1)]
                        : static_cast<std::uint32_t>(rng.below(n));
      if (to == from) continue;
      neighbours[from].push_back(to);
      neighbours[to].push_back(from);
    }
  core::SparseRows graph(concepts);
  std::vector<double> weights;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::vector<std::uint32_t>& row = neighbours[i];
    std::ranges::sort(row);
    row.erase(std::unique(row.begin(), row.end()), row.end());
    weights.clear();
    for (const std::uint32_t j : row)  // a hash that is symmetric in i and j
      weights.push_back(static_cast<double>((std::uint64_t{i} + j) * 2'654'435'761U % 64 + 1));
    graph.push_row(row, weights);
  }
  return graph;
}

/// A sparse matrix in compressed rows, the format of other libraries.
template <class Number>
class LinkMatrix {
 public:
  explicit LinkMatrix(const core::SparseRows& graph) {
    for (core::Index i = 0; i < graph.rows(); ++i) {
      const auto columns = graph.columns_of(i);
      const auto values = graph.values_of(i);
      columns_.insert(columns_.end(), columns.begin(), columns.end());
      std::ranges::transform(values, std::back_inserter(values_),
                             [](double v) { return static_cast<Number>(v); });
      starts_.push_back(static_cast<std::int32_t>(columns_.size()));
    }
  }

  CompressedRows<Number> rows() const { return {starts_, columns_, values_}; }
  /// The bytes that a product with the matrix must read.
  std::vector<Bytes> bytes() const {
    return {std::as_bytes(std::span(columns_)), std::as_bytes(std::span(values_))};
  }

 private:
  std::vector<std::int32_t> starts_{0}, columns_;
  std::vector<Number> values_;
};

}  // namespace engram::benchmarks
