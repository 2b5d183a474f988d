// SPDX-License-Identifier: MIT
// Proofs as people read them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bridge/reasoner/question_answering.hpp"

namespace engram::experiments {

/// A number in at most four decimals.
std::string four_decimals(double number);

/// One sentence of a proof, and how it was found.
struct ProofStep {
  std::string sentence, rule;
  std::vector<std::size_t> premises = {};  // indexes of earlier steps
};

/// The proof as a tree: the last step, and under each sentence its premises with the names of their rules. A subtree that
/// was drawn before is not repeated. Ends with a line feed.
/// Errors  std::invalid_argument if there is no step, or a premise is not an earlier step
std::string proof_text(const std::vector<ProofStep>& steps);
/// The proof of an answer as such a tree. A statement of the memory has the rule "input", the question has "question".
std::string proof_text(const bridge::ProvenAnswer& answer);

}  // namespace engram::experiments
