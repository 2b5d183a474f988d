// SPDX-License-Identifier: MIT
#include "experiments/reasoners/selected_answers.hpp"

#include <algorithm>

#include "experiments/reasoners/verdicts.hpp"
#include "narsese/printer.hpp"
#include "narsese/term_copies.hpp"

namespace engram::experiments {

bridge::QuestionAnswers answers_from(std::span<const SelectedStatement> statements,
                                     const narsese::Sentence& question, std::size_t max_answers) {
  core::Session session;
  std::vector<double> by_id;
  for (const SelectedStatement& statement : statements) {
    narsese::Sentence sentence = statement.sentence;
    sentence.term = narsese::TermCopies(session.change().terms())(sentence.term);
    const auto accepted = session.accept(sentence);
    if (!accepted || !*accepted) continue;  // a statement without room, or a question
    by_id.resize(session.memory().statements().size());
    by_id[**accepted] = statement.score;
  }
  const core::Vector scores =
      Eigen::Map<const core::Vector>(by_id.data(), static_cast<core::Index>(by_id.size()));
  bridge::AnsweringOptions options;
  options.refresh = options.steps;  // the method is not asked again
  options.max_answers = max_answers;
  return bridge::answer_question(
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
