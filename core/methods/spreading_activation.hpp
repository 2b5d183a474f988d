// SPDX-License-Identifier: MIT
// Waves of activation along the Hebbian links.
#pragma once

#include <memory>
#include <optional>

#include "core/methods/method.hpp"
#include "core/methods/walked_links.hpp"

namespace engram::core {

/// Spreading activation in waves from the cue, along links as in PageRankRetriever (and its error). It looks
/// at no more of the graph than is reached by pulses above the threshold.
struct SpreadingActivationRetriever {
  double passed_on = 0.85;
  double threshold = 1e-4;
  int max_steps = 100;
  std::optional<LinkRule> links = LinkRule::hebb;
  Recall recall(const Readings& memory, const Vector& cue) const;
  std::unique_ptr<const Explainer> explain(const Readings& memory, const Cue& cue,
                                           const Recall& recall) const;
};

}  // namespace engram::core
