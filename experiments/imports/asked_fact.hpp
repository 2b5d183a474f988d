// SPDX-License-Identifier: MIT
// Questions about imported knowledge, with their proofs.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "experiments/imports/knowledge.hpp"

namespace engram::experiments {

struct AskedFact {
  struct Proof {
    std::vector<Claim> claims;
    std::optional<std::size_t> rule;  // index of the rule that joins them
  };

  Claim fact;
  bool holds = false;
  bool asks_relation = false;      // asks for the relation; else whether the fact holds
  std::vector<Proof> proofs = {};  // at least one if the fact holds
};

/// Most proofs stored for a question. Chosen: with more proofs, the particular selection hardly matters.
inline constexpr std::size_t most_proofs = 20;

}  // namespace engram::experiments
