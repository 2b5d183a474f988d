// SPDX-License-Identifier: MIT
#include "narsese/nearest_name.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace engram::narsese {

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = name.size() / 2 + 1;
  std::vector<std::size_t> row;
  for (const std::string& candidate : candidates) {
    if (std::max(candidate.size(), name.size()) - std::min(candidate.size(), name.size()) >= best_distance)
      continue;
    row.resize(candidate.size() + 1);  // Levenshtein, one row at a time
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < name.size() && std::ranges::min(row) < best_distance; ++i) {
      std::size_t diagonal = row[0];
      row[0] = i + 1;
      for (std::size_t j = 0; j < candidate.size(); ++j) {
        const std::size_t changed = diagonal + (name[i] != candidate[j] ? 1 : 0);
        diagonal = row[j + 1];
        row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

}  // namespace engram::narsese
