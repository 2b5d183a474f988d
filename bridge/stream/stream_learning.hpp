// SPDX-License-Identifier: MIT
// What a stream has learnt, as a file that another goes on from.
//   {"engram_stream_learning": 1, "operations": ["^left", ..],
//    "goals": [{"goal": "G", "nothing": s_0, "evidence": [N_a, ..], "reached": [W_a, ..],
//               "events": [{"event": "a", "score": s_e, "evidence": [n_ea, ..], "reached": [w_ea, ..]}, ..]}, ..],
//    "sha256": HEX}
// Numbers, in the order of the operations, are those of core/events/outcome_model.hpp.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/events/learnt_outcomes.hpp"

namespace engram::bridge {

/// What was learnt of which operations.
struct StreamLearning {
  std::vector<std::string> operations;  // by number; as many as the numbers of an event, or fewer
  core::LearntOutcomes outcomes;
};

/// The file is none, of a later format, or damaged.
struct LearningError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The same of other operations, `count` at most: numbers go with their names. Of names that are not among `wanted`
/// nothing is left, unless none is wanted: then they keep their order.
StreamLearning with_operations(const StreamLearning& learning, const std::vector<std::string>& wanted,
                               std::size_t count);

/// As the file holds it.
std::string to_text(const StreamLearning& learning);
/// Errors  LearningError, with a JSON Pointer where something is wrong in it
StreamLearning stream_learning_in(std::string_view text);
/// Errors  LearningError; std::system_error
StreamLearning read_stream_learning(const std::filesystem::path& path);

}  // namespace engram::bridge
