// SPDX-License-Identifier: MIT
// Selection of the best statements of a ranking for a reasoner, and how much of a proof they contain.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/numbers/shapes.hpp"
#include "experiments/inputs/corpus.hpp"

namespace engram::experiments {

/// Limit on the statements that a reasoner gets: a number, or a multiple of the size of the first proof. Statements
/// with less than `share` of the best score are excluded.
struct Gate {
  std::size_t amount = 12;
  bool multiple = false;
  double share = 0;

  /// Text such as "12", "3x" or "18 above 0.3".
  std::string name() const;
  std::size_t capacity(std::size_t needed) const { return multiple ? amount * needed : amount; }
};

/// Selects the statements that pass a gate, best first.
/// Shapes  scores (p); ranked: statements with positive scores, by descending score; all, or the first `capacity`
std::span<const core::StatementId> let_through(const Gate& gate, std::size_t needed,
                                               std::span<const core::StatementId> ranked,
                                               const core::Vector& scores);

/// Coverage of the proofs of a question by the selected statements.
struct GivenProof {
  double kept = 0;   // share of the statements of the first proof
  double whole = 0;  // probability that at least one proof is complete
};
/// Coverage of proofs by a fixed set of statements; `whole` is 0 or 1.
/// Errors  std::invalid_argument if `proofs` is empty
GivenProof given_proof(std::span<const core::StatementId> given, const std::vector<Question::Proof>& proofs);
/// Coverage of proofs by the best statements of a ranking. Statements with equal scores are in random order; both
/// numbers are expectations over all orders, so they do not depend on the order in `given`. The result is exact if at
/// most 12 proofs differ in the tied statements. Otherwise it is the mean of 9999 random orders, the same in every
/// call.
/// `given`  result of let_through() for these scores
/// Cost     O(p + s 2^t) for p statements and proofs of s statements, t of which differ in the tied statements
/// Errors   std::invalid_argument if `proofs` is empty
GivenProof expected_proof(std::span<const core::StatementId> given, const core::Vector& scores,
                          const std::vector<Question::Proof>& proofs);

/// Random order of all statements for breaking ties, the same for every method. Only a reasoner needs it; measures are
/// expectations over all orders (expected_proof).
std::vector<core::StatementId> order_of_ties(std::size_t statements, std::uint64_t seed);

}  // namespace engram::experiments
