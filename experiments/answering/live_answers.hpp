// SPDX-License-Identifier: MIT
// Answers of a live NARS to questions, from selected statements.
#pragma once

#include "experiments/answering/question_sets.hpp"
#include "experiments/reasoners/reasoner.hpp"

namespace engram::experiments::answering {

/// Asks a NARS that knows only the selected statements, sent in the order in which the memory received them. Recorded
/// exchanges are not repeated, and new ones are added to the recording file immediately. Thread-safe.
class LiveAnswers {
 public:
  /// The recording is an existing file or, with a command, a new one. An empty path means none.
  /// Errors  InputError, SpecError for a malformed recording; std::system_error if the file cannot be written
  LiveAnswers(const SystemChoice& choice, const std::filesystem::path& recording);

  /// Returns the answer of the NARS from only the first proof. Returns nothing if the NARS gives no answer or an
  /// unexpected one, and for a question without a proof.
  std::optional<Answer> oracle(const QuestionSet& set, const AskedQuestion& question);
  /// The best answer from the given statements. If the system was asked now, appends the duration to `seconds`.
  std::optional<Answer> answer(const QuestionSet& set, const AskedQuestion& question,
                               std::span<const core::StatementId> given, Json& seconds);

 private:
  Recording recording_;
  Reasoner reasoner_;
};

}  // namespace engram::experiments::answering
