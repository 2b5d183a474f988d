// SPDX-License-Identifier: MIT
// Dense associative memory over the statements.
#pragma once

#include "core/hopfield/dense_episodes.hpp"
#include "core/methods/method.hpp"

namespace engram::core {

/// Dense associative memory with the statements as patterns, weighed by their evidence
/// (core/hopfield/dense_episodes.hpp, which says why it counts overlaps from silence and takes no polynomial
/// that is not rectified). An active concept's activation is what the energy would rise without it, over the
/// largest such cost; others have none.
struct DenseMemoryRetriever {
  EpisodeSeparation separation = EpisodeSeparation::rectified;
  int n = 5;        // of rectified
  double beta = 8;  // of exponential; chosen: enough for a cue of one concept among e^8 statements
  Recall recall(const Readings& memory, const Vector& cue) const;
  static constexpr const char* no_sum =
      "an energy of all units together decides, by a power of every overlap: it is no sum over concepts "
      "(modern_hopfield, whose energy is of the same kind, has sums for each step)";
};

}  // namespace engram::core
