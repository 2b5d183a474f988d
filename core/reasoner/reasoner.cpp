// SPDX-License-Identifier: MIT
#include "core/reasoner/reasoner.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <utility>

#include "core/reasoner/unifier.hpp"
#include "narsese/term_queries.hpp"

namespace engram::core {

using narsese::Punctuation;
using narsese::Term;
using narsese::TermKind;
using narsese::TruthValue;
using narsese::VariableKind;

namespace {

// Work of applying all rules to a pair, in multiplications: about a microsecond.
constexpr std::uint64_t step_work = 2000;

// Work of comparing a belief with a question, in multiplications.
constexpr std::uint64_t matching_work = 20;

// The number of dependent variables (#x) in a term in canonical form.
std::int64_t dependent_variables(Term term) {
  if (!term.has_variables()) return 0;
  if (term.kind() == TermKind::variable)
    return term.variable_kind() == VariableKind::dependent ? term.number() : 0;
  std::int64_t most = 0;
  for (const Term part : term.components()) most = std::max(most, dependent_variables(part));
  return most;
}

// How often a name occurs in a term.
std::size_t occurrences(Term name, Term term) {
  if (term.components().empty()) return name == term ? 1 : 0;
  std::size_t count = 0;
  for (const Term component : term.components()) count += occurrences(name, component);
  return count;
}

// Whether the replacement of a query variable is a compound that contains a name of the question again.
bool repeats_question(Term question, Term answer) {
  if (answer.complexity() <= question.complexity()) return false;
  const auto more_often = [&](auto&& self, Term part) -> bool {
    if (part.kind() == TermKind::variable) return false;
    if (part.components().empty()) return occurrences(part, answer) > occurrences(part, question);
    return std::ranges::any_of(part.components(), [&](Term component) { return self(self, component); });
  };
  return more_often(more_often, question);
}

// Quality of an answer. Larger is better.
struct AnswerQuality {
  bool names = false;   // its expectation is above 1/2, and it has a name for each query variable
  bool is_news = true;  // it does not repeat a name of the question
  double value = 0;

  friend auto operator<=>(const AnswerQuality&, const AnswerQuality&) = default;
};

AnswerQuality quality_of(Term question, const KnownSentence& answer) {
  if (!narsese::has_variable(question, VariableKind::query)) return {.value = answer.truth.confidence};
  const double expectation = narsese::expectation(answer.truth);
  const bool names = dependent_variables(answer.term) <= dependent_variables(question);
  return {names && expectation > 0.5, !repeats_question(question, answer.term),
          expectation / std::sqrt(std::sqrt(std::sqrt(static_cast<double>(answer.term.complexity()))))};
}

}  // namespace

Reasoner::Reasoner(narsese::TermTable& table, std::unique_ptr<InferenceControl> control,
                   const ReasonerOptions& options)
    : table_(table),
      options_(options),
      rules_(table, TermLimits{}),
      knowledge_(table),
      control_(std::move(control)) {}

void Reasoner::notify(ReasonerEvent::Kind kind, SentenceId sentence, SentenceId question) {
  if (observer_) observer_({kind, sentence, question});
}

bool Reasoner::has_room() const {
  return knowledge_.size() < options_.max_sentences && bytes() < options_.max_bytes;
}

// Forgets if that is allowed and needed. The table keeps `term`. Returns whether there is room.
bool Reasoner::make_room(Term* term) {
  if (has_room()) return true;
  if (!options_.forgets) return false;
  while (!has_room()) {
    const std::size_t before = knowledge_.size();
    if (before == 0) return false;
    const ForgottenIds forgotten = knowledge_.keep_only(half_to_keep(), term);
    control_->forget(forgotten);
    const IdRemap& renumber = forgotten.sentences;
    std::erase_if(questions_, [&](const Question& question) { return !renumber.keeps(question.id); });
    questions_by_part_.clear();
    open_questions_.clear();
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      Question& question = questions_[i];
      question.id = renumber(question.id);
      if (question.best && !renumber.keeps(*question.best)) question.best.reset();
      if (question.best) question.best = renumber(*question.best);
      index_question(i);
    }
    forgotten_ += before - knowledge_.size();
  }
  return true;
}

