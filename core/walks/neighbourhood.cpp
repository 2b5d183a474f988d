// SPDX-License-Identifier: MIT
#include "core/walks/neighbourhood.hpp"

#include <algorithm>

#include "core/numbers/id_numbers.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {

std::vector<Neighbour> neighbourhood(const MemoryIndex& memory, std::span<const ConceptId> names,
                                     const NeighbourhoodOptions& options) {
  IdNumbers known, found;
  std::vector<ConceptId> border(names.begin(), names.end());
  for (const ConceptId id : border) known.insert(id);

  std::vector<Neighbour> neighbours;
  for (int hop = 1; hop <= options.hops && !border.empty() && neighbours.size() < options.most; ++hop) {
    std::vector<StatementId> fresh;
    for (const ConceptId id : border) {
      const auto mentions = memory.mentions(id);
      charge(2 * mentions.size());
      for (const StatementId e : mentions)
        if (found.insert(e).second) fresh.push_back(e);
    }
    std::ranges::sort(fresh);
    fresh.resize(std::min(fresh.size(), options.most - neighbours.size()));
    border.clear();
    for (const StatementId e : fresh) {
      neighbours.push_back({e, hop});
      if (memory.expectation(e) < 0.5) continue;
      for (const ConceptId id : memory.episode(e))
        if (known.insert(id).second) border.push_back(id);
    }
  }
  return neighbours;
}

}  // namespace engram::core
