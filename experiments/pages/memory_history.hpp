// SPDX-License-Identifier: MIT
// Development of budgets and links while a file was read, and the final graph.
#pragma once

#include "experiments/formats/conclusion.hpp"
#include "experiments/inputs/corpus.hpp"

namespace engram::experiments {

/// Reads the sentences of the file again and inspects the memory at up to 24 evenly spaced moments. Records the budgets
/// (priority, durability, quality) that the method gives to concepts for the cue, and the weights of links. Selects the
/// eight concepts with the largest priority at any moment, the eight strongest links at the end, and the graph of the
/// 40 strongest links. Null for files of more than 5000 statements, because it would take too long. All numbers are
/// chosen, not derived.
/// `cue`  concepts as Narsese; unknown ones are ignored
Json history_json(const Corpus& corpus, const core::MemoryOptions& options,
                  const std::vector<std::string>& cue, const MethodChoice& method);

/// Adds two timelines and the graph. `number` distinguishes files; `path` names this one.
void add_history(const Json& history, std::size_t number, const std::string& path, Conclusion& conclusion);

}  // namespace engram::experiments
