// SPDX-License-Identifier: MIT
// What is asked of imported knowledge, and why its answer follows.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "experiments/imports/knowledge.hpp"

namespace engram::experiments {

struct AskedFact {
  struct Proof {
    std::vector<Claim> claims;
    std::optional<std::size_t> rule;  // its number, of what joins them
  };

  Claim fact;
  bool holds = false;
  bool asks_relation = false;      // what fact.subject is to fact.object; else, whether it is that
  std::vector<Proof> proofs = {};  // where it holds, at least one
};

/// Proofs that are kept of a question; chosen: of more, which are known hardly matters.
inline constexpr std::size_t most_proofs = 20;

}  // namespace engram::experiments
