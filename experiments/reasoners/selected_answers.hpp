// SPDX-License-Identifier: MIT
// Answers of Engram's own reasoner to a question from a few statements alone.
#pragma once

#include <span>
#include <vector>

#include "bridge/reasoner/question_answering.hpp"
#include "experiments/reasoners/exchange.hpp"

namespace engram::experiments {

/// A statement that a method selected, and the score that the method gave it.
struct SelectedStatement {
  narsese::Sentence sentence;
  double score = 0;
};

/// Asks the reasoner that `engram ask` uses. It knows nothing but the judgments among these statements, and their scores
/// say what it thinks of first. The scores stay as they are during the inference.
/// `statements`  best first
/// Errors  std::invalid_argument if the sentence asks nothing; core::WorkStopped
bridge::QuestionAnswers answers_from(std::span<const SelectedStatement> statements,
                                     const narsese::Sentence& question, std::size_t max_answers);

/// Whether an answer is one of those that a file expects: the same term, and a frequency on the same side of 1/2.
bool is_expected(const Answer& answer, std::span<const narsese::Sentence> expected);

}  // namespace engram::experiments
