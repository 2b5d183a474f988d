// SPDX-License-Identifier: MIT
// Backward chaining: proofs of a question, the smallest first, and all that looking for them touches.
#pragma once

#include <cstddef>
#include <vector>

#include "core/retrieval/readings.hpp"

namespace engram::core {

/// How deep and how long proofs are looked for.
struct BackwardOptions {
  int depth = 8;                 // rules and steps from the question to a goal
  std::size_t proofs = 8;        // the smallest
  std::size_t visits = 100'000;  // statements compared with a goal, at most
};

/// A statement that unified with a goal, or a rule whose conclusion did.
struct Touched {
  StatementId statement = 0;
  int depth = 0;  // of the goal, the least: 0 the question, 1 what a step makes of it, ...
};

/// What was found, and what was looked at.
struct BackwardChaining {
  // By size, each ascending; no two alike, and none holds another unless the question has variables.
  std::vector<std::vector<StatementId>> proofs;
  std::vector<Touched> touched;  // by statement; proofs included
};

/// Resolution from the question back to what was said. A goal is met by
///   a fact       that unifies with it;
///   a rule       (implication or equivalence, core/retrieval/unification.hpp) whose conclusion does: its
///                premises become goals;
///   a step       <s --> x> where the goal is <s --> c> and s has no variables: <x --> c> becomes the goal;
///                along implications of one kind (==>, =/>, ...) likewise; <s <-> x>, too, each
///                once in a proof.
/// Variables are unified on both sides, a question's too; of a commutative compound of two components the
/// first order that fits is taken. The goal that is taken next is the one with the rarest name. What has the
/// fewest statements used and goals left is gone on with first, so proofs come by size (a statement counts
/// each time it is used), of one size in the order of their terms (narsese/term.hpp), whatever was said
/// first. Truth is not weighed: what is denied (expectation below 1/2) is used as an answer to the question
/// itself alone, where that has no variables, what is forgotten not at all, all else alike. Goals that name
/// nothing known are not met. No step leads into a compound (from <a =/> b> to what begins with (&/, a, ..)).
/// Shapes   the words of the question are a statement; any other term, or none, touches nothing
///          Terms of more than 4096 nodes, written out, do not unify, unless they are the same
/// Errors   WorkStopped
/// Cost     `visits` unifications at most, and the size of all rules once
/// Source   Robinson 1965 (unification); Kowalski 1974 (SLD resolution), here breadth-first
BackwardChaining chain_backward(const Readings& memory, const Cue& question, const BackwardOptions& options);

}  // namespace engram::core
