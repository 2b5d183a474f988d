// SPDX-License-Identifier: MIT
// What memories share that hold the concepts of most worth.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "core/budgets/bounded_memory.hpp"
#include "core/numbers/shapes.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {

/// Concepts, ascending.
using ConceptIds = std::vector<BoundedMemory::Id>;

/// Whether it is among them.  Cost  O(log n)
inline bool contains(std::span<const BoundedMemory::Id> ascending, BoundedMemory::Id id) {
  return std::binary_search(ascending.begin(), ascending.end(), id);
}

/// Those of either, ascending, each once.
inline ConceptIds united(std::span<const BoundedMemory::Id> a, std::span<const BoundedMemory::Id> b) {
  ConceptIds both;
  std::ranges::set_union(a, b, std::back_inserter(both));
  return both;
}

/// The `count` of most worth, ascending; the others are put into `left`. Of equal ones the lower number
/// stays.
template <class Worth>
ConceptIds most_worth(ConceptIds ids, std::size_t count, Worth worth, ConceptIds* left = nullptr) {
  std::ranges::stable_sort(ids, [&](auto a, auto b) { return worth(a) > worth(b); });
  const auto end = ids.begin() + static_cast<std::ptrdiff_t>(std::min(count, ids.size()));
  if (left != nullptr) left->assign(end, ids.end());
  ids.erase(end, ids.end());
  std::ranges::sort(ids);
  return ids;
}

/// Those of `known` that are neither held nor among the `count` others of most worth.
template <class Worth>
ConceptIds beyond_ghosts(std::span<const BoundedMemory::Id> known, std::span<const BoundedMemory::Id> held,
                         std::size_t count, Worth worth) {
  charge(64 * known.size());
  ConceptIds others, dropped;
  std::ranges::set_difference(known, held, std::back_inserter(others));
  most_worth(std::move(others), count, worth, &dropped);
  return dropped;
}

/// Keeps those of most worth.
class RankedMemory : public BoundedMemory {
 public:
  explicit RankedMemory(std::size_t capacity) : capacity_(capacity) {
    require(capacity >= 1, "the capacity must be at least 1", capacity);
  }
  bool holds(Id id) const override { return contains(held_, id); }

 protected:
  /// Keeps of what it holds and what is active as many as there are places for, the most worth. `left`: gets those
  /// that go.
  template <class Worth>
  void keep(std::span<const Id> active, Worth worth, ConceptIds* left = nullptr) {
    charge(64 * held_.size());
    held_ = most_worth(united(held_, active), capacity_, worth, left);
  }
  std::size_t capacity() const { return capacity_; }
  const ConceptIds& held() const { return held_; }

 private:
  std::size_t capacity_;
  ConceptIds held_;
};

}  // namespace engram::core
