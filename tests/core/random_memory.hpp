// SPDX-License-Identifier: MIT
// Random memories with hubs: a few names occur in very many statements.
#pragma once

#include <string>

#include "core/index/memory_index.hpp"
#include "tests/core/samples.hpp"

namespace engram::core::samples {

/// A memory with many names, few relations and statements of different confidence. The relations are hubs.
inline Memory random_memory(Rng& rng, std::uint64_t statements) {
  Memory memory;
  for (std::uint64_t i = 0; i < statements; ++i) {
    const std::string a = "n" + std::to_string(rng.below(statements / 3)),
                      b = "n" + std::to_string(rng.below(statements / 3)),
                      truth = ". %1.0;0." + std::to_string(1 + rng.below(8)) + "%";
    if (rng.below(4) == 0)
      say(memory, "<" + a + " --> kind" + std::to_string(rng.below(3)) + ">" + truth);
    else
      say(memory, "<(*," + a + "," + b + ") --> r" + std::to_string(rng.below(3)) + ">" + truth);
  }
  return memory;
}

/// A random cue for random_memory: one name and one relation.
inline Cue some_cue(Rng& rng, Memory& memory, std::uint64_t statements) {
  const std::string a = "n" + std::to_string(rng.below(statements / 3)),
                    b = "r" + std::to_string(rng.below(3));
  return cue_for(memory, term(memory, "<(*," + a + ",?1) --> " + b + ">"));
}

}  // namespace engram::core::samples
