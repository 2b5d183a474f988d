// SPDX-License-Identifier: MIT
#include "core/numbers/separation.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

// The larger of two overlaps; the overlap of a copy does not count.
double larger_overlap(double largest, double overlap) {
  constexpr double copy = 1 - 1e-9;
  return overlap < copy ? std::max(largest, overlap) : largest;
}

// `separation(row)` is the separation of one pattern, or nothing if the pattern is skipped.
template <class Separation>
double median_over(Index patterns, const Separation& separation) {
  constexpr Index most = 64;
  std::vector<double> separations;
  const Index count = std::min(most, patterns);
  for (Index i = 0; i < count; ++i)
    if (const std::optional<double> found = separation(i * patterns / count)) separations.push_back(*found);
  if (separations.empty()) return 1;
  const auto middle = separations.begin() + static_cast<std::ptrdiff_t>(separations.size() / 2);
  std::ranges::nth_element(separations, middle);
  return *middle;
}

}  // namespace

double median_separation(const SparseRows& patterns, const SparseRows& transposed) {
  Vector pattern = Vector::Zero(patterns.columns());
  return median_over(patterns.rows(), [&](Index row) -> std::optional<double> {
    const auto columns = patterns.columns_of(row);
    if (columns.empty()) return {};
    for (std::size_t c = 0; c < columns.size(); ++c) pattern[columns[c]] = patterns.values_of(row)[c];
    double largest = 0;
    for (const std::uint32_t column : columns) {
      charge(8 * transposed.columns_of(column).size());
      for (const std::uint32_t other : transposed.columns_of(column))
        largest = larger_overlap(largest, patterns.row_dot(other, pattern));
    }
    for (const std::uint32_t column : columns) pattern[column] = 0;
    return 1 - largest;
  });
}

double median_separation(const Matrix& patterns) {
  return median_over(patterns.rows(), [&](Index row) -> std::optional<double> {
    const Vector pattern = patterns.row(row).transpose();
    if (pattern.isZero(0)) return {};
    double largest = 0;
    for (const double overlap : multiply(patterns, pattern)) largest = larger_overlap(largest, overlap);
    return 1 - largest;
  });
}

}  // namespace engram::core
