// SPDX-License-Identifier: MIT
// What a live NARS answers to what it was given.
#pragma once

#include "experiments/answering/question_sets.hpp"
#include "experiments/reasoners/reasoner.hpp"
#include "experiments/reasoners/verdicts.hpp"

namespace engram::experiments::answering {

/// Asks a NARS, each time as one that knows nothing but the statements given, told in the order in which the
/// memory heard of them. What is recorded in a file is not asked again; what is asked is added to it at once.
/// May be used from several threads at once.
class LiveAnswers {
 public:
  /// The recording: a file that is there or, with a command, will be; empty: none.
  /// Errors  InputError, SpecError for a recording that is none; std::system_error where it cannot be written
  LiveAnswers(const SystemChoice& choice, const std::filesystem::path& recording);

  /// The answer to what the first proof alone leads to, where it is one that the file expects; of a question
  /// that nothing answers none.
  std::optional<Answer> oracle(const QuestionSet& set, const AskedQuestion& question);
  /// The best answer to what is given. To `seconds` is added how long it took, where it was asked now.
  std::optional<Answer> answer(const QuestionSet& set, const AskedQuestion& question,
                               std::span<const core::StatementId> given, Json& seconds);

 private:
  Recording recording_;
  Reasoner reasoner_;
};

}  // namespace engram::experiments::answering
