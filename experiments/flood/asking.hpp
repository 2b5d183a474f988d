// SPDX-License-Identifier: MIT
// Runs the reasoner on one question under an inference control. A question starts with an empty reasoner and its own
// input.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/reasoner/control.hpp"
#include "core/reasoner/question_answering.hpp"
#include "experiments/inputs/asked_questions.hpp"

namespace engram::experiments::flood {

/// Names of the controls: "first_in_first_out", "random", "simplest", "opennars_bags", "pynars_bags", "ona_queue".
std::vector<std::string> control_names();
/// Creates a control. Randomised controls use `seed`.  Errors  std::invalid_argument for an unknown name
std::unique_ptr<core::InferenceControl> make_control(const std::string& name, std::uint64_t seed);

/// Input of the reasoner: statements in order, and the urgency of each.
struct FloodInput {
  std::vector<core::StatementId> statements;
  std::vector<double> urgency = {};  // one for each statement, in (0, 1]; empty if the control ignores it

  /// Input with urgencies from scores, relative to the largest. Statements without a score come last.
  static FloodInput by_scores(std::vector<core::StatementId> statements, const core::Vector& scores);
  /// Urgency function for a control. It refers to this object.
  core::Urgency urgency_of_inputs() const;
};

/// Outcome of a question.
struct FloodAnswer {
  bool found = false;       // an expected answer with the truth value that a known proof alone gives
  bool weaker = false;      // an expected answer, but less confident or of another frequency
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

  /// Truth value of the first expected answer from each known proof alone. Skips proofs that do not lead to an
  /// expected answer.
  std::vector<narsese::TruthValue> exact_truths(const AskedQuestion& question) const;
  /// Asks with the urgencies in `input`. They order the inputs, largest first. If `weighed` is set, the urgencies are
  /// instead the worth of the inputs, which multiplies along derivations.
  FloodAnswer ask_by_urgency(const AskedQuestion& question, const FloodInput& input,
                             const std::vector<narsese::TruthValue>* exact, bool weighed, bool shows) const;
  /// Asks with a control. Stops when the truth value of an answer is equal to one of `exact`, or at the first answer if
  /// `exact` is null.
  FloodAnswer ask(const AskedQuestion& question, const FloodInput& input,
                  std::unique_ptr<core::InferenceControl> control,
                  const std::vector<narsese::TruthValue>* exact, bool shows,
                  const AskedAgain* again = nullptr) const;
};

}  // namespace engram::experiments::flood