// Keeps the last questions with their answers, then the sentences with the largest retention, the newest among equals.
std::vector<bool> Reasoner::half_to_keep() {
  const std::size_t half = knowledge_.size() / 2;
  std::vector<bool> kept(knowledge_.size());
  std::size_t left = half;
  const auto keep = [&](SentenceId id) {
    if (left == 0 || kept[id]) return;
    kept[id] = true;
    --left;
  };
  for (std::size_t i = questions_.size(); i-- > 0 && left > half / 2;) {
    keep(questions_[i].id);
    if (questions_[i].best) keep(*questions_[i].best);
  }
  std::vector<std::pair<Retention, SentenceId>> others;
  for (SentenceId id = 0; id < kept.size(); ++id)
    if (!kept[id]) others.emplace_back(control_->retention(knowledge_, id), id);
  const auto last = others.begin() + static_cast<std::ptrdiff_t>(std::min(left, others.size()));
  std::ranges::nth_element(others, last, std::greater<>());
  std::for_each(others.begin(), last, [&](const auto& other) { kept[other.second] = true; });
  return kept;
}

std::optional<SentenceId> Reasoner::input(const narsese::Sentence& sentence) {
  KnownSentence known;
  known.term = sentence.term;
  if (!make_room(&known.term)) return std::nullopt;
  known.punctuation = sentence.punctuation;
  known.truth = narsese::bounded(sentence.truth_or_default());
  known.step = steps_;
  std::vector<InputNumber> evidence;
  if (!sentence.asks()) evidence.push_back(++inputs_);
  const SentenceId id = add(known, evidence, ReasonerEvent::Kind::input);
  if (sentence.asks()) return ask(known, id);
  if (id == KnownSentence::none) return std::nullopt;
  return id;
}

// A question that was asked before, or that the reasoner derived itself, is answered again.
SentenceId Reasoner::ask(const KnownSentence& sentence, SentenceId id) {
  if (id == KnownSentence::none) id = *knowledge_.find_question(sentence.term, sentence.punctuation);
  auto question = std::ranges::find(questions_, id, &Question::id);
  if (question == questions_.end()) {
    questions_.push_back({id, std::nullopt});
    index_question(questions_.size() - 1);
    question = questions_.end() - 1;
    if (narsese::has_variable(sentence.term, VariableKind::query)) {
      for (SentenceId belief = 0; belief < knowledge_.size(); ++belief)
        if (knowledge_[belief].is_judgment() &&
            matches_question(table_, sentence.term, knowledge_[belief].term))
          improve(*question, belief);
    } else if (const SentenceId belief = knowledge_.first_belief(sentence.term);
               belief != KnownSentence::none) {
      improve(*question, belief);
    }
  }
  if (question->best) notify(ReasonerEvent::Kind::answer, *question->best, id);
  return id;
}

SentenceId Reasoner::add(const KnownSentence& sentence, std::span<const InputNumber> evidence,
                         ReasonerEvent::Kind kind) {
  if (!options_.forgets && !has_room()) return KnownSentence::none;
  charge(step_work);
  const SentenceId id = knowledge_.add(sentence, evidence);
  if (id == KnownSentence::none) return id;
  control_->add(knowledge_, id);  // before notify(), because observers may ask for the worth of the sentence
  notify(kind, id);
  if (sentence.is_judgment()) {
    match_questions(id);
    revise(id);
  }
  return id;
}

// Revises a belief with the belief of highest confidence that shares no evidence with it.
void Reasoner::revise(SentenceId id) {
  for (SentenceId other = knowledge_.first_belief(knowledge_[id].term); other != KnownSentence::none;
       other = knowledge_.next_belief(other)) {
    if (other == id || knowledge_.share_evidence(id, other)) continue;
    const auto evidence = knowledge_.joint_evidence(id, other);
    if (!evidence) continue;
    ++steps_;
    KnownSentence revised;
    revised.term = knowledge_[id].term;
    revised.truth = narsese::bounded(narsese::revise(knowledge_[id].truth, knowledge_[other].truth));
    revised.rule = KnownSentence::revision;
    revised.premises = {id, other};
    revised.step = steps_;
    add(revised, *evidence, ReasonerEvent::Kind::revised);
    return;
  }
}

std::uint64_t Reasoner::run(std::uint64_t steps) {
  const std::uint64_t until = steps_ + steps, before = steps_;
  while (steps_ < until && make_room()) {
    charge(step_work);
    const auto choice = control_->choose(knowledge_);
    if (!choice) break;
    step(*choice);
  }
  return steps_ - before;
}

