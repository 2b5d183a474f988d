// SPDX-License-Identifier: MIT
// Backward search for the proofs of a question among the statements and rules of a memory.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/proofs/goal_terms.hpp"
#include "core/proofs/proof_features.hpp"

namespace engram::core {

/// Limits and strategy of search_proofs() and search_associations().
struct ProofSearchOptions {
  std::uint64_t work = 200'000;  // limit on the work: statements and partial proofs looked at
  double slack = 4;       // the search ends after proofs that cost this much more than the cheapest one
  bool is_tabled = true;  // equal goals share answers; false: plain backward chaining
};

/// Upper bound on the depth of proofs and the length of paths. Chosen: the recursion over a proof of this depth fits
/// into the stack of any thread.
inline constexpr std::uint32_t most_proof_depth = 5000;

/// The question of a proof search: a statement to prove.
struct ProofQuestion {
  narsese::Term term;       // a statement, with or without variables
  narsese::Term open = {};  // optional: a name in `term` to ask for; `term` is then the known answer
  std::vector<StatementId> without = {};  // ascending: statements that no proof may use
};

/// Result of a proof search: the statements that it proved, each with all steps that prove it. Steps refer to their
/// premises by index, so proofs share their parts.
struct ProofForest {
  /// One step that proves a statement from premises.
  struct Step {
    StatementId statement = 0;
    ProofMove move = ProofMove::fact;
    ProofFeatures features{};
    std::vector<std::uint32_t> premises;  // indices into `proved`
  };
  /// A proved statement with its proofs.
  struct Proved {
    GoalTerm term = 0;
    bool is_denied = false;   // whether the proofs show that the statement does not hold
    double cost = 0;          // cost of the first proof found
    std::vector<Step> steps;  // in the order of discovery
  };
  std::vector<Proved> proved;
  // Indices into `proved`: the answers to the question, the cheapest first, and the known answer if it was found.
  std::vector<std::uint32_t> answers;
  std::optional<std::uint32_t> known_answer;
  std::uint64_t work = 0;    // work done, in the unit of ProofSearchOptions::work
  bool is_complete = false;  // whether the search was exhaustive
};

/// Searches for proofs backwards, from the question to the statements of the memory. A goal is a statement to prove.
/// Goals that differ only in the names of their variables share one table of answers. Proofs therefore share their
/// parts, and composing n facts costs time polynomial in n. Without tables, each goal is proved again wherever it
/// occurs, as in SLD resolution, and the time is exponential in n. The search extends the partial proof with the lowest
/// estimated cost first. The scorer gives the cost of each step; the cost of a proof is the sum over its steps.
/// A goal is proved by
///   a fact        that matches the goal
///   a rule        whose conclusion matches the goal and whose conditions are proved
///   inheritance   <s --> c> by <s --> m> and <m --> c>; implications in the same way; <(*, a, b) --> r> by <a --> m>
///                 and <(*, m, b) --> r>, for each argument, and by <q --> r> and <(*, a, b) --> q>
///   similarity    the goal with one of its parts replaced by a similar one
/// A goal can also be to prove that a statement does not hold. Such a goal is proved by statements with an expectation
/// below 1/2, negated statements, rules with a negated conclusion, and denied rules.
/// Errors   WorkStopped
/// Cost     O(options.work)
/// Source   Kowalski 1974, "Predicate logic as programming language" (SLD resolution); Pereira and Warren 1983,
///          "Parsing as deduction" (Earley deduction); Knuth 1977, "A generalization of Dijkstra's algorithm" (the
///          cheapest proof first)
ProofForest search_proofs(const ProofScorer& scorer, const ProofQuestion& question,
                          const ProofSearchOptions& options);

}  // namespace engram::core
