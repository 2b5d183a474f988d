// SPDX-License-Identifier: MIT
// Runs the reasoner on one question. Each question starts with an empty reasoner and its own input.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/reasoner/question_answering.hpp"
#include "experiments/inputs/asked_questions.hpp"

namespace engram::experiments::flood {

/// Input of the reasoner: statements in order, and the urgency of each.
struct FloodTold {
  std::vector<core::StatementId> statements;
  std::vector<double> urgency = {};  // in (0, 1]; empty if the control ignores it

  /// Input with urgencies from scores, relative to the largest. Statements without a score come last.
  static FloodTold by_scores(std::vector<core::StatementId> statements, const core::Vector& scores);
  /// Urgency function for a control. It refers to this object.
  core::Urgency urgency_of_inputs() const;
};

/// Outcome of a question.
struct FloodAnswer {
  bool found = false;       // expected answer, with the truth value that a known proof alone gives first
  bool weaker = false;      // expected answer, but with less confidence or another frequency
  std::uint64_t steps = 0;  // steps until the answer; the limit if there was none
  std::optional<narsese::TruthValue> truth = {};
  std::vector<core::StatementId> used = {};  // statements that the answer is based on, ascending
  Json shown = nullptr;  // the derivation, and how the steps were spent; null if not requested
};

/// A method that is queried again every `refresh` steps.
struct AskedAgain {
  core::AttentionLoop& loop;
  std::uint64_t refresh;
};

/// Question set and limit on steps, shared by all runs.
struct FloodAsking {
  const QuestionSet& set;
  std::uint64_t steps;

  /// Truth value of the first expected answer from each known proof alone. Proofs that do not lead to an expected
  /// answer are left out.
  std::vector<narsese::TruthValue> exact_truths(const AskedQuestion& question) const;
  /// Asks with the urgencies in `told`. They order the inputs (largest first), or are their worth if `weighed` is set.
  FloodAnswer ask_by_urgency(const AskedQuestion& question, const FloodTold& told,
                             const std::vector<narsese::TruthValue>* exact, bool weighed, bool shows) const;
  /// Asks with a control. Stops when the truth value of an answer is equal to one of `exact`, or at the first answer if
  /// `exact` is null.
  FloodAnswer ask(const AskedQuestion& question, const FloodTold& told,
                  std::unique_ptr<core::InferenceControl> control,
                  const std::vector<narsese::TruthValue>* exact, bool shows,
                  const AskedAgain* again = nullptr) const;
};

}  // namespace engram::experiments::flood
