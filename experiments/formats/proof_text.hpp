// SPDX-License-Identifier: MIT
// Proofs as text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/reasoner/question_answering.hpp"

namespace engram::experiments {

/// A number with at most four decimals.
std::string four_decimals(double number);

/// A sentence of a proof, and the rule that derived it.
struct ProofStep {
  std::string sentence, rule;
  std::vector<std::size_t> premises = {};  // indexes of earlier steps
};

/// Draws a proof as a tree: the last step, and below each sentence its premises with the names of their rules. A
/// subtree is drawn only once. The text ends with a line feed.
/// Errors  std::invalid_argument if there is no step, or if a premise is not an earlier step
std::string proof_text(const std::vector<ProofStep>& steps);
/// The same tree for the proof of an answer. A statement of the memory has the rule "input", the question has
/// "question".
std::string proof_text(const core::ProvenAnswer& answer);

}  // namespace engram::experiments
