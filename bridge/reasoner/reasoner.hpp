// SPDX-License-Identifier: MIT
// A small exact NAL reasoner: its logic is that of the rule table, its control is a policy.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "bridge/reasoner/control.hpp"
#include "bridge/reasoner/inference_rules.hpp"
#include "bridge/reasoner/knowledge.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::bridge {

/// What a reasoner holds at most, and how it infers.
struct ReasonerOptions {
  int level = 7;  // of NAL: rules past it are left out
  TermLimits terms = {};
  std::size_t max_sentences = 1'000'000;  // told and inferred
  std::size_t max_bytes = std::size_t{4} << 30;
  /// What comes of a limit. Either half of all that it has is forgotten, what the control would keep least first, but
  /// never what was asked last and its answers: then ids and terms that others hold are void. What is at hand may pass a
  /// limit by a step's conclusions. Or nothing new is taken, and run() ends.
  bool forgets = false;
};

/// What a reasoner tells of what it does.
struct ReasonerEvent {
  /// What happened.
  enum class Kind : std::uint8_t { input, derived, revised, answer };
  Kind kind = Kind::derived;
  SentenceId sentence = KnownSentence::none;
  SentenceId question = KnownSentence::none;  // of an answer
};

/// One memory and its thoughts. A step is one pair of premises, or one premise, put to all rules, or one revision: what
/// all controls are counted by. Deterministic: the same inputs, control and seed give the same steps.
/// One thread at a time.
class Reasoner {
 public:
  using Observer = std::function<void(const ReasonerEvent&)>;

  /// Terms come from `table` and go to it, for as long as the reasoner lives.
  Reasoner(narsese::TermTable& table, std::unique_ptr<Control> control, const ReasonerOptions& options = {});

  /// Is told of all that happens from now on.
  void observe(Observer observer) { observer_ = std::move(observer); }

  /// Adds a judgment or goal, or asks a question. No belief, input or revised, gets a confidence above
  /// narsese::max_confidence. A tense is ignored.
  /// Returns  its id, of a question that was asked before the same, and it is answered again; nothing where there is no
  ///          room
  std::optional<SentenceId> input(const narsese::Sentence& sentence);

  /// The number of an input that is kept elsewhere.
  InputNumber number_input() { return ++inputs_; }

  /// Up to so many steps, and the revisions that follow from the last; fewer where nothing is left to think of. May be
  /// stopped (core::WorkStopped).
  /// Returns  how many
  std::uint64_t run(std::uint64_t steps);

  std::uint64_t steps() const { return steps_; }
  /// Sentences that were forgotten so far.
  std::uint64_t forgotten() const { return forgotten_; }
  /// From now on it holds so many sentences at most.
  void limit(std::size_t max_sentences) { options_.max_sentences = max_sentences; }
  /// Of the sentences and of the table's terms.
  std::size_t bytes() const { return knowledge_.bytes() + table_.reserved_bytes(); }
  /// What it knows.
  Knowledge& knowledge() { return knowledge_; }
  const Knowledge& knowledge() const { return knowledge_; }
  const InferenceRules& rules() const { return rules_; }

  /// The best answer to a question that was asked. A term is judged by its most confident belief. Among the answers to a
  /// question with ?x, a named one with expectation e above 1/2 precedes one that puts a variable (#1) in the place of
  /// ?x. Of equals, the largest e / complexity^(1/8) wins.
  /// Source  OpenNARS 3, LocalRules.solutionQuality; the precedence of names is ours
  std::optional<SentenceId> answer(SentenceId question) const;
  /// All answers to a question that was asked, one for each distinct term, best first in the order of answer().
  /// Cost  O(sentences)
  std::vector<SentenceId> answers(SentenceId question) const;
  /// All that an answer rests on, premises before conclusions, each once.
  std::vector<SentenceId> derivation(SentenceId sentence) const;
  /// "deduction", "revision", "told".
  std::string_view rule_name(SentenceId sentence) const;

 private:
  struct Question {
    SentenceId id;
    std::optional<SentenceId> best;
  };

  SentenceId add(const KnownSentence& sentence, std::span<const InputNumber> evidence,
                 ReasonerEvent::Kind kind, Outcome& outcome);
  bool has_room() const;
  bool make_room(narsese::Term* term = nullptr);
  std::vector<bool> half_to_keep();
  SentenceId ask(const KnownSentence& sentence, SentenceId id);
  void step(const Choice& choice);
  void revise(SentenceId id, Outcome& outcome);
  void index_question(std::size_t number);
  void match_question(Question& question, SentenceId belief, Outcome& outcome);
  bool improve(Question& question, SentenceId belief);
  void search_best(Question& question);
  void match_questions(SentenceId belief, Outcome& outcome);
  void tell(ReasonerEvent::Kind kind, SentenceId sentence, SentenceId question = KnownSentence::none);

  narsese::TermTable& table_;
  ReasonerOptions options_;
  InferenceRules rules_;
  Knowledge knowledge_;
  std::unique_ptr<Control> control_;
  Observer observer_;
  std::vector<Question> questions_;
  // Which of them a belief may answer: by the whole term, by a side without variables, or any. Looked up, never walked.
  std::unordered_map<narsese::Term, std::vector<std::size_t>, narsese::HashOfTerm> questions_by_part_;
  std::vector<std::size_t> open_questions_;
  std::vector<Conclusion> conclusions_;
  InputNumber inputs_ = 0;
  std::uint64_t steps_ = 0, forgotten_ = 0;
};

}  // namespace engram::bridge
