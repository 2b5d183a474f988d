// SPDX-License-Identifier: MIT
#include "core/walks/neighbourhood.hpp"

#include <algorithm>

#include "core/numbers/work.hpp"

namespace engram::core {

std::vector<Neighbour> neighbourhood(const Readings& memory, std::span<const ConceptId> names,
                                     const NeighbourhoodOptions& options) {
  const auto n = static_cast<std::size_t>(memory.concepts()),
             p = static_cast<std::size_t>(memory.statements());
  const Claim bytes(n + p);
  std::vector<char> known(n, 0), found(p, 0);
  std::vector<ConceptId> border(names.begin(), names.end());
  for (const ConceptId id : border) known[id] = 1;

  std::vector<Neighbour> neighbours;
  for (int hop = 1; hop <= options.hops && !border.empty() && neighbours.size() < options.most; ++hop) {
    std::vector<StatementId> fresh;
    for (const ConceptId id : border) {
      const auto mentions = memory.mentions.columns_of(id);
      spend(2 * mentions.size());
      for (const StatementId e : mentions)
        if (found[e] == 0) {
          found[e] = 1;
          fresh.push_back(e);
        }
    }
    std::ranges::sort(fresh);
    fresh.resize(std::min(fresh.size(), options.most - neighbours.size()));
    border.clear();
    for (const StatementId e : fresh) {
      neighbours.push_back({e, hop});
      if (memory.expectation[e] < 0.5) continue;
      for (const ConceptId id : memory.episodes.columns_of(e))
        if (known[id] == 0) {
          known[id] = 1;
          border.push_back(id);
        }
    }
  }
  return neighbours;
}

}  // namespace engram::core
