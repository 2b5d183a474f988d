// SPDX-License-Identifier: MIT
// SparseRows: a sparse matrix stored by rows (CSR). Also functions that treat such a matrix as a graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/numbers/shapes.hpp"

namespace engram::core {

/// Sparse matrix: rows of (column, value) pairs, columns ascending. Products add in a fixed order, so that their bits
/// do not depend on the processor.
class SparseRows {
 public:
  explicit SparseRows(Index columns = 0) : columns_(columns) {}

  Index rows() const { return static_cast<Index>(start_.size()) - 1; }
  Index columns() const { return columns_; }
  std::size_t entries() const { return column_.size(); }

  /// The columns of a row's entries, ascending.
  std::span<const std::uint32_t> columns_of(Index row) const { return slice(column_, row); }
  /// The values of a row's entries, in the order of columns_of.
  std::span<const double> values_of(Index row) const { return slice(value_, row); }
  /// Mutable access to the values of a row.
  std::span<double> values_of(Index row) {
    const auto [from, count] = range(row);
    return std::span(value_).subspan(from, count);
  }

  /// Reserves memory for this many rows and entries in all.
  void reserve(Index rows, std::size_t entries);
  /// Returns the bytes of a matrix with this many rows and entries.
  static constexpr std::size_t bytes_for(std::size_t rows, std::size_t entries) {
    return (rows + 1) * sizeof(std::size_t) + entries * (sizeof(std::uint32_t) + sizeof(double));
  }

  /// Appends a row with these columns and values.  Errors  std::invalid_argument unless columns ascend and are in range
  void push_row(std::span<const std::uint32_t> columns, std::span<const double> values);

  /// Inner product of row i of the matrix with a vector x.
  double row_dot(Index row, const Vector& x) const;
  /// Product M x of the matrix M with a vector.  Shapes  x (columns) -> (rows).  Cost  O(entries)
  Vector multiply(const Vector& x) const;
  /// Product M' y of the transposed matrix with a vector; rows are added in ascending order.
  /// Shapes  y (rows) -> (columns).  Cost  O(entries)
  Vector multiply_transposed(const Vector& y) const;
  SparseRows transposed() const;
  /// The dense matrix.  Cost  O(rows columns)
  Matrix dense() const;

 private:
  std::pair<std::size_t, std::size_t> range(Index row) const {
    const auto r = static_cast<std::size_t>(row);
    return {start_[r], start_[r + 1] - start_[r]};
  }
  template <class T>
  std::span<const T> slice(const std::vector<T>& all, Index row) const {
    const auto [from, count] = range(row);
    return std::span(all).subspan(from, count);
  }

  Index columns_;
  std::vector<std::size_t> start_{0};
  std::vector<std::uint32_t> column_;
  std::vector<double> value_;
};

/// Finds the connected components of the graph of a symmetric matrix, in which each entry is an edge. Returns for each
/// row the lowest row of its component.
/// Shapes  (n, n) -> (n).  Cost  O(n + entries)
std::vector<std::uint32_t> connected_components(const SparseRows& symmetric);

/// A weighted link from one node to another.
struct Edge {
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  double weight = 1;
};

/// Makes the weight matrix W of a graph with n nodes: W_ij is the sum of the weights of the edges i -> j, added in the
/// order of `edges`. If `directed` is false, an edge counts in both directions, a self loop once.
/// Shapes   n nodes -> (n, n)
/// Errors   std::invalid_argument if a node is out of range, or a weight negative or not finite
/// Cost     O(edges log edges + n); deterministic
SparseRows links_of_edges(Index n, std::span<const Edge> edges, bool directed);

}  // namespace engram::core
