// SPDX-License-Identifier: MIT
// The experiment `forgetting`: which concepts are still in a memory of limited capacity when they are needed? All
// policies see the same episodes in the same order. The result of a policy is the share it closes of the gap between
// `recent`, which forgets the least recently used, and Belady's optimum, which knows the future.
#pragma once

#include "experiments/inputs/concept_uses.hpp"
#include "experiments/inputs/event_stream.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments::forgetting {

/// The experiment's part of a spec.
struct ForgettingOptions {
  std::vector<std::string> policies;
  std::vector<double> shares{0.05, 0.1, 0.2, 0.4};  // capacity, as a share of the stream's concepts
  bool zipf = true, story = true;                   // whether to run on generated streams of this kind
  ZipfOptions drifting;
  StoryOptions told{1000, 40, 60, 3, 40, 0.3, 0.1};  // more situations in a story than fit into the memory
};

/// Turns result rows into tables, plots and the answer.
Conclusion conclude_forgetting(const Spec& spec, const ForgettingOptions& options,
                               const std::vector<Json>& rows);

}  // namespace engram::experiments::forgetting