void Reasoner::step(const InferenceStep& choice) {
  ++steps_;
  conclusions_.clear();
  std::vector<InputNumber> evidence;
  if (choice.is_single()) {
    const Premise task = knowledge_.premise(choice.task);
    rules_.apply(task, conclusions_);
    const auto own = knowledge_.evidence(choice.task);
    evidence.assign(own.begin(), own.end());
  } else {
    auto joint = knowledge_.joint_evidence(choice.task, choice.belief);
    if (!joint) return;
    evidence = std::move(*joint);
    // The union of the evidence is smaller than the sum if the premises share an input.
    const bool overlap =
        evidence.size() < knowledge_.evidence(choice.task).size() + knowledge_.evidence(choice.belief).size();
    const Premise task = knowledge_.premise(choice.task), belief = knowledge_.premise(choice.belief);
    rules_.apply(task, belief, overlap, conclusions_);
  }
  KnownSentence derived;
  derived.premises = {choice.task, choice.belief};
  derived.step = steps_;
  for (const Conclusion& conclusion : conclusions_) {
    derived.term = conclusion.term;
    derived.punctuation = conclusion.punctuation;
    derived.truth = conclusion.truth;
    derived.rule = conclusion.rule;
    derived.strong = conclusion.strong;
    const bool asks = conclusion.punctuation == Punctuation::question;
    const auto rests_on = asks ? std::span<const InputNumber>() : std::span<const InputNumber>(evidence);
    add(derived, rests_on, ReasonerEvent::Kind::derived);
  }
}

bool Reasoner::improve(Question& question, SentenceId belief) {
  const Term asked = knowledge_[question.id].term, term = knowledge_[belief].term;
  if (knowledge_.first_belief(term) != belief) return false;
  const auto before = std::exchange(question.best, belief);
  if (!before) return true;
  const AnswerQuality old = quality_of(asked, knowledge_[*before]),
                      now = quality_of(asked, knowledge_[belief]);
  if (knowledge_[*before].term == term) {  // the same answer, with more evidence
    if (now < old) search_best(question);
    return *question.best != *before;
  }
  if (old < now) return true;
  question.best = before;
  return false;
}

// Searches all beliefs, because the quality of the best answer decreased.
void Reasoner::search_best(Question& question) {
  const Term asked = knowledge_[question.id].term;
  const std::vector<SentenceId> all = answers(question.id);
  if (quality_of(asked, knowledge_[*question.best]) < quality_of(asked, knowledge_[all[0]]))
    question.best = all[0];
}

void Reasoner::index_question(std::size_t number) {
  const Term term = knowledge_[questions_[number].id].term;
  if (!narsese::has_variable(term, VariableKind::query)) {
    questions_by_part_[term].push_back(number);
    return;
  }
  if (term.kind() == TermKind::statement)
    for (const Term side : term.components())
      if (!side.has_variables()) {
        questions_by_part_[side].push_back(number);
        return;
      }
  open_questions_.push_back(number);
}

void Reasoner::match_questions(SentenceId belief) {
  const auto match_part = [&](Term part) {
    const auto known = questions_by_part_.find(part);
    if (known == questions_by_part_.end()) return;
    for (const std::size_t number : known->second) match_question(questions_[number], belief);
  };
  const Term term = knowledge_[belief].term;
  if (!questions_by_part_.empty()) {
    match_part(term);
    if (term.kind() == TermKind::statement)
      for (const Term side : term.components()) match_part(side);
  }
  for (const std::size_t number : open_questions_) match_question(questions_[number], belief);
}

void Reasoner::match_question(Question& question, SentenceId belief) {
  if (matches_question(table_, knowledge_[question.id].term, knowledge_[belief].term) &&
      improve(question, belief))
    notify(ReasonerEvent::Kind::answer, *question.best, question.id);
}

std::optional<SentenceId> Reasoner::answer(SentenceId id) const {
  const auto known = std::ranges::find(questions_, id, &Question::id);
  return known == questions_.end() ? std::nullopt : known->best;
}

std::vector<SentenceId> Reasoner::answers(SentenceId question) const {
  const Term asked = knowledge_[question].term;
  charge(matching_work * knowledge_.size());
  std::vector<std::pair<AnswerQuality, SentenceId>> found;
  for (SentenceId belief = 0; belief < knowledge_.size(); ++belief) {
    const KnownSentence& known = knowledge_[belief];
    if (known.is_judgment() && matches_question(table_, asked, known.term) &&
        knowledge_.first_belief(known.term) == belief)
      found.emplace_back(quality_of(asked, known), belief);
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return b.first < a.first; });
  std::vector<SentenceId> best;
  for (const auto& [quality, belief] : found) best.push_back(belief);
  return best;
}

std::vector<SentenceId> Reasoner::derivation(SentenceId sentence) const {
  std::vector<SentenceId> all{sentence};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const SentenceId premise : knowledge_[all[i]].premises)
      if (premise != KnownSentence::none && std::ranges::find(all, premise) == all.end())
        all.push_back(premise);
  // Premises have smaller ids than their conclusions.
  std::ranges::sort(all);
  return all;
}

std::string_view Reasoner::rule_name(SentenceId sentence) const {
  const std::uint16_t rule = knowledge_[sentence].rule;
  return rule == KnownSentence::input      ? "told"
         : rule == KnownSentence::revision ? "revision"
                                           : rules_.name(rule);
}

}  // namespace engram::core
