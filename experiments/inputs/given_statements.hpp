// SPDX-License-Identifier: MIT
// What a reasoner is given of a ranking, and whether it holds what an answer needs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/numbers/shapes.hpp"
#include "experiments/inputs/corpus.hpp"

namespace engram::experiments {

/// How many statements a reasoner is given at most: a number, or a multiple of what the question's first proof
/// needs; and only such as have this share of the best one's score.
struct Gate {
  std::size_t amount = 12;
  bool multiple = false;
  double share = 0;

  /// "12", "3x", "18 above 0.3"
  std::string name() const;
  std::size_t capacity(std::size_t needed) const { return multiple ? amount * needed : amount; }
};

/// The statements of a ranking, best first, that a gate lets through.
/// Shapes  scores (p), ranked: those that score above 0 by descending score, as many as the capacity at least
std::span<const core::StatementId> let_through(const Gate& gate, std::size_t needed,
                                               std::span<const core::StatementId> ranked,
                                               const core::Vector& scores);

/// How much of a question's proofs is among the statements given.
struct GivenProof {
  double kept = 0;   // share of the first proof's statements
  double whole = 0;  // probability that one proof is there whole
};
/// Proofs among statements that are a fixed set: `whole` is 0 or 1.
/// Errors  std::invalid_argument where no proof is known
GivenProof given_proof(std::span<const core::StatementId> given, const std::vector<Question::Proof>& proofs);
/// Proofs among the best statements of a ranking. Statements with equal scores stand in random order: both numbers are
/// expectations over all these orders. So they do not depend on the one order in which `given` has the statements.
/// `given`: what let_through() returns for these scores
/// Exact for at most 12 proofs that differ in the tied statements, else the mean of 9999 drawn orders, the same in every
/// call.
/// Cost    O(p + s 2^t) for p statements and proofs of s statements, of which t differ in the tied ones
/// Errors  std::invalid_argument where no proof is known
GivenProof expected_proof(std::span<const core::StatementId> given, const core::Vector& scores,
                          const std::vector<Question::Proof>& proofs);

/// All statements in an order, drawn by a seed, for those with equal scores: the same for every method. A reasoner that is
/// given statements needs one order; what can be measured without it is an expectation (expected_proof).
std::vector<core::StatementId> order_of_ties(std::size_t statements, std::uint64_t seed);

}  // namespace engram::experiments
