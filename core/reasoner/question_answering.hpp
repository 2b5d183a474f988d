// SPDX-License-Identifier: MIT
// Answers to a question from the statements of a memory, each with its proof. A method of attention decides which
// statements the reasoner gets, and scores them again during inference.
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

/// Default number of steps between two refreshes. Chosen from 8 to 512 on generated sets with seeds 901 and 902
/// (experiment flood). With fewer steps, early conclusions hide some proofs of seven statements. With more, all proofs
/// take longer.
inline constexpr std::uint64_t default_refresh = 64;

/// Attention that follows the inference. It reweighs the sentences that a reasoner knows while it works on a question.
/// A copy of the memory that has the reasoner's inputs also stores its strong conclusions (KnownSentence) as episodes,
/// from which it learns links. The method then scores the copy's statements, and with s the score of a sentence divided
/// by the largest score
///   worth <- (worth + s) / 2
/// (WorthControl::reweigh). A sentence that the copy does not have, because it is not strong, gets the s of a statement
/// with score 0. Do not use it with a reasoner that forgets.
class AttentionLoop {
 public:
  /// A method: scores of the statements of a memory for a cue.
  using Scorer = std::function<Vector(Session& memory, const Cue& cue)>;

  /// The loop ignores inputs of the reasoner that `memory` does not have. `cue` is the question, with a term of that
  /// memory's table. The training data of the cue must outlive the loop.
  /// Cost  O(1) copies of a session
  AttentionLoop(const Session& memory, const Cue& cue, Scorer scorer, WorthControl& control);

  /// Must receive every event of the reasoner, from its first input on.
  void observe(const Reasoner& reasoner, const ReasonerEvent& event);
  /// Stores new conclusions and reweighs all sentences. Call it between two steps.
  /// Cost  one call of the method, the input of the new statements, and one WorthControl::reweigh
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

/// Limits of one call of answer_question().
struct AnsweringOptions {
  std::uint64_t steps = 2000;               // of inference
  std::uint64_t refresh = default_refresh;  // steps between two calls of the method
  std::size_t gate =
      std::numeric_limits<std::size_t>::max();  // most statements that the reasoner gets, the best ones
  std::size_t max_answers = 1;
  std::size_t max_near = 0;  // most sentences to return if there is no answer
};

/// One sentence of a proof.
struct ProofLine {
  std::string narsese;                       // without its truth value
  std::optional<narsese::TruthValue> truth;  // of a judgment or goal
  std::string_view rule;                     // its inference rule, "revision", or "told" for an input
  std::uint64_t step = 0;                    // number of the inference step that found it; 0 for an input
  std::vector<std::size_t> premises;         // indexes of earlier lines
};

/// An answer and the proof that the reasoner found for it. The last line of the proof is the answer.
struct ProvenAnswer {
  std::string term;
  narsese::TruthValue truth;
  std::vector<ProofLine> proof;
};

/// Tenses of inputs that are not eternal. The reasoner itself takes all sentences as eternal.
using InputTenses = std::map<SentenceId, narsese::Tense>;

/// A sentence of a reasoner with its proof. Inputs in the proof have the given tenses.
/// Cost  O(sentences of the proof squared)
ProvenAnswer proven_answer(const Reasoner& reasoner, SentenceId answer, const InputTenses& tenses = {});

/// Result of answer_question().
struct QuestionAnswers {
  std::vector<ProvenAnswer> answers;  // distinct terms, best first, in the order of Reasoner::answers
  std::vector<ProvenAnswer> near;  // if there is no answer: sentences that share most names with the question
  std::uint64_t steps = 0;         // inference steps done
  std::vector<StatementId> selected;  // statements of the memory that the reasoner got, best first
};

/// A statement that the reasoner got, with the budget that the method gave it.
struct SelectedStatement {
  std::string narsese;  // without the budget of the input
  narsese::BudgetValue budget;
};

/// The selected statements with budgets above 0, at most `most`, best first.
/// `recall`  the first result of the method for the question
std::vector<SelectedStatement> selected_with_budgets(Session& session, const Recall& recall,
                                                     const QuestionAnswers& found, std::size_t most);

/// Receives each event of the reasoner that answers a question.
using ReasoningObserver = std::function<void(Reasoner& reasoner, const ReasonerEvent& event)>;

/// Answers a question with Engram's own reasoner. The reasoner gets the judgments of the memory, at most `gate` of them
/// in the order of their scores, each with an urgency that follows from its score. AttentionLoop scores them again
/// during the inference. The session is not changed.
/// `question`  Narsese that Session::cue accepts and that ends in ? or @
/// `scorer`    a score for each statement of a memory
/// Errors  std::invalid_argument if the text is no question; exceptions of `scorer`; WorkStopped
QuestionAnswers answer_question(Session& session, const std::string& question,
                                const AttentionLoop::Scorer& scorer, const AnsweringOptions& options,
                                const ReasoningObserver& observer = {});

}  // namespace engram::core
