// SPDX-License-Identifier: MIT
// Guesses: paths of statements between the names of a question, for questions without a proof.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/index/memory_index.hpp"
#include "core/proofs/proof_search.hpp"

namespace engram::core {

/// Two names of a question, or one if it asks for the other, and the relation that the question states.
struct NamePair {
  ConceptId from = 0;
  std::optional<ConceptId> to = {};        // none: any name answers
  StepKind kind = StepKind::other;         // other: the question states no relation
  std::optional<ConceptId> relation = {};  // for the kind relation; none if the memory does not know it
  bool back = false;                       // the question states the relation from `to` to `from`
};

/// The pairs of names between which guesses look for a path. A statement about two names (core/index/hops.hpp) gives
/// one pair; if one of the names is a variable, the pair has only the other name. Any other cue gives all pairs of its
/// ends (core/walks/path_search.hpp). It uses at most four ends, the ones with the fewest mentions; a single end
/// gives a pair without a second name.
/// Cost  O(size of all rules); O(n) more for a cue that is not a statement about two names
std::vector<NamePair> name_pairs(const MemoryIndex& memory, const Cue& cue);

/// Searches for paths from one name of each pair to the other. A step leads over a believed statement that mentions
/// both names. A path does not prove the question, but often holds what an answer needs. The cheapest step comes
/// next, so names that many statements mention come last. A pair without a second name has a path to every reached
/// name. The result lists each reached name as if it were proved, with one step for each statement that leads to it.
/// The names at the ends of paths are `answers`, by cost.
/// `answer`  a name; if it is reached, its index in `proved` becomes known_answer
/// Errors   WorkStopped
/// Cost     O(options.work)
/// Source   Dijkstra 1959, "A note on two problems in connexion with graphs"
ProofForest search_associations(const ProofScorer& scorer, std::span<const NamePair> pairs,
                                std::span<const StatementId> without, std::optional<ConceptId> answer,
                                const ProofSearchOptions& options);

}  // namespace engram::core
