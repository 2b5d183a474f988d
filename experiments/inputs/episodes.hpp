// SPDX-License-Identifier: MIT
// Statements of a file as stored episodes, and partial cues made from them. The experiments `completion` and `capacity`
// use them.
#pragma once

#include "core/methods/recall.hpp"
#include "core/numbers/random.hpp"
#include "experiments/inputs/corpus.hpp"

namespace engram::experiments {

/// A corrupted statement: some of its concepts are missing, and concepts of other statements may be added.
struct EpisodeCue {
  core::StatementId statement = 0;
  core::Vector activation;
  std::vector<core::ConceptId> missing;
};

/// Chooses `count` random statements and returns them in the order of the file.
std::vector<core::StatementId> choose_statements(const Corpus& corpus, core::Rng& rng, std::size_t count);

/// Creates a memory that holds only these statements.
core::Memory memory_of(const Corpus& corpus, const std::vector<core::StatementId>& chosen,
                       const core::MemoryOptions& options);

/// Corruption of a statement into a cue.
struct Corruption {
  double share = 0;       // share of its concepts to remove: at least one, but not all
  std::size_t noise = 0;  // number of concepts of other statements to add
};

/// Corrupts at most `most` random statements with at least two concepts.
std::vector<EpisodeCue> choose_cues(const core::Memory& memory, const core::MemoryIndex& readings,
                                    core::Rng& rng, std::size_t most, const Corruption& corruption);

/// Largest share of the concepts of `statement` that any other single statement contains.
double largest_overlap(const core::Memory& memory, core::StatementId statement);

/// A recall function with its name in tables.
struct NamedMemory {
  std::string name;
  std::function<core::Recall(const core::MemoryIndex& memory, const core::Cue& cue)> recall;
};

/// Returns the methods as recall functions, followed by Hopfield networks. The networks have a +1/-1 spin for each
/// active concept and store the episodes as patterns. Their rules are Hebb, Storkey, pseudo-inverse, and dense
/// associative memories (x^3, exp). Concepts with final spin +1 have activation 1, all others 0. Statements score by
/// their overlap with the final state. For more than 1024 concepts there are no networks, because their couplings grow
/// quadratically. The index must outlive the result.
std::vector<NamedMemory> memories_by(const std::vector<MethodChoice>& methods,
                                     const core::MemoryIndex& readings);

/// Quality of a completion. The missing concepts are ranked among all concepts that are not in the cue.
struct CompletionScore {
  double reciprocal_rank = 0;  // mean over the missing concepts
  double hit = 0;              // share of the m missing concepts among the m best
  double statement_reciprocal_rank = 0;
};
/// Scores a recall for this cue.
CompletionScore score_completion(const EpisodeCue& cue, const core::MemoryIndex& readings,
                                 const core::Recall& recall);

}  // namespace engram::experiments
