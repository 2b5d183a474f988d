// SPDX-License-Identifier: MIT
// Completion: part of an episode in, the rest out. How well does each method complete statements as more of
// them is taken away, as wrong concepts are mixed into the rest, and as the memory holds more of the file?
#pragma once

#include "experiments/inputs/episodes.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments::completion {

struct CompletionOptions {
  std::size_t cues = 50;                       // a trial
  std::vector<double> corruption{0.34, 0.67};  // share of an episode that is taken away
  std::vector<std::size_t> noise{0, 1, 2};     // wrong concepts mixed into what is left
  std::vector<double> load{0.25, 0.5, 1};      // share of the file's statements that the memory holds

  /// Every way of corrupting a cue.
  std::vector<Corruption> corruptions() const;
};

/// Statements by the share of their concepts that the nearest other one has as well: up to each of these.
inline constexpr double overlap_classes[] = {0.34, 0.5, 0.67, 0.99, 1};

Conclusion conclude_completion(const Spec& spec, const CompletionOptions& options,
                               const std::vector<Json>& rows);

}  // namespace engram::experiments::completion
