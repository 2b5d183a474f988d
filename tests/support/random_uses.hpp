// SPDX-License-Identifier: MIT
// Uses of concepts for tests of what a bounded memory keeps.
#pragma once

#include <set>
#include <vector>

#include "core/budgets/bounded_memory.hpp"
#include "core/numbers/random.hpp"

namespace engram::core {

/// Episodes of one to three concepts, of which low numbers are more frequent.
inline std::vector<std::vector<BoundedMemory::Id>> random_uses(Rng rng, std::size_t count,
                                                               std::uint32_t concepts) {
  std::vector<std::vector<BoundedMemory::Id>> episodes(count);
  for (auto& episode : episodes) {
    std::set<std::uint32_t> active;
    const auto wanted = 1 + rng.below(3);
    while (active.size() < wanted)
      active.insert(static_cast<std::uint32_t>(rng.below(1 + rng.below(concepts))));
    episode.assign(active.begin(), active.end());
  }
  return episodes;
}

}  // namespace engram::core
