// SPDX-License-Identifier: MIT
// Proofs as people read them.
#pragma once

#include <string>

#include "bridge/reasoner/question_answering.hpp"

namespace engram::experiments {

/// A number in at most four decimals.
std::string four_decimals(double number);

/// The proof as a tree: the answer, and under each sentence its premises with the names of their rules. A subtree that
/// was drawn before is not repeated. Ends with a line feed.
std::string proof_text(const bridge::ProvenAnswer& answer);

}  // namespace engram::experiments
