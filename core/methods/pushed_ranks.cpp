// SPDX-License-Identifier: MIT
#include "core/methods/pushed_ranks.hpp"

namespace engram::core {

Recall from_pushed(const MemoryIndex& memory, const PushedRank& pushed) {
  std::vector<SparseVector::Entry> ranks;
  std::vector<std::pair<double, double>> bounds;
  pushed.rank.each([&](ConceptId i, double rank) {
    ranks.emplace_back(i, rank);
    bounds.emplace_back(rank, rank + pushed.left);
  });
  Recall recall = from_concepts(memory, pushed.rank);
  recall.iterations = pushed.waves;
  recall.left_out = {pushed.left, certain_best(ranks, bounds, pushed.left)};
  return recall;
}

}  // namespace engram::core
