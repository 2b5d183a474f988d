// SPDX-License-Identifier: MIT
// Answers of Engram's own reasoner when it knows only a few selected statements.
#pragma once

#include <span>
#include <vector>

#include "core/reasoner/question_answering.hpp"
#include "experiments/reasoners/exchange.hpp"

namespace engram::experiments {

/// A selected statement with the score that the method gave it.
struct SelectedStatement {
  narsese::Sentence sentence;
  double score = 0;
};

/// Runs the reasoner of `engram ask` with only the judgments among these statements. Their scores order its inference
/// and stay constant.
/// `statements`  best first
/// Errors  std::invalid_argument if the sentence is not a question; core::WorkStopped
core::QuestionAnswers answers_from(std::span<const SelectedStatement> statements,
                                   const narsese::Sentence& question, std::size_t max_answers);

/// Whether an answer matches an expected one: the same term, and a frequency on the same side of 1/2.
bool is_expected(const Answer& answer, std::span<const narsese::Sentence> expected);

}  // namespace engram::experiments
