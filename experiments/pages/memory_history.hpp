// SPDX-License-Identifier: MIT
// How budgets and links came about while a file was read, and the graph that it left.
#pragma once

#include "experiments/formats/conclusion.hpp"
#include "experiments/inputs/corpus.hpp"

namespace engram::experiments {

/// Reads the file's sentences again, one by one, and looks at the memory at up to 24 moments, evenly spaced:
/// what budgets (priority, durability, quality) the cue's recall by the method gives to concepts, and how
/// strong links are. Of concepts those eight with the largest priority at any of these moments, of links the
/// eight strongest in the end; and the graph of the 40 strongest links. Null for files of more than 5000
/// statements: what is shown would not pay its time. All numbers are chosen, not derived.
/// `cue`: concepts as Narsese; those that are not known yet take no part.
Json history_json(const Corpus& corpus, const core::MemoryOptions& options,
                  const std::vector<std::string>& cue, const MethodChoice& method);

/// Adds two timelines and the graph. `number` tells files apart, `path` names this one.
void add_history(const Json& history, std::size_t number, const std::string& path, Conclusion& conclusion);

}  // namespace engram::experiments
