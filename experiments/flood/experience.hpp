// SPDX-License-Identifier: MIT
// Learning by reasoning: attention over proofs that begins with plain weights and learns from each answer which premises led
// to it, beside the same that stays as it began.
#pragma once

#include "experiments/flood/flood.hpp"
#include "experiments/inputs/asked_questions.hpp"

namespace engram::experiments::flood {

/// Rows of both, a value a question in the order in which they were asked. Of the set's questions those are asked, at most
/// options.experience.questions, whose first proof shares no fact with one before: what is learnt is not what was told.
/// Both are told everything, with shares as what it is worth.
std::vector<Json> experience_rows(const QuestionSet& set, const FloodOptions& options);

/// How many steps an answer takes, round by round. Nothing where the rows have none.
void add_experience(const FloodOptions& options, const std::vector<Json>& rows, Conclusion& conclusion);

inline const std::string experience_part = "experience";

}  // namespace engram::experiments::flood
