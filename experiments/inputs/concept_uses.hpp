// SPDX-License-Identifier: MIT
// Streams of concept uses, the input of experiment `forgetting`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/numbers/shapes.hpp"
#include "experiments/inputs/corpus.hpp"
#include "experiments/inputs/event_stream.hpp"

namespace engram::experiments {

/// Future value of each concept after each episode, computed with knowledge of the stream that no policy has. Use it
/// for upper bounds.
struct Foresight {
  core::Matrix wanted;             // (states, concepts); larger if the next use is sooner or likelier
  std::vector<std::size_t> state;  // state after each episode
};

/// Parameters of a Zipf stream whose popular concepts drift. An episode draws `active` distinct concepts; the concept
/// of rank r has weight r^-exponent. After each episode, `swaps` random pairs of concepts exchange ranks, on average.
struct ZipfOptions {
  std::size_t episodes = 2000;
  std::size_t concepts = 500;
  std::size_t active = 3;
  double exponent = 1;
  double swaps = 0.2;
};

struct ConceptUses {
  std::string name;
  bool generated = false;
  std::size_t concepts = 0;
  std::vector<std::vector<std::uint32_t>> episodes;  // active concepts, ascending, below `concepts`

  /// Foresight of an observer who knows all current probabilities, but not the future. Each entry weighs near and far
  /// uses differently; the best in hindsight counts. Only for generated streams.
  std::vector<Foresight> chances;
  /// Foresight of an observer who knows how the stream is generated, but sees only its episodes. May be empty.
  std::vector<Foresight> law;
};

/// Concept uses of all judgments and goals of a file, in order. If `events` is set, only those with a tense count.
ConceptUses uses_of(const Corpus& corpus, bool events);

/// Generates a Zipf stream, which depends only on its arguments. A policy that follows `chances` keeps the likeliest
/// concepts, which is optimal without drift (Aho, Denning and Ullman 1971). `law` infers the rank of each concept from
/// its uses by Bayesian filtering; it groups ranks into classes and treats concepts as independent.
/// Errors   std::invalid_argument unless 1 <= active <= concepts
ConceptUses zipf_uses(const ZipfOptions& options, std::uint64_t seed);

/// Concept uses of a generated story of `prediction`. `chances` knows the situation; the value of concept i is
/// E[g^steps until i is active], for several g.
ConceptUses story_uses(const StoryOptions& options, std::uint64_t seed);

}  // namespace engram::experiments
