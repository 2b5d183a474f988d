// SPDX-License-Identifier: MIT
// One method's recall for one question, with its measures.
#pragma once

#include <optional>
#include <span>

#include "core/retrieval/retriever.hpp"
#include "experiments/inputs/asked_questions.hpp"
#include "experiments/reasoners/selected_answers.hpp"
#include "experiments/statistics/ranking_measures.hpp"

namespace engram::experiments {

/// Places of the needed statements in a ranking of all statements. Statements with equal scores are in random order: the
/// numbers are expectations over all their orders.
struct NeededPlaces {
  double above_others = 0;  // chance that a needed statement scores above another one
  double mean_rank = 0;     // of the needed statements; the first rank is 1
  double mean_rank_of_others = 0;
  double all_first = 0;  // chance that the needed statements come before all others
  double margin = 0;     // lowest score of a needed statement minus the highest of another one
};

/// One method's recall for one question, with its measures. Needed are the statements of the question's first proof.
class Selection {
 public:
  /// Asks the method.
  /// `set`, `question`  must outlive this
  /// `cue`              of the question
  Selection(const QuestionSet& set, const AskedQuestion& question, const core::Cue& cue,
            const core::AnyRetriever& method);

  const core::Recall& recall() const { return recall_; }
  /// Duration of the recall.
  double seconds() const { return seconds_; }

  /// Statements that a gate of the set lets through, best first. Valid as long as this.
  std::span<const core::StatementId> given(const Gate& gate) const;
  /// Share of the proofs among the statements given.
  /// Errors  std::invalid_argument if no proof is known
  GivenProof proof(std::span<const core::StatementId> given) const;
  /// Answers of Engram's reasoner from the statements given alone.
  /// Errors  std::invalid_argument for a statement with a part held out
  bridge::QuestionAnswers answers(std::span<const core::StatementId> given, std::size_t most) const;

  /// The needed statements among all, those that the memory has lost at no rank.
  RankingMeasures needed() const;
  /// The wanted concepts among those that the cue does not name.
  RankingMeasures wanted() const;
  /// Expected reciprocal rank of an answer's concept among those that the cue does not name, in the mean over these
  /// concepts; nothing if no answer is known.
  std::optional<double> answer_rank() const;
  /// Expected rank of a statement of the memory among all.
  double rank(core::StatementId statement) const;
  /// Nothing if no statement is needed, or all are.
  std::optional<NeededPlaces> needed_places() const;

 private:
  std::vector<bool> is_needed() const;
  std::vector<bool> is_unnamed() const;

  const QuestionSet& set_;
  const AskedQuestion& question_;
  core::Recall recall_;
  double seconds_ = 0;
  std::vector<core::StatementId> first_;  // as many as the widest gate lets through
};

}  // namespace engram::experiments
