// SPDX-License-Identifier: MIT
// Answers to a question from the statements of a memory, each with its proof.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/reasoner/attention_loop.hpp"
#include "bridge/reasoner/reasoner.hpp"
#include "core/session/session.hpp"

namespace engram::bridge {

/// Limits of one call of answer_question().
struct AnsweringOptions {
  std::uint64_t steps = 2000;             // of inference
  std::uint64_t refresh = usual_refresh;  // steps between two calls of the method
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
  std::uint64_t step = 0;                    // of inference, in which it was found; 0 for an input
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

/// A sentence of a reasoner with its proof, in which inputs have their tenses.
/// Cost  O(sentences of the proof squared)
ProvenAnswer proven(const Reasoner& reasoner, SentenceId answer, const InputTenses& tenses = {});

/// Result of answer_question().
struct QuestionAnswers {
  std::vector<ProvenAnswer> answers;        // distinct terms, best first, by the order of Reasoner::answers
  std::vector<ProvenAnswer> near;           // if there is no answer: what shares most names with the question
  std::uint64_t steps = 0;                  // taken
  std::vector<core::StatementId> selected;  // statements of the memory that the reasoner got, best first
};

/// A statement that the reasoner got, with the budget that the method gave it.
struct SelectedStatement {
  std::string narsese;  // without the budget with which it was told
  narsese::BudgetValue budget;
};

/// The selected statements with budgets above 0, at most `most`, best first.
/// `recall`  of the question, as the method gave it first
std::vector<SelectedStatement> selected_with_budgets(core::Session& session, const core::Recall& recall,
                                                     const QuestionAnswers& found, std::size_t most);

/// Calls `observer` for each thing that the reasoner does.
using ReasoningObserver = std::function<void(Reasoner& reasoner, const ReasonerEvent& event)>;

/// Answers a question with Engram's own reasoner. The reasoner gets the judgments of the memory, at most `gate` of them
/// in the order of their scores, each with an urgency that follows from its score. AttentionLoop scores them again
/// during the inference. The session is not changed.
/// `question`  Narsese that Session::cue accepts and that ends in ? or @
/// `scores`    a score for each statement of a memory
/// Errors  std::invalid_argument if the text is no question; what `scores` throws; core::WorkStopped
QuestionAnswers answer_question(core::Session& session, const std::string& question,
                                const AttentionLoop::Attend& scores, const AnsweringOptions& options,
                                const ReasoningObserver& observer = {});

}  // namespace engram::bridge
