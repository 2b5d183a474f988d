// SPDX-License-Identifier: MIT
// Guesses for questions without a proof. A guess is a path of statements that connects the names of the question, where
// a name is an atomic term such as `tim`.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/index/memory_index.hpp"
#include "core/proofs/proof_search.hpp"

namespace engram::core {

/// Two names of a question between which search_associations() looks for paths, and the relation that the question
/// states. If the question asks for the second name, the pair has only the first.
struct NamePair {
  ConceptId from = 0;
  std::optional<ConceptId> to = {};        // none: every name that a path reaches is an answer
  StepKind kind = StepKind::other;         // other: the question states no relation
  std::optional<ConceptId> relation = {};  // for the kind `relation`; none if unknown to the memory
  bool back = false;                       // the question states the relation from `to` to `from`
};

/// Returns the pairs of names between which search_associations() looks for paths. A question that is a statement about
/// two names (relation_of in core/index/hops.hpp) gives one pair. If one of the two is a variable, the pair has only
/// the other. Any other cue gives all pairs of its ends, the names at which paths begin and end (question_ends in
/// core/walks/path_search.hpp). At most four ends are used: the ones that the fewest statements mention. A single end
/// gives a pair without a second name.
/// Cost  O(size of all rules); O(n) more for a cue that is not a statement about two names, with n concepts
std::vector<NamePair> name_pairs(const MemoryIndex& memory, const Cue& cue);

/// Searches for paths from the first name of each pair to the second one. Use it if search_proofs() finds no proof.
/// Each step of a path is a believed statement (expectation at least 1/2) that mentions both of its names. A path does
/// not prove the question, but often contains what an answer needs. The search extends the cheapest path first, so it
/// avoids hubs: names that many statements mention. If a pair has no second name, every reached name is an answer.
/// Returns  the reached names in the form of proved statements (ProofForest::proved), with a step for each statement
///          that leads to the name. `answers` has the names at the ends of paths, the cheapest first
/// `without`  ascending: statements that no path may use
/// `answer`   the expected answer. If a path reaches this name, known_answer is its index in `proved`
/// Errors   WorkStopped
/// Cost     O(options.work)
/// Source   Dijkstra 1959, "A note on two problems in connexion with graphs"
ProofForest search_associations(const ProofScorer& scorer, std::span<const NamePair> pairs,
                                std::span<const StatementId> without, std::optional<ConceptId> answer,
                                const ProofSearchOptions& options);

}  // namespace engram::core
