// SPDX-License-Identifier: MIT
// Why each concept and statement of a recall gets its budget.
#pragma once

#include <string>
#include <vector>

#include "core/methods/explanation.hpp"
#include "core/session/session.hpp"

namespace engram::core {

/// Why a concept or a statement got its budget. `accounts` begins with that of its share of the budget, by
/// what was transferred to it; then come those of its score.
struct ExplainedItem : Explanation {
  std::string name;
  narsese::BudgetValue budget;
  bool statement = false;  // else a concept
  std::uint32_t id = 0;
};

/// A recall with the reasons for the best of it.
struct ExplainedRecall {
  std::string method, summary;
  std::vector<ExplainedItem> concepts, statements;
};

/// A number as explanations write it: six decimals; of what they would not show, the order of magnitude.
std::string decimals(double number);

/// The budgets that Session::allocate would give to the `top` best concepts and statements of a recall, explained.
/// The session's own stay as they are. With a prior they are the budgets before.
/// Errors  OptionError, WorkStopped
/// Cost    that of two allocations, and of the explanations of `top` concepts and statements
ExplainedRecall explain_recall(Session& session, const Method& method, const Options& options, const Cue& cue,
                               const Recall& recall, std::size_t top, bool with_prior = false);

}  // namespace engram::core
