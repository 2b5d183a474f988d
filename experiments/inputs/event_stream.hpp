// SPDX-License-Identifier: MIT
// Episodes in the order in which they happened: what `prediction` learns from and is held against.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/numbers/sparse_rows.hpp"
#include "experiments/inputs/corpus.hpp"
#include "experiments/prediction/prediction_options.hpp"

namespace engram::experiments {

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

/// The judgments and goals of a file that have a tense, in their order; questions and whatever activates no
/// concept are left out. Concepts are those of these episodes and of the background.
EventStream event_stream(const Corpus& corpus);

/// The same stream for the same seed.
/// Errors  std::invalid_argument unless sets of `active` concepts can differ for all situations
EventStream generate_stream(const GeneratorOptions& options, std::uint64_t seed);

}  // namespace engram::experiments
