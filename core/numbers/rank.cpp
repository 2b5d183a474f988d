// SPDX-License-Identifier: MIT
#include "core/numbers/rank.hpp"

#include <algorithm>

#include "core/numbers/work.hpp"

namespace engram::core {

std::vector<std::uint32_t> rank(const Vector& scores, std::size_t capacity) {
  spend(16 * static_cast<std::uint64_t>(scores.size()));
  std::vector<std::uint32_t> ids;
  for (Index i = 0; i < scores.size(); ++i)
    if (scores[i] > 0) ids.push_back(static_cast<std::uint32_t>(i));
  const auto better = [&](std::uint32_t a, std::uint32_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  };
  const auto kept = static_cast<std::ptrdiff_t>(std::min(capacity, ids.size()));
  std::partial_sort(ids.begin(), ids.begin() + kept, ids.end(), better);
  ids.resize(static_cast<std::size_t>(kept));
  return ids;
}

}  // namespace engram::core
