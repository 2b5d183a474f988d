// SPDX-License-Identifier: MIT
// The search for guesses: paths of statements between the names of a question, for questions without a proof.
#pragma once

#include <span>

#include "core/proofs/name_pairs.hpp"
#include "core/proofs/proof_search.hpp"

namespace engram::core {

/// Searches for paths from one name of each pair to the other. Each step leads over a believed statement that mentions both
/// of its names. A path does not prove the question, but what the question needs often lies on it. The cheapest step comes next, so
/// names that many statements mention come last. A pair without a second name has a path to every name that is reached.
///
/// The result lists each name that was reached like a proved statement, with one step for each statement that leads to it. Names
/// are `answers`, by cost.
/// `answer`  a name whose place in `shown` becomes known_answer, if it is reached
/// Errors   WorkStopped
/// Cost     O(options.work)
/// Source   Dijkstra 1959, "A note on two problems in connexion with graphs"
ProofForest search_associations(const ProofScorer& scorer, std::span<const NamePair> pairs,
                                std::span<const StatementId> without, std::optional<ConceptId> answer,
                                const ProofSearchOptions& options);

}  // namespace engram::core
