// SPDX-License-Identifier: MIT
// Why each concept and statement got its budget: for a terminal, for programs, and as a page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/methods/explanation.hpp"
#include "core/session/session.hpp"
#include "experiments/formats/conclusion.hpp"

namespace engram::experiments {

/// Why a concept or a statement got its budget. `accounts` begins with that of its share of the budget, by
/// what was transferred to it; then come those of its score.
struct ExplainedItem : core::Explanation {
  std::string name;
  narsese::BudgetValue budget;
  bool statement = false;  // else a concept
  std::uint32_t id = 0;
};

struct ExplainedRecall {
  std::string method, summary;
  std::vector<ExplainedItem> concepts, statements;
};

/// Allocates budgets to the `top` best of a recall, in the session, and explains them. With a prior the
/// budget before counts (core::Session::allocate).
ExplainedRecall explain_recall(core::Session& session, const core::Method& method, const core::Options& given,
                               const core::Cue& cue, const core::Recall& recall, std::size_t top,
                               bool with_prior);

std::string to_text(const ExplainedRecall& recall);
Json to_json(const ExplainedRecall& recall);
/// A page of its own: every item with its accounts as bars and its path as a picture.
std::string explanation_html(const std::string& cue, const std::optional<std::string>& after,
                             const std::vector<ExplainedRecall>& recalls);

}  // namespace engram::experiments
