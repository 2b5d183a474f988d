// SPDX-License-Identifier: MIT
// Classical Hopfield recall on the Hebbian graph, with k winners.
#pragma once

#include <memory>

#include "core/hopfield/hopfield.hpp"
#include "core/methods/method.hpp"

namespace engram::core {

/// Classical Hopfield recall on the graph's weights with k winners (see recall_winners). A winner's
/// activation is its local field over the largest one; losers have none.
struct HopfieldRetriever {
  int winners = 0;          // 0: the cue's units and as many more as a statement has on average
  double cue_strength = 1;  // field on a cue's unit; 1 is what a perfectly correlated neighbour gives
  bool correlation = true;  // couplings are correlations (hubs weigh no more than others) or covariances
  Recall recall(const Readings& memory, const Vector& cue) const;
  SparseCouplings couplings(const Readings& memory) const;
  WinnersRecall trace(const Readings& memory, const SparseCouplings& couplings, const Vector& cue) const;
  std::unique_ptr<const Explainer> explain(const Readings& memory, const Cue& cue,
                                           const Recall& recall) const;
};

}  // namespace engram::core
