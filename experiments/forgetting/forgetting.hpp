// SPDX-License-Identifier: MIT
// Forgetting: which concepts are still there when they are needed, if memory has no room for all? Every
// policy sees the same episodes in the same order, and no further; the optimum knows them all. Policies are
// held against the gap between what forgets the least recently used and that optimum, and against what one
// could do who knew the chances, but not the future: the rest of the gap is not to be closed.
#pragma once

#include "experiments/inputs/concept_uses.hpp"
#include "experiments/inputs/event_stream.hpp"
#include "experiments/spec/experiment.hpp"

namespace engram::experiments::forgetting {

struct ForgettingOptions {
  std::vector<std::string> policies;
  std::vector<double> shares{0.05, 0.1, 0.2, 0.4};  // of a stream's concepts that the memory has room for
  bool zipf = true, story = true;
  ZipfOptions drifting;
  StoryOptions told{1000, 40, 60, 3, 40, 0.3, 0.1};  // a story runs through more situations than memory holds
};

Conclusion conclude_forgetting(const Spec& spec, const ForgettingOptions& options,
                               const std::vector<Json>& rows);

}  // namespace engram::experiments::forgetting
