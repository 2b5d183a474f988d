// SPDX-License-Identifier: MIT
// The search for proofs of a question among the statements and rules of a memory.
#pragma once

#include <cstdint>
#include <vector>

#include "core/proofs/goal_terms.hpp"
#include "core/retrieval/readings.hpp"

namespace engram::core {

/// Limits of the search.
struct ProofSearchOptions {
  std::uint64_t work = 50'000;  // the largest number of statements and partial proofs that it looks at
  double slack = 2;             // it ends after proofs that cost this much more than the cheapest one
};

/// The role of a statement in a step of a proof.
enum class ProofMove : std::uint8_t {
  fact,         // it states the goal
  rule,         // it concludes the goal; its conditions are the premises
  inheritance,  // <a --> b> leads from a goal about a to the same goal about b; likewise implications
  similarity,   // <a <-> b> does so in both directions
};

/// The statements that a search has proved, each with all steps by which it was proved.
struct ProofForest {
  /// One way in which a statement was proved.
  struct Step {
    StatementId statement = 0;
    ProofMove move = ProofMove::fact;
    std::vector<std::uint32_t> premises;  // indices into `shown`
  };
  /// A statement that was proved.
  struct Shown {
    GoalTerm term = 0;
    bool is_denied = false;   // whether the proofs show that it does not hold
    double cost = 0;          // the cost of the proof that was found first
    std::vector<Step> steps;  // in the order in which they were found
  };
  std::vector<Shown> shown;
  std::vector<std::uint32_t> answers;  // answers to the question, as indices into `shown`, the cheapest first
  std::uint64_t work = 0;              // the work done
  bool is_complete = false;            // whether the search ended because everything had been looked at
};

/// Searches for proofs backwards, from the question to the statements of the memory. Goals that differ only in the names of
/// their variables share one table of answers, so proofs share their parts, and the cost of composing n facts is a polynomial
/// in n. The partial proof with the lowest estimated cost is extended first. A proof costs 1 for each use of a statement, and
/// more if the statement is doubtful (cost_of_use).
/// A goal is proved by
///   a fact        that matches the goal
///   a rule        whose conclusion matches the goal and whose conditions are proved
///   inheritance   <s --> c> by <s --> m> and <m --> c>; likewise implications; <(*, a, b) --> r> by <a --> m> and
///                 <(*, m, b) --> r>, for each argument, and by <q --> r> and <(*, a, b) --> q>
///   similarity    the goal with one of its parts replaced by a similar one
/// A goal can also be to prove that a statement does not hold. Statements with an expectation below 1/2, negated statements,
/// rules with a negated conclusion and denied rules prove that.
/// Errors   WorkStopped
/// Cost     O(options.work)
/// Source   Pereira and Warren 1983, "Parsing as deduction" (Earley deduction); Knuth 1977, "A generalization of
///          Dijkstra's algorithm" (the cheapest proof first)
ProofForest search_proofs(const Readings& memory, narsese::Term question, const ProofSearchOptions& options);

/// The cost of one use of a statement in a proof: 1 + 2 d, where d is the distance of its expectation from 1, or from 0
/// if the expectation is below 1/2.
/// Ranges  [1, 2]
double cost_of_use(const Readings& memory, StatementId statement);

}  // namespace engram::core
