// SPDX-License-Identifier: MIT
// Sequence of episodes, the input of experiment `prediction`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/numbers/sparse_rows.hpp"
#include "experiments/inputs/corpus.hpp"
#include "experiments/spec/spec_reader.hpp"

namespace engram::experiments {

/// Parameters of a generated story. Situations form a cycle. With probability 1 - jump, the next situation of the cycle
/// follows, otherwise a uniformly random one. A situation activates its own set of `active` concepts. Sets overlap, so
/// that only the whole set determines what follows. With probability `distraction`, an episode contains one irrelevant
/// concept.
struct StoryOptions {
  std::size_t episodes = 400;
  std::size_t situations = 12;
  std::size_t concepts = 16;  // concepts that situations draw their sets from
  std::size_t active = 3;
  std::size_t distractors = 8;
  double distraction = 0.3;
  double jump = 0.1;
};

/// A sequence of t episodes over n concepts. Every episode activates at least one concept.
struct EventStream {
  std::string name;
  std::vector<std::string> concepts;
  core::SparseRows episodes;    // (t, n)
  core::SparseRows background;  // (b, n): statements without tense before the first event

  // Ground truth of a generated stream; empty for a file:
  std::vector<std::size_t> situation;            // situation of each episode
  std::vector<std::vector<std::uint32_t>> sets;  // concept set of each situation
  core::Matrix truth;  // row z: distribution of the next episode after situation z, the optimal prediction
  /// Long-run log-loss of the prediction `truth`, in nats: a lower bound for every method.
  double floor = 0;
};

/// Reads the member `name` of a spec.  Returns  false if the spec disables the story.
/// Errors  JsonError, SpecError
bool read_story(SpecObject& reader, std::string_view name, StoryOptions& story);

/// Sequence of the judgments and goals of a file that have a tense. Leaves out questions, and sentences without active
/// concepts. Only concepts of the episodes and the background are numbered.
EventStream event_stream(const Corpus& corpus);

/// Generates a story, which depends only on its arguments.
/// Errors  std::invalid_argument if there are fewer sets of `active` concepts than situations
EventStream generate_stream(const StoryOptions& options, std::uint64_t seed);

}  // namespace engram::experiments
