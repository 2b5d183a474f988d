// SPDX-License-Identifier: MIT
// Modern Hopfield recall over the statements.
#pragma once

#include <memory>

#include "core/hopfield/modern_hopfield.hpp"
#include "core/maps/simplex_map.hpp"
#include "core/methods/method.hpp"

namespace engram::core {

/// Modern Hopfield recall over the statements as patterns, from the cue and without it afterwards. With a
/// beta too small for the number of statements the only fixed point is their mean (at 8 with some 170).
struct ModernHopfieldRetriever {
  double beta = 16;
  int max_steps = 100;
  Regulariser map = SimplexMap::softmax;
  Recall recall(const Readings& memory, const Vector& cue) const;
  /// Its steps, one after another, over the statements (one at least).
  ModernRecall trace(const Readings& memory, const Vector& cue, const StepObserver& observer) const;
  std::unique_ptr<const Explainer> explain(const Readings& memory, const Cue& cue,
                                           const Recall& recall) const;
};

}  // namespace engram::core
