// SPDX-License-Identifier: MIT
// One question, of a reasoner that knows nothing but what it is told for it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "bridge/reasoner/attention_loop.hpp"
#include "experiments/inputs/asked_questions.hpp"

namespace engram::experiments::flood {

/// What a reasoner is told, in that order, and how urgent each is.
struct FloodTold {
  std::vector<core::StatementId> statements;
  std::vector<double> urgency = {};  // of each, in (0, 1]; empty: the control does not ask

  /// All statements of these by their scores, each as a share of the largest. Those without a score come last.
  static FloodTold by_scores(std::vector<core::StatementId> statements, const core::Vector& scores);
  /// For a control, while this lives.
  bridge::Urgency urgency_of_inputs() const;
};

/// What came of a question.
struct FloodAnswer {
  bool found = false;       // the expected answer, as true as a known proof alone makes it first
  bool weaker = false;      // or with less confidence, or another frequency
  std::uint64_t steps = 0;  // until it was found; else all that were allowed
  std::optional<narsese::TruthValue> truth = {};
  std::vector<core::StatementId> used = {};  // that the answer rests on, ascending
  Json shown = nullptr;  // where that was wanted: the derivation, and what the steps were spent on
};

/// A method that is asked again after so many steps.
struct AskedAgain {
  bridge::AttentionLoop& loop;
  std::uint64_t refresh;
};

/// The question's set and the steps that it may take.
struct FloodAsking {
  const QuestionSet& set;
  std::uint64_t steps;

  /// What each known proof alone leads to first; nothing of one that does not lead to what is expected.
  std::vector<narsese::TruthValue> exact_truths(const AskedQuestion& question) const;
  /// By the shares in `told`: the largest first, or as what the inputs are worth.
  FloodAnswer ask_by_urgency(const AskedQuestion& question, const FloodTold& told,
                             const std::vector<narsese::TruthValue>* exact, bool weighed, bool shows) const;
  /// Done as soon as the answer is as true as one of `exact`; where that is null, with the first one.
  FloodAnswer ask(const AskedQuestion& question, const FloodTold& told,
                  std::unique_ptr<bridge::Control> control, const std::vector<narsese::TruthValue>* exact,
                  bool shows, const AskedAgain* again = nullptr) const;
};

}  // namespace engram::experiments::flood
