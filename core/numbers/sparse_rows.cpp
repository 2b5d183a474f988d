// SPDX-License-Identifier: MIT
#include "core/numbers/sparse_rows.hpp"

#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

// Asks for the number that an entry some way behind entry i leads to: in a large vector it is in no near cache.
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
            "columns of a sparse row ascend and are in range");
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
  const Reservation claim(sizeof(double) * static_cast<std::uint64_t>(rows() * columns_));
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

}  // namespace engram::core
