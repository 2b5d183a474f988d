// SPDX-License-Identifier: MIT
// Recall of one method for one question, the measures of its ranking, and answers from the selected statements.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/methods/method.hpp"
#include "core/reasoner/question_answering.hpp"
#include "experiments/inputs/asked_questions.hpp"
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

/// Recall of one method for one question, with its measures. The needed statements are the premises of the first proof.
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

  /// Statements that a gate of the set selects, best first. Valid until this object is destroyed.
  std::span<const core::StatementId> given(const Gate& gate) const;
  /// Share of the proofs that the given statements contain.
  /// Errors  std::invalid_argument if no proof is known
  ProofCoverage proof(std::span<const core::StatementId> given) const;
  /// Answers of the reasoner of `engram ask` from only the judgments among these statements. The scores order its
  /// inference and stay constant.
  /// Errors  std::invalid_argument for a statement with a part held out; core::WorkStopped
  core::QuestionAnswers answers(std::span<const core::StatementId> given, std::size_t most) const;

  /// Ranking of the needed statements among all statements. A needed statement that the memory has lost counts as not
  /// ranked.
  RankingMeasures needed() const;
  /// Ranking of the wanted concepts among the concepts outside the cue.
  RankingMeasures wanted() const;
  /// Expected reciprocal rank of the concepts of the answers among the concepts outside the cue, averaged over the
  /// concepts. Empty if no answer is known.
  std::optional<double> answer_rank() const;
  /// Expected rank of a statement among all statements of the memory.
  double rank(core::StatementId statement) const;
  /// Ranks of the needed statements compared with the others. Empty if no statement is needed, or if all are needed.
  std::optional<NeededPlaces> needed_places() const;

 private:
  std::vector<bool> is_needed() const;
  std::vector<bool> is_unnamed() const;

  const QuestionSet& set_;
  const AskedQuestion& question_;
  core::Recall recall_;
  double seconds_ = 0;
  std::vector<core::StatementId> first_;  // the best statements, as many as the widest gate selects
};

}  // namespace engram::experiments
