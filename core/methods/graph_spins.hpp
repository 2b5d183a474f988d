// SPDX-License-Identifier: MIT
// Spins on the concept graph.
#pragma once

#include "core/graph/link_rules.hpp"
#include "core/hopfield/graph_spins.hpp"
#include "core/methods/method.hpp"

namespace engram::core {

/// A classical network of +1/-1 spins on the graph (core/hopfield/graph_spins.hpp), its links weighed by a
/// rule of core/graph/link_rules.hpp: a concept becomes active with a share of its neighbourhood. An active
/// concept's activation is that share, and what the cue gives it, 1 at most (by glauber: how likely it is
/// active); others have none.
struct GraphSpinsRetriever {
  GraphSpinsOptions options;
  LinkRule links = LinkRule::correlation;
  Recall recall(const Readings& memory, const Vector& cue) const;
  static constexpr const char* no_sum =
      "a spin follows the share of its neighbourhood that is active, cut off at a threshold, step by "
      "step: which neighbour turned it first depends on the order (hopfield has a sum)";
};

}  // namespace engram::core
