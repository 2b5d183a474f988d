// SPDX-License-Identifier: MIT
// Attention from a cue to the statements.
#pragma once

#include <memory>

#include "core/hopfield/modern_hopfield.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/methods/method.hpp"

namespace engram::core {

/// Attention from the cue to the statements, iterated with the cue kept: xi <- q + K' p(beta K xi), where K
/// are the statements' keys and q the cue's query. A statement's score is its mean weight over the steps, so
/// what answers the cue and what answers the answer both count; a concept's is the weight of the statements
/// that mention it. It is modern Hopfield recall in the external field q. Without inverse frequency all
/// concepts weigh the same in K and q.
struct AttentionRetriever {
  double beta = 8;
  int steps = 3;
  Regulariser map = SimplexMap::softmax;
  bool inverse_frequency = true;
  Recall recall(const Readings& memory, const Vector& cue) const;
  /// Its steps, one after another, over the statements (one at least).
  ModernRecall trace(const Readings& memory, const Vector& cue, const StepObserver& observer) const;
  std::unique_ptr<const Explainer> explain(const Readings& memory, const Cue& cue,
                                           const Recall& recall) const;
  static constexpr const char* no_sum =
      "without inverse frequency the concepts that are shared are only counted: that sum is not worked out";
};

}  // namespace engram::core
