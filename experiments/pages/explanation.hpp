// SPDX-License-Identifier: MIT
// Proofs as text, and explanations of budgets as text and as a page.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/reasoner/question_answering.hpp"
#include "core/session/explained_recall.hpp"

namespace engram::experiments {

/// A number with at most four decimals.
std::string four_decimals(double number);

/// A sentence of a proof, and the rule that derived it.
struct ProofStep {
  std::string sentence, rule;
  std::vector<std::size_t> premises = {};  // indexes of earlier steps
};

/// Draws a proof as a tree: the last step, and below each sentence its premises with the names of their rules. Draws
/// each subtree once. The text ends with a line feed.
/// Errors  std::invalid_argument if `steps` is empty, or if a premise is not an earlier step
std::string proof_text(const std::vector<ProofStep>& steps);
/// Draws the proof of an answer as such a tree. In place of a rule, statements of the memory have the name "input", and
/// the question has the name "question".
std::string proof_text(const core::ProvenAnswer& answer);

using core::ExplainedItem;
using core::ExplainedRecall;

/// Explanation of a recall as text for a terminal: for each item, the summands of its score (core::Account), its path
/// and its proof.
std::string to_text(const ExplainedRecall& recall);
/// Explanation of recalls as a complete HTML page. The summands of scores are bars, and paths are pictures.
std::string explanation_html(const std::string& cue, const std::optional<std::string>& after,
                             const std::vector<ExplainedRecall>& recalls);

}  // namespace engram::experiments
