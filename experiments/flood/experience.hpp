// SPDX-License-Identifier: MIT
// Learning from answers: attention over proofs that starts with plain weights and learns from the premises of each
// answer, compared with the same attention without learning.
#pragma once

#include "experiments/flood/flood.hpp"
#include "experiments/inputs/asked_questions.hpp"

namespace engram::experiments::flood {

/// Rows of both variants, with values for questions in order. Uses at most options.experience.questions questions, and
/// only those whose first proof shares no fact with an earlier one, so that learning cannot reuse facts. Both get all
/// statements as input, weighed by their scores.
std::vector<Json> experience_rows(const QuestionSet& set, const FloodOptions& options);

/// Adds the steps to the answer, round by round. Does nothing if no row has them.
void add_experience(const FloodOptions& options, const std::vector<Json>& rows, Conclusion& conclusion);

inline const std::string experience_part = "experience";

}  // namespace engram::experiments::flood
