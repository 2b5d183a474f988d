// SPDX-License-Identifier: MIT
// Question answering: answers to a question from the statements of a memory, each with its proof. A method of attention
// scores the statements: the scores decide which statements the reasoner gets, and guide it during inference.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/numbers/work_budget.hpp"
#include "core/reasoner/reasoner.hpp"
#include "core/session/session.hpp"

namespace engram::core {

/// Default of AnsweringOptions::refresh: inference steps between two calls of the method. Chosen from 8 to 512 on
/// generated sets with seeds 901 and 902 (experiment flood). With fewer steps, early conclusions hide some proofs of
/// seven statements. With more, all proofs take longer.
inline constexpr std::uint64_t default_refresh = 64;

/// Attention that follows the inference: it repeatedly scores the sentences that a reasoner has so far, and gives the
/// control new worths. To score conclusions, the loop keeps a copy of the memory with the reasoner's inputs, and stores
/// strong conclusions (Rule::strong) there as episodes, from which the copy learns links. The method scores the
/// statements of the copy. With s the score of a sentence divided by the largest score, the worth of each sentence
/// becomes
///   worth <- (worth + s) / 2
/// by WorthControl::reweigh(). A sentence without a statement in the copy, such as a conclusion that is not strong,
/// gets the s of a statement with score 0 (unscored_urgency). Do not use the loop with a reasoner that forgets.
class AttentionLoop {
 public:
  /// The method of attention: a function that returns a score for each statement of a memory, given a cue.
  using Scorer = std::function<Vector(Session& memory, const Cue& cue)>;

  /// Copies `memory`. Inputs of the reasoner that `memory` does not have get no score.
  /// `cue`      the question, with a term of that memory's table; its training data must outlive the loop
  /// `control`  the control of the reasoner, which gets the new worths
  /// Cost  O(1) copies of a session
  AttentionLoop(const Session& memory, const Cue& cue, Scorer scorer, WorthControl& control);

  /// Records an event of the reasoner. Call it for every event, from the first input on.
  void observe(const Reasoner& reasoner, const ReasonerEvent& event);
  /// Stores new conclusions in the copy, scores its statements, and reweighs all sentences. Call it between two steps
  /// of the reasoner.
  /// Cost  one call of the method, the input of the new statements, and one WorthControl::reweigh()
  void refresh(Reasoner& reasoner);

 private:
  void reweigh(Reasoner& reasoner);
  void store_new_sentences(const Knowledge& knowledge);

  Session memory_;
  Cue cue_;
  Scorer scorer_;
  WorthControl& control_;
  std::size_t initial_bytes_;
  std::optional<Reservation> growth_;
  std::vector<SentenceId> new_;
  std::vector<std::pair<SentenceId, StatementId>> stored_;
};

/// Options of answer_question(): limits of inference and of the result.
struct AnsweringOptions {
  std::uint64_t steps = 2000;               // most inference steps
  std::uint64_t refresh = default_refresh;  // inference steps between two calls of the method
  std::size_t gate = std::numeric_limits<std::size_t>::max();  // most statements that the reasoner gets
  std::size_t max_answers = 1;                                 // most answers to return
  std::size_t max_near = 0;  // most related sentences to return if there is no answer
};

/// One sentence of a proof, for output.
struct ProofLine {
  std::string narsese;                       // the sentence without its truth value
  std::optional<narsese::TruthValue> truth;  // truth or desire value; none for a question
  std::string_view rule;                     // name of its inference rule, "revision", or "told" for an input
  std::uint64_t step = 0;                    // number of inference steps when it was found
  std::vector<std::size_t> premises;         // indexes of its premises among the earlier lines
};

/// An answer to a question, and its proof in the order of derivation. The last line of the proof is the answer.
struct ProvenAnswer {
  std::string term;
  narsese::TruthValue truth;
  std::vector<ProofLine> proof;
};

/// Tenses of inputs that are not eternal, for output. The reasoner itself takes all sentences as eternal.
using InputTenses = std::map<SentenceId, narsese::Tense>;

/// Returns a sentence of a reasoner with its proof, in printed form. Inputs in the proof get their tenses from
/// `tenses`.
/// Cost  O(sentences of the proof squared)
ProvenAnswer proven_answer(const Reasoner& reasoner, SentenceId answer, const InputTenses& tenses = {});

/// Result of answer_question().
struct QuestionAnswers {
  std::vector<ProvenAnswer> answers;  // distinct terms, best first, as in Reasoner::answers
  std::vector<ProvenAnswer> near;     // if there is no answer: related beliefs
  std::uint64_t steps = 0;            // number of inference steps done
  std::vector<StatementId> selected;  // statements that the reasoner got, best first
};

/// A statement that the reasoner got, with the budget that the method gave it, for output.
struct SelectedStatement {
  std::string narsese;  // the statement without its input budget
  narsese::BudgetValue budget;
};

/// Returns the statements that the reasoner got and that have a budget above 0, at most `most` of them, best first. Use
/// it to show which statements the method selected for an answer.
/// `recall`  the first result of the method for the question
/// `found`   the result of answer_question() for it
std::vector<SelectedStatement> selected_with_budgets(Session& session, const Recall& recall,
                                                     const QuestionAnswers& found, std::size_t most);

/// Callback that receives each event of the reasoner that answers a question.
using ReasoningObserver = std::function<void(Reasoner& reasoner, const ReasonerEvent& event)>;

/// Answers a question with Engram's own reasoner. The reasoner gets at most `gate` judgments of the memory, those with
/// the largest scores. Each has an urgency that follows from its score, and AttentionLoop scores the sentences again
/// during the inference. The session is not changed.
/// `question`  Narsese that Session::cue() accepts and that ends in ? or @
/// `scorer`    a function that returns a score for each statement of a memory
/// Errors  std::invalid_argument if the text is no question; exceptions of `scorer`; WorkStopped
QuestionAnswers answer_question(Session& session, const std::string& question,
                                const AttentionLoop::Scorer& scorer, const AnsweringOptions& options,
                                const ReasoningObserver& observer = {});

}  // namespace engram::core
