// SPDX-License-Identifier: MIT
// Episodes in the order in which they happened: what `prediction` learns from and is held against.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/numbers/sparse_rows.hpp"
#include "experiments/inputs/corpus.hpp"
#include "experiments/spec/spec_reader.hpp"

namespace engram::experiments {

/// A world that runs through situations: with probability 1 - jump from one to the next around a cycle, else
/// to any of them with equal chances. A situation shows its own set of concepts, `active` of them; sets share
/// concepts, so that one concept alone does not tell what comes next, while the set does. With probability
/// `distraction` a further concept comes in that means nothing.
struct StoryOptions {
  std::size_t episodes = 400;
  std::size_t situations = 12;
  std::size_t concepts = 16;  // that situations share
  std::size_t active = 3;
  std::size_t distractors = 8;
  double distraction = 0.3;
  double jump = 0.1;
};

/// n concepts and t episodes; every episode activates at least one concept.
struct EventStream {
  std::string name;
  std::vector<std::string> concepts;
  core::SparseRows episodes;    // (t, n)
  core::SparseRows background;  // (b, n): what was said before the first event, as knowledge without a time

  // What is known of a generated stream, and empty for a file:
  std::vector<std::size_t> situation;            // of each episode
  std::vector<std::vector<std::uint32_t>> sets;  // concepts of each situation
  core::Matrix truth;  // row z: the mean distribution of the episode after situation z; the best prediction
  /// The log-loss of predicting by `truth` for ever, in nats: what no method can better in the long run.
  double floor = 0;
};

/// A story as the member `name` of a spec asks for it; false: none is wanted.  Errors  JsonError, SpecError
bool read_story(SpecObject& reader, std::string_view name, StoryOptions& story);

/// The judgments and goals of a file that have a tense, in their order; questions and whatever activates no
/// concept are left out. Concepts are those of these episodes and of the background.
EventStream event_stream(const Corpus& corpus);

/// The same stream for the same seed.
/// Errors  std::invalid_argument unless sets of `active` concepts can differ for all situations
EventStream generate_stream(const StoryOptions& options, std::uint64_t seed);

}  // namespace engram::experiments
