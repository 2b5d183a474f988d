// SPDX-License-Identifier: MIT
#include "experiments/reasoners/selected_answers.hpp"

#include <algorithm>

#include "experiments/reasoners/verdicts.hpp"
#include "narsese/printer.hpp"
#include "narsese/term.hpp"

namespace engram::experiments {

core::QuestionAnswers answers_from(std::span<const SelectedStatement> statements,
                                   const narsese::Sentence& question, std::size_t max_answers) {
  core::Session session;
  std::vector<double> by_id;
  for (const SelectedStatement& statement : statements) {
    narsese::Sentence sentence = statement.sentence;
    sentence.term = narsese::TermCopies(session.mutable_memory().terms())(sentence.term);
    const auto accepted = session.accept(sentence);
    if (!accepted || !*accepted) continue;  // the memory is full, or the sentence is a question
    by_id.resize(session.memory().statements().size());
    by_id[**accepted] = statement.score;
  }
  const core::Vector scores =
      Eigen::Map<const core::Vector>(by_id.data(), static_cast<core::Index>(by_id.size()));
  core::AnsweringOptions options;
  options.refresh = options.steps;  // the scores are never refreshed
  options.max_answers = max_answers;
  return core::answer_question(
      session, narsese::print(question),
      [&](core::Session& memory, const core::Cue&) {
        core::Vector all = core::Vector::Zero(static_cast<core::Index>(memory.memory().statements().size()));
        all.head(scores.size()) = scores;
        return all;
      },
      options);
}

bool is_expected(const Answer& answer, std::span<const narsese::Sentence> expected) {
  return std::ranges::any_of(expected, [&](const narsese::Sentence& sentence) {
    const Answer wanted{narsese::print(sentence.term), sentence.truth_or_default()};
    const Verdict verdict = verdict_on(answer, wanted);
    return verdict == Verdict::answered || verdict == Verdict::weaker;
  });
}

}  // namespace engram::experiments
