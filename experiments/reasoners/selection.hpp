// SPDX-License-Identifier: MIT
// Recall of one method for one question, and the measures of its ranking.
#pragma once

#include <optional>
#include <span>

#include "core/methods/method.hpp"
#include "experiments/inputs/asked_questions.hpp"
#include "experiments/reasoners/selected_answers.hpp"
#include "experiments/statistics/ranking_measures.hpp"

namespace engram::experiments {

/// Ranks of the needed statements among all statements. Statements with equal scores are in random order, so each
/// number is the expectation over all orders.
struct NeededPlaces {
  double above_others = 0;  // probability that a needed statement scores above another one
  double mean_rank = 0;     // mean over the needed statements; ranks start at 1
  double mean_rank_of_others = 0;
  double all_first = 0;  // probability that the needed statements come before all others
  double margin = 0;     // lowest score of a needed statement minus the highest of another one
};

/// Recall of one method for one question, with its measures. The needed statements are those of the first proof.
class Selection {
 public:
  /// Runs the recall.
  /// `set`, `question`  must outlive this object
  /// `cue`              cue of the question
  Selection(const QuestionSet& set, const AskedQuestion& question, const core::Cue& cue,
            const core::ConfiguredMethod& method);

  const core::Recall& recall() const { return recall_; }
  /// Duration of the recall.
  double seconds() const { return seconds_; }

  /// Statements that a gate of the set selects, best first. Valid as long as this object.
  std::span<const core::StatementId> given(const Gate& gate) const;
  /// Share of the proofs that the given statements contain.
  /// Errors  std::invalid_argument if no proof is known
  GivenProof proof(std::span<const core::StatementId> given) const;
  /// Answers of Engram's reasoner from only these statements.
  /// Errors  std::invalid_argument for a statement with a part held out
  core::QuestionAnswers answers(std::span<const core::StatementId> given, std::size_t most) const;

  /// Ranking of the needed statements among all. Statements that the memory has lost have no rank.
  RankingMeasures needed() const;
  /// Ranking of the wanted concepts among those that the cue does not name.
  RankingMeasures wanted() const;
  /// Expected reciprocal rank of the concepts of the answers among those that the cue does not name, averaged over the
  /// concepts. Empty if no answer is known.
  std::optional<double> answer_rank() const;
  /// Expected rank of a statement among all statements of the memory.
  double rank(core::StatementId statement) const;
  /// Empty if no statement is needed, or if all are.
  std::optional<NeededPlaces> needed_places() const;

 private:
  std::vector<bool> is_needed() const;
  std::vector<bool> is_unnamed() const;

  const QuestionSet& set_;
  const AskedQuestion& question_;
  core::Recall recall_;
  double seconds_ = 0;
  std::vector<core::StatementId> first_;  // the best ones, up to the size of the widest gate
};

}  // namespace engram::experiments
