// SPDX-License-Identifier: MIT
#include "core/numbers/sparse_rows.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "core/numbers/work_budget.hpp"

namespace engram::core {

namespace {

// Prefetches the number that a later entry will access, because entries access a large vector at random.
void prefetch(std::size_t i, std::span<const std::uint32_t> columns, const Vector& numbers) {
  constexpr std::size_t ahead = 48;  // chosen by trial
  if (i + ahead < columns.size()) __builtin_prefetch(numbers.data() + columns[i + ahead]);
}

}  // namespace

void SparseRows::reserve(Index rows, std::size_t entries) {
  start_.reserve(static_cast<std::size_t>(rows) + 1);
  column_.reserve(entries);
  value_.reserve(entries);
}

void SparseRows::push_row(std::span<const std::uint32_t> columns, std::span<const double> values) {
  require_size("values of a sparse row", static_cast<Index>(values.size()),
               static_cast<Index>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i)
    require(static_cast<Index>(columns[i]) < columns_ && (i == 0 || columns[i - 1] < columns[i]),
            "columns of a sparse row must ascend and be in range");
  charge(columns.size() + 1);
  column_.insert(column_.end(), columns.begin(), columns.end());
  value_.insert(value_.end(), values.begin(), values.end());
  start_.push_back(column_.size());
}

double SparseRows::row_dot(Index row, const Vector& x) const {
  const auto columns = columns_of(row);
  const auto values = values_of(row);
  double total = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) total += values[i] * x[columns[i]];
  return total;
}

Vector SparseRows::multiply(const Vector& x) const {
  require_size("vector", x.size(), columns_);
  charge(entries() + static_cast<std::uint64_t>(rows()));
  Vector out(rows());
  for (Index row = 0; row < rows(); ++row) {
    const auto [from, count] = range(row);
    double total = 0;
    for (std::size_t i = from; i < from + count; ++i) {
      prefetch(i, column_, x);
      total += value_[i] * x[column_[i]];
    }
    out[row] = total;
  }
  return out;
}

Vector SparseRows::multiply_transposed(const Vector& y) const {
  require_size("vector", y.size(), rows());
  charge(entries() + static_cast<std::uint64_t>(rows()));
  Vector out = Vector::Zero(columns_);
  for (Index row = 0; row < rows(); ++row) {
    const double factor = y[row];
    if (factor == 0) continue;
    const auto [from, count] = range(row);
    for (std::size_t i = from; i < from + count; ++i) {
      prefetch(i, column_, out);
      out[column_[i]] += value_[i] * factor;
    }
  }
  return out;
}

SparseRows SparseRows::transposed() const {
  charge(2 * entries());
  SparseRows out(rows());
  out.start_.assign(static_cast<std::size_t>(columns_) + 1, 0);
  out.column_.resize(entries());
  out.value_.resize(entries());
  for (const std::uint32_t column : column_) ++out.start_[column + 1];
  for (std::size_t i = 1; i < out.start_.size(); ++i) out.start_[i] += out.start_[i - 1];
  std::vector<std::size_t> next(out.start_.begin(), out.start_.end() - 1);
  for (Index row = 0; row < rows(); ++row) {
    const auto columns = columns_of(row);
    const auto values = values_of(row);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::size_t place = next[columns[i]]++;
      out.column_[place] = static_cast<std::uint32_t>(row);
      out.value_[place] = values[i];
    }
  }
  return out;
}

Matrix SparseRows::dense() const {
  charge(static_cast<std::uint64_t>(rows() * columns_));
  const Reservation reservation(sizeof(double) * static_cast<std::uint64_t>(rows() * columns_));
  Matrix out = Matrix::Zero(rows(), columns_);
  for (Index row = 0; row < rows(); ++row)
    for (std::size_t k = 0; k < columns_of(row).size(); ++k) out(row, columns_of(row)[k]) = values_of(row)[k];
  return out;
}

std::vector<std::uint32_t> connected_components(const SparseRows& symmetric) {
  require_size("rows of a symmetric matrix", symmetric.rows(), symmetric.columns());
  const auto n = static_cast<std::uint32_t>(symmetric.rows());
  std::vector<std::uint32_t> lowest(n, n), waiting;
  for (std::uint32_t root = 0; root < n; ++root) {
    if (lowest[root] != n) continue;
    lowest[root] = root;
    waiting.push_back(root);
    while (!waiting.empty()) {
      const std::uint32_t row = waiting.back();
      waiting.pop_back();
      charge(symmetric.columns_of(row).size() + 1);
      for (const std::uint32_t column : symmetric.columns_of(row))
        if (lowest[column] == n) {
          lowest[column] = root;
          waiting.push_back(column);
        }
    }
  }
  return lowest;
}

SparseRows links_of_edges(Index n, std::span<const Edge> edges, bool directed) {
  std::vector<Edge> ordered;
  for (const Edge& edge : edges) {
    require(edge.source < n && edge.target < n, "a node of an edge is out of range");
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
        require(std::isfinite(weights.back()), "the sum of the weights of an edge overflows");
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
