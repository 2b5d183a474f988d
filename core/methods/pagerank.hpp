// SPDX-License-Identifier: MIT
// Personalized PageRank on the Hebbian graph.
#pragma once

#include <memory>
#include <optional>

#include "core/methods/method.hpp"
#include "core/methods/walked_links.hpp"

namespace engram::core {

/// Personalized PageRank on the Hebbian graph, restarting at the cue, along links weighed by a rule of
/// core/graph/link_rules.hpp or, where there is none, learnt by the memory's own
/// (core/graph/link_learning.hpp).
/// Errors   NoLearner where a memory without one is walked by what it learnt
struct PageRankRetriever {
  double damping = 0.85;
  std::optional<LinkRule> links = LinkRule::hebb;
  Recall recall(const Readings& memory, const Vector& cue) const;
  std::unique_ptr<const Explainer> explain(const Readings& memory, const Cue& cue,
                                           const Recall& recall) const;
};

}  // namespace engram::core
