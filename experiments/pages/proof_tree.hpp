// SPDX-License-Identifier: MIT
// A proof as a tree of text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace engram::experiments {

/// One sentence of a proof, and how it was found.
struct ProofStep {
  std::string sentence, rule;
  std::vector<std::size_t> premises = {};  // indexes of earlier steps
};

/// The last step, with the steps that it follows from below it, each on a line of its own. A subtree that was drawn before
/// is not repeated.
/// Errors  std::invalid_argument if there is no step, or a premise is not an earlier step
std::string proof_tree(const std::vector<ProofStep>& steps);

}  // namespace engram::experiments
