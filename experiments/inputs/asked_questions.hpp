// SPDX-License-Identifier: MIT
// Questions prepared for experiments: the cue that methods get, the ground truth for their rankings, and the selection
// of the best statements of a ranking.
#pragma once

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/numbers/shapes.hpp"
#include "experiments/inputs/corpus.hpp"

namespace engram::experiments {

/// Limit on the number of statements that a reasoner receives for a question: `amount`, or `amount` times the size of
/// the first proof if `multiple` is set. Statements with less than `share` of the best score are excluded.
struct Gate {
  std::size_t amount = 12;
  bool multiple = false;
  double share = 0;

  /// Text such as "12", "3x" or "18 above 0.3".
  std::string name() const;
  std::size_t capacity(std::size_t needed) const { return multiple ? amount * needed : amount; }
};

/// Selects the statements that pass a gate, best first.
/// `needed`  size of the first proof of the question
/// `ranked`  statements with positive scores by descending score: all, or only the first `capacity`
/// Shapes    scores (p)
std::span<const core::StatementId> selected_statements(const Gate& gate, std::size_t needed,
                                                       std::span<const core::StatementId> ranked,
                                                       const core::Vector& scores);

/// Coverage of the proofs of a question by the selected statements.
struct ProofCoverage {
  double kept = 0;   // share of the first proof that the selected statements contain
  double whole = 0;  // probability that they contain at least one complete proof
};
/// Coverage of `proofs` by the statements in `given`. `whole` is 1 if one of the proofs is complete, otherwise 0.
/// Errors  std::invalid_argument if `proofs` is empty
ProofCoverage proof_coverage(std::span<const core::StatementId> given,
                             const std::vector<Question::Proof>& proofs);
/// Coverage of proofs by the best statements of a ranking. Statements with equal scores are in random order; both
/// numbers are expectations over all orders, so they do not depend on the order in `given`. The result is exact if at
/// most 12 proofs differ in the tied statements. Otherwise it is the mean of 9999 random orders, the same in every
/// call.
/// `given`  result of selected_statements() for these scores
/// Cost     O(p + s 2^t) for p statements and proofs of s statements, of which t differ in the tied statements
/// Errors   std::invalid_argument if `proofs` is empty
ProofCoverage expected_coverage(std::span<const core::StatementId> given, const core::Vector& scores,
                                const std::vector<Question::Proof>& proofs);

/// Random order of all statements. Statements with equal scores are taken in this order, which is the same for every
/// method. Only experiments that
/// run a reasoner need it. Measures of coverage are expectations over all orders (expected_coverage()).
std::vector<core::StatementId> order_of_ties(std::size_t statements, std::uint64_t seed);

/// A question of a corpus, or a statement with one concept held out that methods must retrieve. Every proof lists its
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
  std::size_t unit = 0;   // factor of gates with `multiple`: usually the size of the first proof
  bool training = false;  // used to choose options, and left out of results

  /// Whether a term is an expected answer.
  bool expects(const std::string& term) const {
    return std::ranges::find(expected_terms, term) != expected_terms.end();
  }
};

/// Converts a question of the corpus into the cue that methods receive and the ground truth for their rankings.
AskedQuestion asked_question(const Corpus& corpus, const Question& question);
/// Turns a statement into a question: holds out one concept, which is the answer. The statement is the proof.
AskedQuestion held_out_question(const Corpus& corpus, core::StatementId statement,
                                core::ConceptId concept_id);

/// A memory and the questions about it.
struct QuestionSet {
  std::string label;
  std::vector<Gate> gates;
  bool ablation = false;                   // whether to measure the configurations of an ablation as well
  std::optional<std::uint64_t> seed = {};  // seed of generated knowledge
  Corpus corpus = {};
  std::vector<AskedQuestion> questions = {};
  std::vector<std::string> sha256 = {};       // hashes of external files that the knowledge was read from
  std::vector<core::StatementId> drawn = {};  // all statements in random order, for ties

  std::string title() const { return seed ? label : std::filesystem::path(label).filename().string(); }
};

/// Solved questions that a method may learn from while it answers `asked`. These are the other questions of the set
/// with a known first proof that is in memory. A training question gets only training questions. Questions with the
/// same sentence or a common answer are excluded, because they would reveal the answer.
std::vector<core::SolvedQuestion> solved_beside(const QuestionSet& set, const AskedQuestion& asked);

/// The cue of a question together with its solved_beside(). Copies of the cue refer to the list in this object, which
/// must outlive them.
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
