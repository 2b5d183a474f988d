// SPDX-License-Identifier: MIT
// Questions prepared for experiments: the cue that methods get, and the ground truth for their rankings.
#pragma once

#include <algorithm>
#include <filesystem>

#include "experiments/inputs/given_statements.hpp"

namespace engram::experiments {

/// A question of a corpus, or a statement with one concept held out that methods must retrieve. Each proof lists its
/// statements once, in ascending order.
struct AskedQuestion : Question {
  std::string text = {};                         // text in reports
  core::Cue cue = {};                            // input of every method
  std::vector<core::ConceptId> names = {};       // concepts of the cue
  std::vector<std::string> expected_texts = {};  // expected answers as sentences
  std::vector<std::string> expected_terms = {};  // terms of the expected answers
  /// Concepts of the expected answers that the cue lacks.
  std::vector<core::ConceptId> answers = {};
  /// Concepts of the answers and of the first proof that occur in a statement, but not in the cue; ascending.
  std::vector<core::ConceptId> wanted = {};
  std::size_t unit = 0;   // factor of gates that are multiples: usually the size of the first proof
  bool training = false;  // used to choose options, and left out of results

  /// Whether a term is an expected answer.
  bool expects(const std::string& term) const {
    return std::ranges::find(expected_terms, term) != expected_terms.end();
  }
};

/// Prepares a question of this corpus.
AskedQuestion asked_question(const Corpus& corpus, const Question& question);
/// Turns a statement into a question: holds out one concept, which is the answer. The statement is the proof.
AskedQuestion held_out_question(const Corpus& corpus, core::StatementId statement,
                                core::ConceptId concept_id);

/// A memory and the questions about it.
struct QuestionSet {
  std::string label;
  std::vector<Gate> gates;
  bool ablation = false;                   // the configurations of an ablation are measured, too
  std::optional<std::uint64_t> seed = {};  // seed of generated knowledge
  Corpus corpus = {};
  std::vector<AskedQuestion> questions = {};
  std::vector<std::string> sha256 = {};       // hashes of external files that the knowledge was read from
  std::vector<core::StatementId> drawn = {};  // all statements in random order, for ties

  std::string title() const { return seed ? label : std::filesystem::path(label).filename().string(); }
};

/// Solved questions that a method may learn from while it answers `asked`. They are the other questions of the set
/// whose first proof is known and in memory. A training question gets only training questions. Questions with the same
/// sentence or a common answer are excluded, because they would reveal the answer.
std::vector<core::SolvedQuestion> solved_beside(const QuestionSet& set, const AskedQuestion& asked);

/// The cue of a question together with its solved_beside(). Copies of the cue refer to this object.
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
