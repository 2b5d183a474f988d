// SPDX-License-Identifier: MIT
// The search for proofs of a question among the statements and rules of a memory.
#pragma once

#include <cstdint>
#include <vector>

#include "core/proofs/goal_terms.hpp"
#include "core/retrieval/readings.hpp"

namespace engram::core {

/// How far proofs are looked for.
struct ProofSearchOptions {
  std::uint64_t work = 50'000;  // statements and partial proofs that are looked at, at most
  double slack = 2;             // proofs that cost so much more than the cheapest are looked for, too
};

/// What a statement is in a proof.
enum class ProofMove : std::uint8_t {
  fact,         // it is what was to be shown
  rule,         // its conclusion is; its conditions are the premises
  inheritance,  // <a --> b>: what is said of b is said of a; the same for implications
  similarity,   // <a <-> b>: what is said of b is said of a
};

/// What was found: statements that are shown, and in which ways.
struct ProofForest {
  struct Step {
    StatementId statement = 0;
    ProofMove move = ProofMove::fact;
    std::vector<std::uint32_t> premises;  // shown
  };
  struct Shown {
    GoalTerm term = 0;
    bool is_denied = false;   // it is shown that it does not hold
    double cost = 0;          // of the first of its proofs
    std::vector<Step> steps;  // as they were found, the cheapest first
  };
  std::vector<Shown> shown;
  std::vector<std::uint32_t> answers;  // what answers the question, the cheapest first
  std::uint64_t work = 0;              // that was spent
  bool is_complete = false;            // nothing was left to look at
};

/// Looks for proofs from the question back to what was said. Each goal that is met on the way is worked on once, up to
/// the names of its variables (tabling), so that proofs share their parts: the composition of n facts costs a
/// polynomial. What looks cheapest is gone on with first: a proof costs 1 for each use of a statement, and more where
/// the statement is doubted.
/// A goal is met by
///   a fact        that is the same but for the goal's variables
///   a rule        an implication or equivalence whose conclusion is the goal, its conditions being goals then
///   inheritance   <s --> c> by <s --> m> and <m --> c>; likewise implications; <(*, a, b) --> r> by <a --> m> and
///                 <(*, m, b) --> r>, of each place, and by <q --> r> and <(*, a, b) --> q>
///   similarity    any of its parts by what is similar to it
/// A goal can be to show that something does not hold: by what is denied (expectation below 1/2) or negated, and by
/// rules with a negated conclusion or denied themselves.
/// Errors   WorkStopped
/// Cost     options.work, and what making room for it takes
/// Source   Pereira and Warren 1983, "Parsing as deduction" (Earley deduction); Knuth 1977, "A generalization of
///          Dijkstra's algorithm" (the cheapest proof first)
ProofForest search_proofs(const Readings& memory, narsese::Term question, const ProofSearchOptions& options);

/// What one use of a statement costs in a proof: 1 + 2 |doubt|, the doubt being how far its expectation is from the
/// side on which it is used, 1 or 0.
/// Ranges  [1, 2]
double cost_of_use(const Readings& memory, StatementId statement);

}  // namespace engram::core
