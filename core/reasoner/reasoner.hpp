// SPDX-License-Identifier: MIT
// A small exact NAL reasoner. The rule table defines its logic, and a policy controls it.
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

/// Limits of a reasoner.
struct ReasonerOptions {
  std::size_t max_sentences = 1'000'000;  // inputs and conclusions
  std::size_t max_bytes = std::size_t{4} << 30;
  /// Behaviour at a limit. If true, the reasoner forgets half of its sentences. Sentences with the lowest
  /// retention go first; the last question and its answer stay. Ids and terms that callers hold become invalid, and one
  /// step may exceed a limit by its conclusions. If false, the reasoner accepts no more sentences, and run() ends.
  bool forgets = false;
};

/// One event that an observer of a reasoner receives.
struct ReasonerEvent {
  /// Kind of event.
  enum class Kind : std::uint8_t { input, derived, revised, answer };
  Kind kind = Kind::derived;
  SentenceId sentence = KnownSentence::none;
  SentenceId question = KnownSentence::none;  // if `sentence` is an answer
};

/// A reasoner with its knowledge. A step applies all rules to one pair of premises or to one premise, or is one
/// revision. Every control uses the same unit. The reasoner is deterministic: the same inputs, control and seed give
/// the same steps. Use it from one thread at a time.
class Reasoner {
 public:
  using Observer = std::function<void(const ReasonerEvent&)>;

  /// `table` must outlive the reasoner. Inputs use its terms, and conclusions add terms to it.
  Reasoner(narsese::TermTable& table, std::unique_ptr<InferenceControl> control,
           const ReasonerOptions& options = {});

  /// Sets the observer of later events.
  void observe(Observer observer) { observer_ = std::move(observer); }

  /// Adds a judgment or goal, or asks a question. No belief, input or revised, gets a confidence above
  /// narsese::max_confidence. A tense is ignored. A question that was asked before keeps its id, and its answer is
  /// reported again.
  /// Returns  the id, or nothing if there is no room
  std::optional<SentenceId> input(const narsese::Sentence& sentence);

  /// Reserves the number of an input that is stored elsewhere.
  InputNumber next_input_number() { return ++inputs_; }

  /// Runs up to `steps` steps, and the revisions that follow from the last one. Ends early if no step is left.
  /// Returns  the number of steps
  /// Errors   WorkStopped
  std::uint64_t run(std::uint64_t steps);

  std::uint64_t steps() const { return steps_; }
  /// Number of sentences that were forgotten.
  std::uint64_t forgotten() const { return forgotten_; }
  /// Changes the limit of sentences.
  void set_max_sentences(std::size_t max_sentences) { options_.max_sentences = max_sentences; }
  /// Memory of the sentences and of the table's terms.
  std::size_t bytes() const { return knowledge_.bytes() + table_.reserved_bytes(); }
  /// The sentences of the reasoner.
  Knowledge& knowledge() { return knowledge_; }
  const Knowledge& knowledge() const { return knowledge_; }
  const InferenceRules& rules() const { return rules_; }

  /// The best answer to a question that was asked. A term is judged by its belief with the highest confidence. Among
  /// the answers to a question with ?x, a named one with expectation e above 1/2 precedes one that puts a variable (#1)
  /// in the place of ?x. Among those, a compound that repeats a name of the question comes last. Then the largest e /
  /// complexity^(1/8) wins.
  /// Source  OpenNARS 3, LocalRules.solutionQuality; the precedence of names is ours
  std::optional<SentenceId> answer(SentenceId question) const;
  /// All answers to a question that was asked, one for each distinct term, best first in the order of answer().
  /// Cost  O(sentences)
  std::vector<SentenceId> answers(SentenceId question) const;
  /// All sentences that a sentence was derived from, and itself, each once, premises before conclusions.
  std::vector<SentenceId> derivation(SentenceId sentence) const;
  /// The rule that inferred a sentence: "deduction", "revision", or "told" for an input.
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
  // Questions that a belief may answer, by the whole term or by a side without variables. Never iterated.
  std::unordered_map<narsese::Term, std::vector<std::size_t>, narsese::HashOfTerm> questions_by_part_;
  std::vector<std::size_t> open_questions_;  // questions that any belief may answer
  std::vector<Conclusion> conclusions_;
  InputNumber inputs_ = 0;
  std::uint64_t steps_ = 0, forgotten_ = 0;
};

}  // namespace engram::core
