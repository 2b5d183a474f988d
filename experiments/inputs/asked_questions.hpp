// SPDX-License-Identifier: MIT
// Questions as experiments ask them: what a method sees, and what its ranking should hold.
#pragma once

#include <algorithm>
#include <filesystem>

#include "experiments/inputs/given_statements.hpp"

namespace engram::experiments {

/// A question of a corpus, or a statement with a part held out, which methods must bring back. Proofs list each statement
/// once, in ascending order.
struct AskedQuestion : Question {
  std::string text = {};                         // as reports show it
  core::Cue cue = {};                            // what every method sees
  std::vector<core::ConceptId> names = {};       // concepts of the cue
  std::vector<std::string> expected_texts = {};  // of the answers, as sentences
  std::vector<std::string> expected_terms = {};  // of the answers
  /// Concepts of the expected answers that the cue lacks.
  std::vector<core::ConceptId> answers = {};
  /// Concepts of the answers and of the first proof that the cue lacks and that a statement mentions, ascending.
  std::vector<core::ConceptId> wanted = {};
  std::size_t unit = 0;   // what gates that are multiples multiply: as a rule the size of the first proof
  bool training = false;  // used to choose something, and left out of results

  /// Whether a term is an expected answer.
  bool expects(const std::string& term) const {
    return std::ranges::find(expected_terms, term) != expected_terms.end();
  }
};

/// `question`  of this corpus
AskedQuestion asked_question(const Corpus& corpus, const Question& question);
/// A statement without one of its concepts, which is the answer. The statement is the proof.
AskedQuestion held_out_question(const Corpus& corpus, core::StatementId statement,
                                core::ConceptId concept_id);

/// A memory and the questions that methods are asked of it.
struct QuestionSet {
  std::string label;
  std::vector<Gate> gates;
  bool ablation = false;                   // also asked of the configurations of an ablation
  std::optional<std::uint64_t> seed = {};  // of generated knowledge
  Corpus corpus = {};
  std::vector<AskedQuestion> questions = {};
  std::vector<std::string> sha256 = {};       // of the files of others that the knowledge was read from
  std::vector<core::StatementId> drawn = {};  // all statements, in an order for those with equal scores

  std::string title() const { return seed ? label : std::filesystem::path(label).filename().string(); }
};

/// Solved questions that a method may learn from when `asked` is asked: the other questions of the set with a known proof (the first) that the
/// memory has; for a question for training those for training alone. Questions that ask the same or expect the same
/// answer do not count.
std::vector<core::SolvedQuestion> solved_beside(const QuestionSet& set, const AskedQuestion& asked);

/// The cue of a question with solved_beside(). Copies of the cue refer to this object.
struct CueWithSolved : core::Cue {
  CueWithSolved(const QuestionSet& set, const AskedQuestion& asked)
      : Cue(asked.cue), kept(solved_beside(set, asked)) {
    solved = kept;
  }
  CueWithSolved(const CueWithSolved&) = delete;
  CueWithSolved& operator=(const CueWithSolved&) = delete;

  std::vector<core::SolvedQuestion> kept;
};

}  // namespace engram::experiments
