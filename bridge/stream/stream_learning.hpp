// SPDX-License-Identifier: MIT
// File format for the learnt state of an event stream, which a later stream can load.
//   {"engram_stream_learning": 2, "operations": ["^left", ..],
//    "goals": [{"goal": "G", "nothing": s_0, "scores": [s_0a, ..], "evidence": [N_a, ..], "reached": [W_a, ..],
//               "examined": PATTERNS,
//               "events": [{"events": ["a", "b"], "later": BITS, "score": s_e, "scores": [s_ea, ..],
//                           "evidence": [n_ea, ..], "reached": [w_ea, ..], "times": EXAMPLES, "best": SCORE,
//                           "tests": [log e-value, ..]}, ..]}, ..],
//    "sha256": HEX}
// Lists of numbers have one number for each operation, except "tests": one for each event of the pattern.
// core/events/outcome_model.hpp defines the numbers. Format 1 is still read. It has "event": "a" instead of the list, and
// neither "later", "scores", "examined", "times", "best" nor "tests".
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/events/outcome_model.hpp"

namespace engram::bridge {

/// Learnt state of a stream: success of operations after events, by goal.
struct StreamLearning {
  std::vector<std::string> operations;  // names, indexed by operation number
  core::LearntOutcomes outcomes;
};

/// Error of a file that is damaged, has a later format, or is not a learning file.
struct LearningError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reorders the learnt state for a stream with the operations `wanted`. Operations are matched by name, and others are
/// dropped. If `wanted` is empty, all keep their order. The result has at most `count` operations.
StreamLearning with_operations(const StreamLearning& learning, const std::vector<std::string>& wanted,
                               std::size_t count);

/// The text of the file.
std::string to_text(const StreamLearning& learning);
/// Parses the text of a file.  Errors  LearningError with a JSON Pointer
StreamLearning stream_learning_in(std::string_view text);
/// Reads a file.  Errors  LearningError; std::system_error
StreamLearning read_stream_learning(const std::filesystem::path& path);

}  // namespace engram::bridge
