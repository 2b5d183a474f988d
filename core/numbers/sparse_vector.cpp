// SPDX-License-Identifier: MIT
#include "core/numbers/sparse_vector.hpp"

#include <algorithm>
#include <limits>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {

SparseVector::SparseVector(Index size, std::vector<Entry> entries)
    : size_(size), entries_(std::move(entries)) {
  for (std::size_t i = 0; i < entries_.size(); ++i)
    require(
        static_cast<Index>(entries_[i].first) < size && (i == 0 || entries_[i - 1].first < entries_[i].first),
        "indices of a sparse vector must ascend and be in range");
}

double SparseVector::operator[](Index i) const {
  if (is_dense_) return numbers_[i];
  const auto found = std::ranges::lower_bound(entries_, static_cast<std::uint32_t>(i), {}, &Entry::first);
  return found != entries_.end() && found->first == static_cast<std::uint32_t>(i) ? found->second : 0.0;
}

bool SparseVector::any_above_zero() const {
  if (is_dense_) return (numbers_.array() > 0).any();
  return std::ranges::any_of(entries_, [](const Entry& entry) { return entry.second > 0; });
}

const Vector& SparseVector::whole() const {
  if (is_dense_) return numbers_;
  return dense_copy_.get([&] {
    charge(static_cast<std::uint64_t>(size_));
    Vector all = Vector::Zero(size_);
    for (const auto& [i, x] : entries_) all[i] = x;
    return all;
  });
}

double SparseVector::sum() const {
  charge(held());
  SumInOrder sum;
  each([&](std::uint32_t i, double x) { sum.add(i, x); });
  return sum.total();
}

double SparseVector::dot(const SparseVector& other) const {
  require_size("right side of dot", other.size(), size());
  charge(2 * held());
  SumInOrder sum;
  each([&](std::uint32_t i, double x) { sum.add(i, x * other[i]); });
  return sum.total();
}

double SparseVector::max() const {
  if (held() == static_cast<std::size_t>(size_)) return core::max(whole());
  double largest = 0;  // of the numbers that are not stored
  each([&](std::uint32_t, double x) { largest = std::max(largest, x); });
  return largest;
}

}  // namespace engram::core
