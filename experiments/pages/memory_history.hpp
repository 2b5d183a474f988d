// SPDX-License-Identifier: MIT
// History of a memory: budgets and links while it reads a file, and forgetting.
#pragma once

#include <string>

#include "experiments/formats/conclusion.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/inputs/corpus.hpp"

namespace engram::experiments {

/// History of a memory that reads the sentences of a file, at up to 24 evenly spaced moments. Has the budgets
/// (priority, durability, quality) that the method gives to concepts for the cue, for the eight concepts with the
/// largest priority at any moment. Also has the weights of the eight links that are strongest at the end, and the graph
/// of the 40 strongest links. The result is null for files of more than 5000 statements, which would take too long. All
/// these limits are chosen by hand.
/// `cue`  concepts as Narsese; unknown concepts are ignored
Json history_json(const Corpus& corpus, const core::MemoryOptions& options,
                  const std::vector<std::string>& cue, const MethodChoice& method);

/// Adds a history to a conclusion: two timelines and the graph. `number` distinguishes files; `path` is the file.
void add_history(const Json& history, std::size_t number, const std::string& path, Conclusion& conclusion);

/// HTML for the JSON of ForgottenOverTime (experiments/inputs/corpus.hpp): when, why and what a memory forgot.
/// Errors  nlohmann::json::exception for other JSON
std::string forgotten_html(const Json& forgotten);

}  // namespace engram::experiments
