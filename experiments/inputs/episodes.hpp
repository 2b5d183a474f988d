// SPDX-License-Identifier: MIT
// Statements of a file put into a memory, and cues cut from them: what completion and capacity share.
#pragma once

#include "core/numbers/random.hpp"
#include "core/retrieval/retriever.hpp"
#include "experiments/inputs/corpus.hpp"

namespace engram::experiments {

/// What is left of a statement: its concepts but for `missing`, and perhaps some that are none of its own.
struct EpisodeCue {
  core::StatementId statement = 0;
  core::Vector activation;
  std::vector<core::ConceptId> missing;
};

/// The first `count` of the file's statements in random order, then in the file's order.
std::vector<core::StatementId> choose_statements(const Corpus& corpus, core::Rng& rng, std::size_t count);

/// A memory of these statements alone.
core::Memory memory_of(const Corpus& corpus, const std::vector<core::StatementId>& chosen,
                       const core::MemoryOptions& options);

/// What is done to a statement to make a cue of it.
struct Corruption {
  double share = 0;       // of its concepts that is taken away: at least one, not all
  std::size_t noise = 0;  // concepts that it does not mention, put in
};

/// Cues of at most `most` random statements that have two concepts or more.
std::vector<EpisodeCue> choose_cues(const core::Memory& memory, const core::MemoryIndex& readings,
                                    core::Rng& rng, std::size_t most, const Corruption& corruption);

/// The largest share of a statement's concepts that another statement has as well.
double largest_overlap(const core::Memory& memory, core::StatementId statement);

/// A memory under the name that tables give it.
struct NamedMemory {
  std::string name;
  core::AnyRetriever recall;
};

/// Networks of +1/-1 spins over the concepts that hold activation, with episodes as patterns: Hebb, Storkey,
/// pseudo-inverse, and dense ones (x^3, exp). What is +1 at the end has activation 1, the rest none;
/// statements score by their overlap with it. None where there are more than 1024 concepts: couplings grow
/// with their square. The readings must outlive them.
std::vector<NamedMemory> spin_memories(const core::MemoryIndex& readings);
/// These methods, and then those.
std::vector<NamedMemory> memories_by(const std::vector<MethodChoice>& methods,
                                     const core::MemoryIndex& readings);

/// How well recall brings back what is missing, ranked among the concepts that are not in the cue.
struct CompletionScore {
  double reciprocal_rank = 0;  // mean over the missing
  double hit = 0;              // share of the m missing that are among the m best
  double statement_reciprocal_rank = 0;
};
CompletionScore score_completion(const EpisodeCue& cue, const core::MemoryIndex& readings,
                                 const core::Recall& recall);

}  // namespace engram::experiments
