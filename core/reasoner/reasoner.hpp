// SPDX-License-Identifier: MIT
// A small exact NAL reasoner. The rule table (core/reasoner/rule_table.hpp) defines its logic, and an inference control
// (core/reasoner/control.hpp) decides the order of its steps.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/numbers/work_budget.hpp"
#include "core/reasoner/control.hpp"
#include "core/reasoner/inference_rules.hpp"
#include "core/reasoner/knowledge.hpp"

namespace engram::core {

/// Limits of a reasoner, and its behaviour when it reaches one.
struct ReasonerOptions {
  std::size_t max_sentences = 1'000'000;         // most sentences: inputs and conclusions
  std::size_t max_bytes = std::size_t{4} << 30;  // for sentences and terms (Reasoner::bytes)
  /// Whether the reasoner forgets half of its sentences when it reaches a limit. Sentences with the lowest retention
  /// (InferenceControl::retention) go first; the last question and its answer stay. Ids and terms that callers hold
  /// then become invalid, and one step may exceed a limit by its conclusions. If false, the reasoner accepts no more
  /// sentences at a limit, and run() ends.
  bool forgets = false;
};

/// The record that an observer of a reasoner receives: one input, conclusion, revision or answer.
struct ReasonerEvent {
  /// The kind of what happened; `derived` is a conclusion by a rule.
  enum class Kind : std::uint8_t { input, derived, revised, answer };
  Kind kind = Kind::derived;
  SentenceId sentence = KnownSentence::none;
  SentenceId question = KnownSentence::none;  // the question that `sentence` answers, for the kind `answer`
};

/// A NAL reasoner with its knowledge. Use input() for statements and questions, then run(), then answer(). A step is
/// the unit of work under every control: it applies all rules to one pair of premises or to one premise, or is one
/// revision. The reasoner is deterministic: the same inputs, control and seed give the same steps. Use it from one
/// thread at a time.
class Reasoner {
 public:
  using Observer = std::function<void(const ReasonerEvent&)>;

  /// `table`    term table for the terms of inputs and of conclusions; it must outlive the reasoner
  /// `control`  policy that selects the steps
  Reasoner(narsese::TermTable& table, std::unique_ptr<InferenceControl> control,
           const ReasonerOptions& options = {});

  /// Sets the observer, which receives all later events.
  void observe(Observer observer) { observer_ = std::move(observer); }

  /// Adds a judgment or goal, or asks a question. The confidence of beliefs is limited to narsese::max_confidence, for
  /// inputs and for revisions. The tense is ignored. A question that was asked before keeps its id, and the observer
  /// gets its answer again.
  /// Returns  the id, or nothing if there is no room or the sentence is redundant (Knowledge::add)
  std::optional<SentenceId> input(const narsese::Sentence& sentence);

  /// Returns the next input number without adding an input. Use it for an input that is stored elsewhere, such as an
  /// event in an Agent.
  InputNumber next_input_number() { return ++inputs_; }

  /// Runs at most `steps` steps, and in addition the revisions that follow from the last one. Ends early if the control
  /// offers no further step, or if the memory is full.
  /// Returns  the number of steps done
  /// Errors   WorkStopped
  std::uint64_t run(std::uint64_t steps);

  std::uint64_t steps() const { return steps_; }
  /// Number of sentences forgotten so far.
  std::uint64_t forgotten() const { return forgotten_; }
  /// Sets ReasonerOptions::max_sentences. It takes effect at the next input or step.
  void set_max_sentences(std::size_t max_sentences) { options_.max_sentences = max_sentences; }
  /// Bytes of the sentences and of the terms in the table.
  std::size_t bytes() const { return knowledge_.bytes() + table_.reserved_bytes(); }
  /// The sentences of the reasoner with their evidence.
  Knowledge& knowledge() { return knowledge_; }
  const Knowledge& knowledge() const { return knowledge_; }
  const InferenceRules& rules() const { return rules_; }

  /// Returns the best answer to a question that was asked, or nothing. For each term, the belief with the highest
  /// confidence counts. A question without ?x has at most this one answer. Answers to a question with ?x compare by
  /// three criteria, in this order:
  ///   * a named answer with an expectation e above 1/2 precedes one with a variable (#1) in the place of ?x.
  ///   * a compound that repeats a name of the question comes last.
  ///   * the largest e / complexity^(1/8) wins.
  /// Source  OpenNARS 3, LocalRules.solutionQuality; the precedence of names is ours
  std::optional<SentenceId> answer(SentenceId question) const;
  /// Returns all answers to a question that was asked, one for each distinct term, ordered by the criteria of answer(),
  /// best first.
  /// Cost  O(sentences)
  std::vector<SentenceId> answers(SentenceId question) const;
  /// Returns the derivation of a sentence: the sentence and all sentences that it was derived from, each once, premises
  /// before conclusions.
  std::vector<SentenceId> derivation(SentenceId sentence) const;
  /// The name of the rule that inferred a sentence, such as "deduction" or "revision"; "told" for an input.
  std::string_view rule_name(SentenceId sentence) const;

 private:
  struct Question {
    SentenceId id;
    std::optional<SentenceId> best;
  };

  SentenceId add(const KnownSentence& sentence, std::span<const InputNumber> evidence,
                 ReasonerEvent::Kind kind);
  bool has_room() const;
  bool make_room(narsese::Term* term = nullptr);
  std::vector<bool> half_to_keep();
  SentenceId ask(const KnownSentence& sentence, SentenceId id);
  void step(const InferenceStep& choice);
  void revise(SentenceId id);
  void index_question(std::size_t number);
  void match_questions(SentenceId belief);
  void match_question(Question& question, SentenceId belief);
  bool improve(Question& question, SentenceId belief);
  void search_best(Question& question);
  void notify(ReasonerEvent::Kind kind, SentenceId sentence, SentenceId question = KnownSentence::none);

  narsese::TermTable& table_;
  ReasonerOptions options_;
  InferenceRules rules_;
  Knowledge knowledge_;
  std::unique_ptr<InferenceControl> control_;
  Observer observer_;
  std::vector<Question> questions_;
  // Indices of questions that a belief may answer, by the whole term of the question or by a side without variables.
  // Never iterated.
  std::unordered_map<narsese::Term, std::vector<std::size_t>, narsese::HashOfTerm> questions_by_part_;
  std::vector<std::size_t> open_questions_;  // indices of questions that any belief may answer
  std::vector<Conclusion> conclusions_;
  InputNumber inputs_ = 0;
  std::uint64_t steps_ = 0, forgotten_ = 0;
};

}  // namespace engram::core
