// SPDX-License-Identifier: MIT
// Generated graph for benchmarks, in Engram's format and in that of matrix libraries.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "core/numbers/random.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "experiments/benchmarks/limits.hpp"
#include "experiments/benchmarks/matrix_peers.hpp"

namespace engram::benchmarks {

/// Generates a symmetric graph. Half of the links follow Zipf's law, which gives hubs and a long tail. Weights are
/// integers from 1 to 64.
core::SparseRows concept_graph(core::Rng& rng, core::Index concepts, core::Index links);

/// The graph in compressed rows, for other libraries.
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
