// SPDX-License-Identifier: MIT
// Experiment `completion`: given a part of an episode, how well does each method find the rest? It varies the removed
// share of the statement, the wrong concepts in the cue, and the share of the file that the memory holds.
#pragma once

#include "experiments/inputs/episodes.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments::completion {

struct CompletionOptions {
  std::size_t cues = 50;                       // cues of a trial
  std::vector<double> corruption{0.34, 0.67};  // removed share of an episode
  std::vector<std::size_t> noise{0, 1, 2};     // number of wrong concepts added to the cue
  std::vector<double> load{0.25, 0.5, 1};      // share of the file's statements in the memory

  /// All combinations of `corruption` and `noise`.
  std::vector<Corruption> corruptions() const;
};

/// Upper ends of the classes of overlap. The overlap of a statement is the share of its concepts that its nearest other
/// statement contains.
inline constexpr double overlap_classes[] = {0.34, 0.5, 0.67, 0.99, 1};

Conclusion conclude_completion(const Spec& spec, const CompletionOptions& options,
                               const std::vector<Json>& rows);

}  // namespace engram::experiments::completion
