// SPDX-License-Identifier: MIT
// Explanations of the budgets of concepts and statements, as text and as a page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/session/explained_recall.hpp"

namespace engram::experiments {

using core::ExplainedItem;
using core::ExplainedRecall;

std::string to_text(const ExplainedRecall& recall);
/// A complete page: every item with its accounts as bars and its path as a picture.
std::string explanation_html(const std::string& cue, const std::optional<std::string>& after,
                             const std::vector<ExplainedRecall>& recalls);

}  // namespace engram::experiments
