// SPDX-License-Identifier: MIT
#include "experiments/answering/live_answers.hpp"

#include <algorithm>

namespace engram::experiments::answering {
namespace {

// Loads the recording. A missing file is an empty recording if the system can be asked.
Recording recorded(const SystemChoice& choice, const std::filesystem::path& file) {
  std::error_code ignored;  // a name that is too long is not a file
  const bool begins = file.empty() || (choice.can_ask() && !std::filesystem::exists(file, ignored));
  return begins ? Recording() : Recording(file);
}

}  // namespace

LiveAnswers::LiveAnswers(const SystemChoice& choice, const std::filesystem::path& recording)
    : recording_(recorded(choice, recording)), reasoner_(choice, recording_) {
  if (!recording.empty() && choice.can_ask()) recording_.keep_in(recording);
}

std::optional<Answer> LiveAnswers::oracle(const QuestionSet& set, const AskedQuestion& question) {
  if (question.needed() == 0) return std::nullopt;
  Json seconds;
  auto found = answer(set, question, question.proofs.front(), seconds);
  if (found && !question.expected.empty() && !question.expects(found->term)) return std::nullopt;
  return found;
}

std::optional<Answer> LiveAnswers::answer(const QuestionSet& set, const AskedQuestion& question,
                                          std::span<const core::StatementId> given, Json& seconds) {
  std::vector<core::StatementId> ids(given.begin(), given.end());
  std::ranges::sort(ids);
  std::vector<narsese::Sentence> told;
  for (const core::StatementId id : ids) told.push_back(set.corpus.premise(id));
  const Asked asked = reasoner_.ask(told, question.sentence);
  if (asked.seconds) seconds.push_back(*asked.seconds);
  return asked.best;
}

}  // namespace engram::experiments::answering
