// SPDX-License-Identifier: MIT
// Sums over few of many ids.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "core/numbers/id_numbers.hpp"
#include "core/numbers/sparse_vector.hpp"

namespace engram::core {

/// Of each id the sum of what was added to it, in the order in which it was.
class SparseSums {
 public:
  /// Adds x to the sum of id.  Cost  O(1) amortised
  void add(std::uint32_t id, double x) {
    const auto [number, is_new] = ids_.insert(id);
    if (is_new) sums_.push_back(0);
    sums_[number] += x;
  }
  bool empty() const { return sums_.empty(); }
  double operator[](std::uint32_t id) const {
    const auto number = ids_.find(id);
    return number ? sums_[*number] : 0.0;
  }
  std::vector<SparseVector::Entry> ascending() const {
    std::vector<SparseVector::Entry> all;
    for (std::size_t k = 0; k < sums_.size(); ++k) all.emplace_back(ids_.ids()[k], sums_[k]);
    std::ranges::sort(all);
    return all;
  }

 private:
  IdNumbers ids_;
  std::vector<double> sums_;
};

}  // namespace engram::core
