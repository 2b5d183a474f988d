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

/// Parameters of a Zipf stream. Popular concepts drift: their ranks change over time. An episode draws `active`
/// distinct concepts; the concept of rank r has weight r^-exponent. After each episode, `swaps` random pairs of
/// concepts exchange ranks, on average.
struct ZipfOptions {
  std::size_t episodes = 2000;
  std::size_t concepts = 500;
  std::size_t active = 3;
  double exponent = 1;
  double swaps = 0.2;
};

/// A stream of concept uses, with the foresights for upper bounds.
struct ConceptUses {
  std::string name;
  bool generated = false;
  std::size_t concepts = 0;
  std::vector<std::vector<std::uint32_t>> episodes;  // active concepts, ascending, below `concepts`

  /// Foresight that knows the current probabilities, but not the future. If there are several entries, each discounts
  /// later uses by a different factor, and the bound uses the entry with the best result. Empty for a file.
  std::vector<Foresight> chances;
  /// Foresight that knows the generator of the stream and the past episodes. Empty for a file and for a story.
  std::vector<Foresight> law;
};

/// Concept uses of all judgments and goals of a file, in order. If `events` is set, only sentences with a tense count.
ConceptUses uses_of(const Corpus& corpus, bool events);

/// Generates a Zipf stream. The result depends only on the arguments. A policy that follows `chances` keeps the
/// likeliest concepts, which is optimal without drift (Aho, Denning and Ullman 1971). `law` infers the rank of each
/// concept from its uses by Bayesian filtering; it groups ranks into classes and treats concepts as independent.
/// Errors   std::invalid_argument unless 1 <= active <= concepts
ConceptUses zipf_uses(const ZipfOptions& options, std::uint64_t seed);

/// Concept uses of a generated story, the input of experiment `prediction`. `chances` knows the current situation. Its
/// value for concept i is the expectation of g^n, where n is the number of episodes until i is active. There is one
/// entry for each of several discount factors g.
ConceptUses story_uses(const StoryOptions& options, std::uint64_t seed);

}  // namespace engram::experiments
