// SPDX-License-Identifier: MIT
// A sparse matrix stored by rows (CSR) whose products are summed in a fixed order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/numbers/shapes.hpp"

namespace engram::core {

/// Rows of (column, value) pairs, columns ascending within a row.
class SparseRows {
 public:
  explicit SparseRows(Index columns = 0) : columns_(columns) {}

  Index rows() const { return static_cast<Index>(start_.size()) - 1; }
  Index columns() const { return columns_; }
  std::size_t entries() const { return column_.size(); }

  /// Where a row has entries, ascending.
  std::span<const std::uint32_t> columns_of(Index row) const { return slice(column_, row); }
  /// Its entries, in the order of columns_of.
  std::span<const double> values_of(Index row) const { return slice(value_, row); }
  /// The same, to be changed.
  std::span<double> values_of(Index row) {
    const auto [from, count] = range(row);
    return std::span(value_).subspan(from, count);
  }

  /// Makes room for so many rows and entries in all.
  void reserve(Index rows, std::size_t entries);
  /// Bytes that so much takes.
  static constexpr std::size_t bytes_for(std::size_t rows, std::size_t entries) {
    return (rows + 1) * sizeof(std::size_t) + entries * (sizeof(std::uint32_t) + sizeof(double));
  }

  /// Appends a row.  Errors  std::invalid_argument unless columns ascend and are in range
  void push_row(std::span<const std::uint32_t> columns, std::span<const double> values);

  /// sum_j M_ij x_j for one row.
  double row_dot(Index row, const Vector& x) const;
  /// M x.  Shapes  x (columns) -> (rows).  Cost  O(entries)
  Vector multiply(const Vector& x) const;
  /// M' y, rows added in their order.  Shapes  y (rows) -> (columns)
  Vector multiply_transposed(const Vector& y) const;
  SparseRows transposed() const;
  /// All of it, zeros included.  Cost  O(rows columns)
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

/// Which rows of a symmetric matrix are joined by its entries: of each row, the lowest row of its component.
/// Shapes  (n, n) -> (n).  Cost  O(n + entries)
std::vector<std::uint32_t> connected_components(const SparseRows& symmetric);

}  // namespace engram::core
