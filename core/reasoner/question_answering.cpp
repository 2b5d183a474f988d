// SPDX-License-Identifier: MIT
#include "core/reasoner/question_answering.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "core/budgets/budget_allocator.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "narsese/term.hpp"

namespace engram::core {

AttentionLoop::AttentionLoop(const Session& memory, const Cue& cue, Scorer scorer, WorthControl& control)
    : memory_(memory),
      cue_(cue),
      scorer_(std::move(scorer)),
      control_(control),
      initial_bytes_(memory_.bytes()) {}

void AttentionLoop::observe(const Reasoner& reasoner, const ReasonerEvent& event) {
  using Kind = ReasonerEvent::Kind;
  const KnownSentence& known = reasoner.knowledge()[event.sentence];
  const bool is_new = event.kind != Kind::answer && known.is_judgment();
  if (is_new && (event.kind == Kind::input || known.strong)) new_.push_back(event.sentence);
}

void AttentionLoop::refresh(Reasoner& reasoner) {
  growth_.reset();
  {
    WorkBudget work({});
    work.release_all_at_end();  // except growth_: the indexes of a changed memory are rebuilt anyway
    reweigh(reasoner);
  }
  growth_.emplace(memory_.bytes() - std::min(memory_.bytes(), initial_bytes_));
}

void AttentionLoop::reweigh(Reasoner& reasoner) {
  store_new_sentences(reasoner.knowledge());
  Cue cue = cue_for(memory_.memory(), cue_.term);  // concepts of the question may be new
  cue.solved = cue_.solved;
  const Vector scores = scorer_(memory_, cue);
  double most = 0;
  for (const auto& [sentence, statement] : stored_) most = std::max(most, scores[statement]);
  if (most <= 0) return;
  std::vector<double> shares(reasoner.knowledge().size(), unscored_urgency);
  for (const auto& [sentence, statement] : stored_)
    shares[sentence] = urgency_of_score(scores[statement], most);
  control_.reweigh([&](SentenceId id, double before) { return (before + shares[id]) / 2; });
}

// Stores new conclusions in the memory. Inputs are only looked up, because the memory has them already.
void AttentionLoop::store_new_sentences(const Knowledge& knowledge) {
  narsese::TermCopies copies(memory_.mutable_memory().terms());
  for (const SentenceId id : std::exchange(new_, {})) {
    const KnownSentence& known = knowledge[id];
    narsese::Sentence sentence;
    sentence.term = copies(known.term);
    sentence.punctuation = known.punctuation;
    sentence.truth = known.truth;
    std::optional<StatementId> statement;
    if (known.rule == KnownSentence::input) {
      statement = memory_.memory().find(sentence);
    } else if (const auto accepted = memory_.accept(sentence)) {
      statement = *accepted;
    }
    if (statement) stored_.emplace_back(id, *statement);
  }
}

namespace {

constexpr std::uint64_t printing_work = 5000;  // of one sentence, in multiplications

std::string printed(const KnownSentence& known, narsese::Tense tense) {
  narsese::Sentence sentence;
  sentence.term = known.term;
  sentence.punctuation = known.punctuation;
  sentence.tense = tense;
  return narsese::print(sentence);
}

// The beliefs that share most names with the question, at least one. The highest confidence breaks ties.
std::vector<SentenceId> nearest(Reasoner& reasoner, SentenceId question, std::size_t most) {
  Knowledge& knowledge = reasoner.knowledge();
  const auto names = knowledge.names(question);
  const std::set<NameId> asked(names.begin(), names.end());
  std::vector<std::pair<std::size_t, SentenceId>> found;
  for (SentenceId id = 0; id < knowledge.size(); ++id) {
    charge(Knowledge::max_names);
    if (!knowledge[id].is_judgment() || knowledge.first_belief(knowledge[id].term) != id) continue;
    const auto shared = static_cast<std::size_t>(
        std::ranges::count_if(knowledge.names(id), [&](NameId name) { return asked.contains(name); }));
    if (shared > 0) found.emplace_back(shared, id);
  }
  std::ranges::stable_sort(found, [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first
                              : knowledge[a.second].truth.confidence > knowledge[b.second].truth.confidence;
  });
  std::vector<SentenceId> best;
  for (const auto& [shared, id] : found)
    if (best.size() < most) best.push_back(id);
  return best;
}

// The judgments of the memory with the largest scores, best first.
std::vector<StatementId> selected(const Memory& memory, const Vector& scores, std::size_t most) {
  std::vector<StatementId> ids;
  for (StatementId id = 0; id < memory.statements().size(); ++id)
    if (memory.statements()[id].sentence.punctuation == narsese::Punctuation::judgment) ids.push_back(id);
  std::ranges::stable_sort(ids, [&](StatementId a, StatementId b) { return scores[a] > scores[b]; });
  if (ids.size() > most) ids.resize(most);
  return ids;
}

}  // namespace

ProvenAnswer proven_answer(const Reasoner& reasoner, SentenceId answer, const InputTenses& tenses) {
  const KnownSentence& belief = reasoner.knowledge()[answer];
  ProvenAnswer result{narsese::print(belief.term), belief.truth, {}};
  const std::vector<SentenceId> all = reasoner.derivation(answer);
  for (const SentenceId id : all) {
    const KnownSentence& known = reasoner.knowledge()[id];
    const auto tense = tenses.find(id);
    ProofLine line{printed(known, tense == tenses.end() ? narsese::Tense() : tense->second),
                   {},
                   reasoner.rule_name(id),
                   known.step,
                   {}};
    if (!known.asks()) line.truth = known.truth;
    charge(printing_work + all.size());
    for (const SentenceId premise : known.premises)
      if (premise != KnownSentence::none)
        line.premises.push_back(static_cast<std::size_t>(std::ranges::find(all, premise) - all.begin()));
    result.proof.push_back(std::move(line));
  }
  return result;
}

std::vector<SelectedStatement> selected_with_budgets(Session& session, const Recall& recall,
                                                     const QuestionAnswers& found, std::size_t most) {
  const Memory& memory = session.memory();
  const std::set<StatementId> selected(found.selected.begin(), found.selected.end());
  std::vector<SelectedStatement> all;
  for (const Allocation& one :
       allocate_statements(memory, session.index(), recall, memory.statements().size())) {
    if (all.size() == most || one.budget.priority <= 0) break;
    if (!selected.contains(one.id)) continue;
    narsese::Sentence sentence = memory.statements()[one.id].sentence;
    sentence.budget.reset();
    all.push_back({narsese::print(sentence), one.budget});
  }
  return all;
}

QuestionAnswers answer_question(Session& session, const std::string& question,
                                const AttentionLoop::Scorer& scores, const AnsweringOptions& options,
                                const ReasoningObserver& observer) {
  const auto cue = session.cue(question);
  if (!cue) throw std::invalid_argument(cue.error().message());
  QuestionAnswers result;
  const Vector first_scores = scores(session, *cue);
  result.selected = selected(session.memory(), first_scores, options.gate);
  const double best_score = result.selected.empty() ? 0 : first_scores[result.selected[0]];

  narsese::TermTable table;
  narsese::TermCopies copies(table);
  double urgency = 1;
  auto control = by_worth([&](Knowledge&, SentenceId) { return urgency; });
  AttentionLoop loop(session, *cue, scores, *control);
  Reasoner reasoner(table, std::move(control));
  reasoner.observe([&](const ReasonerEvent& event) {
    loop.observe(reasoner, event);
    if (observer) observer(reasoner, event);
  });
  InputTenses tenses;
  for (const StatementId id : result.selected) {
    narsese::Sentence sentence = session.memory().statements()[id].sentence;
    sentence.term = copies(sentence.term);
    urgency = best_score > 0 ? urgency_of_score(first_scores[id], best_score) : 1;
    const auto input = reasoner.input(sentence);
    if (input && sentence.tense != narsese::Tense()) tenses.emplace(*input, sentence.tense);
  }
  urgency = 1;
  const auto parsed = narsese::parse_sentence(question, table);
  if (!parsed) throw std::invalid_argument(parsed.error().message());
  if (!parsed->asks()) throw std::invalid_argument("a question ends in ?");
  const auto asked = reasoner.input(*parsed);

  std::uint64_t claimed = 0;
  for (std::uint64_t left = options.steps; left > 0;) {
    if (left < options.steps) loop.refresh(reasoner);
    if (const std::uint64_t taken = reasoner.bytes(); taken > claimed) {
      Reservation(taken - claimed).keep();
      claimed = taken;
    }
    const std::uint64_t ran = reasoner.run(std::min(options.refresh, left));
    if (ran == 0) break;
    left -= std::min(ran, left);
  }
  result.steps = reasoner.steps();
  if (!asked) return result;
  std::vector<SentenceId> answers;
  if (options.max_answers > 1) {
    answers = reasoner.answers(*asked);
    if (answers.size() > options.max_answers) answers.resize(options.max_answers);
  } else if (const auto best = reasoner.answer(*asked)) {
    answers.push_back(*best);
  }
  for (const SentenceId answer : answers) result.answers.push_back(proven_answer(reasoner, answer, tenses));
  if (answers.empty() && options.max_near > 0)
    for (const SentenceId near : nearest(reasoner, *asked, options.max_near))
      result.near.push_back(proven_answer(reasoner, near, tenses));
  return result;
}

}  // namespace engram::core
