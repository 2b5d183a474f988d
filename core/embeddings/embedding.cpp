// SPDX-License-Identifier: MIT
#include "core/embeddings/embedding.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/embeddings/positions.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

// W with its diagonal; weights of 0 join nobody.
SparseRows with_activity(const SparseRows& links, const Vector& activity) {
  require_size("activity", activity.size(), links.rows());
  SparseRows out(links.columns());
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  const auto put = [&](Index column, double value) {
    require(value >= 0, "a weight must not be negative", value);
    if (!(value > 0)) return;
    columns.push_back(static_cast<std::uint32_t>(column));
    values.push_back(value);
  };
  for (Index row = 0; row < links.rows(); ++row) {
    columns.clear();
    values.clear();
    bool placed = false;
    for (std::size_t k = 0; k < links.columns_of(row).size(); ++k) {
      const Index column = links.columns_of(row)[k];
      require(column != row, "links hold no diagonal: that is the activity");
      if (column > row && !std::exchange(placed, true)) put(row, activity[row]);
      put(column, links.values_of(row)[k]);
    }
    if (!placed) put(row, activity[row]);
    out.push_row(columns, values);
  }
  return out;
}

// The nodes that have links, and the graph of these alone.
struct Linked {
  std::vector<std::uint32_t> nodes;  // ascending
  SparseRows links;
};

bool linked_row(std::span<const double> weights) {
  for (const double w : weights) require(w >= 0, "a weight must not be negative", w);
  return max(weights) > 0;
}

Linked linked_part(const SparseRows& links) {
  require_size("rows of a graph's weights", links.rows(), links.columns());
  Linked linked;
  std::vector<std::uint32_t> place(static_cast<std::size_t>(links.rows()));
  for (Index row = 0; row < links.rows(); ++row)
    if (linked_row(links.values_of(row))) {
      place[static_cast<std::size_t>(row)] = static_cast<std::uint32_t>(linked.nodes.size());
      linked.nodes.push_back(static_cast<std::uint32_t>(row));
    }
  linked.links = SparseRows(static_cast<Index>(linked.nodes.size()));
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (const std::uint32_t row : linked.nodes) {
    columns.clear();
    values.clear();
    for (std::size_t k = 0; k < links.columns_of(row).size(); ++k)
      if (links.values_of(row)[k] > 0) {
        columns.push_back(place[links.columns_of(row)[k]]);
        values.push_back(links.values_of(row)[k]);
      }
    linked.links.push_row(columns, values);
  }
  return linked;
}

}  // namespace

Matrix random_indexing(const SparseRows& episodes, Index dimensions, Index nonzeros, std::uint64_t seed) {
  require(nonzeros >= 1 && nonzeros <= dimensions, "random indexing needs 1 <= nonzeros <= dimensions");
  Matrix embedding = Matrix::Zero(episodes.columns(), dimensions);
  std::vector<Index> places;
  for (Index statement = 0; statement < episodes.rows(); ++statement) {
    Rng rng(seed, "random_indexing", static_cast<std::uint64_t>(statement));
    places.clear();
    while (static_cast<Index>(places.size()) < nonzeros) {
      const auto place = static_cast<Index>(rng.below(static_cast<std::uint64_t>(dimensions)));
      if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
    }
    const auto members = episodes.columns_of(statement);
    charge(places.size() * (members.size() + 32));
    const auto activations = episodes.values_of(statement);
    for (const Index place : places) {
      const double sign = (rng.bits() & 1) != 0 ? 1.0 : -1.0;
      for (std::size_t i = 0; i < members.size(); ++i) embedding(members[i], place) += sign * activations[i];
    }
  }
  return embedding / std::sqrt(static_cast<double>(nonzeros));
}

Matrix truncated_svd(const SparseRows& links, const Vector& activity, Index dimensions) {
  require(dimensions >= 0, "dimensions must not be negative", dimensions);
  const Eigenpairs pairs =
      eigenpairs(with_activity(links, activity), std::min(dimensions, links.rows()), SpectrumEnd::largest);
  Matrix embedding = Matrix::Zero(links.rows(), dimensions);
  for (Index k = 0; k < pairs.values.size(); ++k)  // a value of 0 may come out a rounding below it
    embedding.col(k) = std::sqrt(std::max(pairs.values[k], 0.0)) * pairs.vectors.col(k);
  return embedding;
}

Matrix laplacian_embedding(const SparseRows& links, Index dimensions, double time) {
  require(dimensions >= 0, "dimensions must not be negative", dimensions);
  require(time >= 0 && std::isfinite(time), "the time of diffusion must be finite and not negative", time);
  const Linked linked = linked_part(links);
  const Eigenpairs pairs = eigenpairs(normalised_laplacian(linked.links),
                                      std::min(dimensions, linked.links.rows()), SpectrumEnd::smallest);
  Matrix embedding = Matrix::Zero(links.rows(), dimensions);
  for (Index k = 0; k < pairs.values.size(); ++k) {
    const double kept = exp(-0.5 * time * pairs.values[k]);
    for (std::size_t i = 0; i < linked.nodes.size(); ++i)
      embedding(linked.nodes[i], k) = kept * pairs.vectors(static_cast<Index>(i), k);
  }
  return embedding;
}

}  // namespace engram::core
