// SPDX-License-Identifier: MIT
#include "core/numbers/rank.hpp"

#include <algorithm>

#include "core/numbers/work_budget.hpp"

namespace engram::core {

std::vector<std::uint32_t> rank(const SparseVector& scores, std::size_t capacity) {
  charge(4 * scores.held());
  if (capacity == 0) return {};
  // The best so far, the worst of them in front.
  std::vector<SparseVector::Entry> best;
  const auto better = [](const SparseVector::Entry& a, const SparseVector::Entry& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  };
  scores.each([&](std::uint32_t i, double x) {
    if (!(x > 0)) return;
    if (best.size() < capacity) {
      best.emplace_back(i, x);
      std::push_heap(best.begin(), best.end(), better);
    } else if (better({i, x}, best.front())) {
      std::pop_heap(best.begin(), best.end(), better);
      best.back() = {i, x};
      std::push_heap(best.begin(), best.end(), better);
    }
  });
  std::sort_heap(best.begin(), best.end(), better);
  std::vector<std::uint32_t> ids;
  for (const auto& [i, x] : best) ids.push_back(i);
  return ids;
}

}  // namespace engram::core
