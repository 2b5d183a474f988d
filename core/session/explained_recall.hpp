// SPDX-License-Identifier: MIT
// Explanations of the budgets (shares of attention) that a recall gives to concepts and statements.
#pragma once

#include <string>
#include <vector>

#include "core/methods/explanation.hpp"
#include "core/session/session.hpp"

namespace engram::core {

/// Explanation of the budget of one concept or statement. The first account is its share of the budget as a sum of
/// transfers; the others explain its score.
struct ExplainedItem : Explanation {
  std::string name;
  narsese::BudgetValue budget;
  bool statement = false;  // otherwise a concept
  std::uint32_t id = 0;
};

/// Result of explain_recall(): the method and the explanations of the best concepts and statements.
struct ExplainedRecall {
  std::string method, summary;
  std::vector<ExplainedItem> concepts, statements;
};

/// Formats a number for explanations: six decimals, or only the order of magnitude below 0.0001.
std::string decimals(double number);

/// Explains the budgets that Session::allocate() would give to the `top` best concepts and statements of a recall by
/// `method`. The session's own budgets do not change. If `with_prior` is set, the explained allocation starts from the
/// session's budgets; otherwise it comes from the recall alone.
/// Errors  OptionError, WorkStopped
/// Cost    two allocations, and the explanations of `top` concepts and statements
ExplainedRecall explain_recall(Session& session, const ConfiguredMethod& method, const Cue& cue,
                               const Recall& recall, std::size_t top, bool with_prior = false);

}  // namespace engram::core
