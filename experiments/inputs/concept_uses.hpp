// SPDX-License-Identifier: MIT
// Streams of concept uses: what `forgetting` makes memories remember.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/numbers/shapes.hpp"
#include "experiments/inputs/corpus.hpp"
#include "experiments/inputs/event_stream.hpp"

namespace engram::experiments {

/// How much a concept is wanted after each episode, said by one who knows more than the episodes.
struct Foresight {
  core::Matrix wanted;             // (states, concepts); more: sooner or likelier
  std::vector<std::size_t> state;  // after each episode
};

/// A world where some concepts are popular and which these are drifts: an episode draws `active` different
/// concepts, that of rank r with weight r^-exponent; after it, `swaps` times on average, two concepts change
/// their ranks.
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
  std::vector<std::vector<std::uint32_t>> episodes;  // active concepts, ascending, each 0 .. concepts - 1

  /// Of a generated stream: by one who knows at every moment how likely everything is, but not what will
  /// come. Several ways to weigh the near against the far, of which the best in hindsight counts.
  std::vector<Foresight> chances;
  /// By one who knows how the stream is made but sees no more of it than its episodes; may be empty.
  std::vector<Foresight> law;
};

/// All judgments and goals of a file, in their order; of `events` those alone that have a tense.
ConceptUses uses_of(const Corpus& corpus, bool events);

/// The same stream for the same seed. With swaps and Zipf weights, who knows the chances keeps the likeliest,
/// which is the best of all rules without drift (Aho, Denning and Ullman 1971); who knows the law filters
/// each concept's rank from its uses (Bayes, ranks in classes, concepts taken for independent).
/// Errors   std::invalid_argument unless 1 <= active <= concepts
ConceptUses zipf_uses(const ZipfOptions& options, std::uint64_t seed);

/// A generated story of `prediction`. Who knows its chances knows the situation, and wants concept i by
/// E[g^steps until i is active], for several g.
ConceptUses story_uses(const StoryOptions& options, std::uint64_t seed);

}  // namespace engram::experiments
