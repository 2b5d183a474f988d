// SPDX-License-Identifier: MIT
#include "experiments/shell/mind.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "bridge/systems/engram_nars.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "narsese/term.hpp"
#include "narsese/term_queries.hpp"

namespace engram::experiments {

using core::KnownSentence;
using core::ReasonerEvent;
using core::SentenceId;
using narsese::Copula;
using narsese::Sentence;

namespace {

core::MemoryOptions options_with(const core::MemoryLimits& limits) {
  core::MemoryOptions options;
  options.limits = limits;
  return options;
}

}  // namespace

Mind::Mind(const core::MemoryLimits& limits, const core::AgentOptions& acting,
           core::Reasoner::Observer hear_reasoner, core::Agent::Observer hear_agent)
    : session_(options_with(limits)),
      reasoner_(table_,
                [this] {
                  auto made = core::by_worth([this](core::Knowledge&, SentenceId) { return urgency_; });
                  control_ = made.get();
                  return made;
                }(),
                {.max_sentences = most_sentences, .max_bytes = limits.max_bytes, .forgets = true}),
      agent_(acting, [this] { return reasoner_.next_input_number(); }) {
  reasoner_.observe([this, hear = std::move(hear_reasoner)](const ReasonerEvent& event) {
    believe_inferred(event);
    hear(event);
  });
  agent_.observe([this, hear = std::move(hear_agent)](const core::AgentEvent& event) {
    remember(event);
    hear(event);
  });
}

// Passes inferred predictive implications on to the agent, which then acts upon them.
void Mind::believe_inferred(const ReasonerEvent& event) {
  const KnownSentence& known = knowledge()[event.sentence];
  if (event.kind == ReasonerEvent::Kind::answer || !known.is_judgment() ||
      !known.term.is(Copula::predictive_implication) || !known.strong)
    return;
  if (!implications_.insert(narsese::print(known.term)).second || event.kind == ReasonerEvent::Kind::input)
    return;
  Sentence inferred;
  inferred.term = known.term;
  inferred.truth = known.truth;
  agent_.add_implication(inferred, knowledge().evidence(event.sentence)[0]);
}

void Mind::remember(const core::AgentEvent& event) {
  if (event.kind != core::AgentEvent::Kind::input ||
      event.sentence.punctuation != narsese::Punctuation::judgment ||
      narsese::operator_of(event.sentence.term))
    return;
  events_.push_back({narsese::print(event.sentence.term), event.sentence.truth_or_default(),
                     event.sentence.tense.cycles, event.stamp[0]});
  if (events_.size() > most_events) events_.pop_front();
}

void Mind::pass(std::uint64_t cycles, bool agent_too) {
  spans_.push_back({reasoner_.steps(), agent_.now() - (agent_too ? 0 : 1)});
  if (agent_too) agent_.run(cycles);
  if (reasoner_.run(bridge::steps_per_cycle * cycles) == 0) spans_.pop_back();
}

std::optional<std::string> Mind::believe(const std::string& text, const Sentence& sentence) {
  {
    const core::Session::Request request(session_);
    const core::InputReport report = session_.input(text);
    if (!report.rejected.empty()) return report.rejected[0].message;
  }
  urgency_ = sentence.budget ? sentence.budget->priority : 1;
  const auto id = reasoner_.input(sentence);
  urgency_ = 1;
  if (!id) return "the reasoner is full; *reset forgets all sentences";
  if (knowledge()[*id].term.is(Copula::predictive_implication)) {
    Sentence taken = sentence;
    taken.term = knowledge()[*id].term;  // the handle of the reasoner, which may have moved the term
    agent_.add_implication(taken, knowledge().evidence(*id)[0]);
  }
  return std::nullopt;
}

// Inputs the event, and the judgments with the best scores for it, into a new reasoner. Calls `take` with each
// conclusion of this reasoner that depends on the event.
void Mind::infer_from(const Event& event, const core::AttentionLoop::Scorer& scores,
                      const Consequence& take) {
  constexpr std::size_t most_judgments = 100;  // chosen by hand, as the next two values
  constexpr std::uint64_t steps = 200;
  constexpr double worth_of_judgments = 0.1;
  const core::Session::Request request(session_);
  const auto cue = session_.cue(event.term);
  if (!cue || cue->names().empty()) return;
  const core::Vector score = scores(session_, *cue);
  const auto& statements = session_.memory().statements();
  std::vector<core::StatementId> chosen;
  for (core::StatementId id = 0; id < statements.size(); ++id)
    if (!statements[id].sentence.term.is(Copula::predictive_implication)) chosen.push_back(id);
  std::ranges::stable_sort(chosen, std::greater<>(), [&](core::StatementId id) { return score[id]; });
  if (chosen.size() > most_judgments) chosen.resize(most_judgments);
  if (chosen.empty()) return;

  narsese::TermTable table;
  narsese::TermCopies copies(table);
  double worth = 1;
  core::Reasoner moment(table, core::by_worth([&](core::Knowledge&, SentenceId) { return worth; }));
  Sentence told;
  told.term = *narsese::parse_term(event.term, table);
  told.truth = event.truth;
  const SentenceId first = *moment.input(told);
  worth = worth_of_judgments;
  for (const core::StatementId id : chosen) {
    told = statements[id].sentence;
    told.term = copies(told.term);
    moment.input(told);
  }
  moment.run(steps);
  for (SentenceId id = first + 1; id < moment.knowledge().size(); ++id) {
    const KnownSentence& known = moment.knowledge()[id];
    if (known.is_judgment() && moment.knowledge().evidence(id)[0] == 1 && !known.term.has_variables() &&
        moment.knowledge().first_belief(known.term) == id)
      take(table, known);
  }
}

void Mind::follow(const Sentence& event, const core::AttentionLoop::Scorer& scores) {
  infer_from({narsese::print(event.term), event.truth_or_default()}, scores,
             [&](narsese::TermTable&, const KnownSentence& known) {
               Sentence follows;
               follows.term = known.term;
               follows.truth = known.truth;
               if (agent_.needs(known.term)) agent_.add_consequence(follows);
             });
}

bool Mind::answer_by_event(const std::string& question, const core::AttentionLoop::Scorer& scores,
                           const std::function<void(const Sentence&, core::InputNumber)>& answer) {
  for (auto event = events_.rbegin(); event != events_.rend(); ++event) {
    double most = 0;
    std::string best_term;
    narsese::TruthValue best_truth;
    bool found = false;
    infer_from(*event, scores, [&](narsese::TermTable& table, const KnownSentence& known) {
      const auto asked = narsese::parse_sentence(question, table);
      const double expected = narsese::expectation(known.truth);
      if (!asked || !core::matches_question(table, asked->term, known.term) || (found && expected <= most))
        return;
      found = true;
      most = expected;
      best_term = narsese::print(known.term);
      best_truth = known.truth;
    });
    if (!found) continue;
    narsese::TermTable table;
    Sentence best;
    best.term = *narsese::parse_term(best_term, table);
    best.truth = best_truth;
    best.tense = {narsese::Tense::Kind::at, event->time};
    answer(best, event->number);
    return true;
  }
  return false;
}

std::vector<ShellAnswer> Mind::answers(const std::string& question, const core::AttentionLoop::Scorer& scores,
                                       const core::AnsweringOptions& options) {
  const core::Session::Request request(session_);
  std::vector<ShellAnswer> found;
  if (const auto parsed = narsese::parse_sentence(question, table_))
    if (const auto asked = reasoner_.input(*parsed))
      for (const SentenceId id : reasoner_.answers(*asked)) {
        const auto stamp = knowledge().evidence(id);
        found.push_back({core::proven_answer(reasoner_, id), created(id), {stamp.begin(), stamp.end()}});
        if (found.size() == options.max_answers) break;
      }
  if (options.steps == 0) return found;
  for (core::ProvenAnswer& thought : core::answer_question(session_, question, scores, options).answers) {
    const auto known =
        std::ranges::find(found, thought.term, [](const ShellAnswer& one) { return one.proof.term; });
    if (known != found.end() && known->proof.truth.confidence >= thought.truth.confidence) continue;
    ShellAnswer answer{std::move(thought), agent_.now(), {}};
    for (const core::ProofLine& line : answer.proof.proof)
      if (const auto input = numbers_.find(line.narsese); line.rule == "told" && input != numbers_.end())
        answer.stamp.push_back(input->second);
    std::ranges::sort(answer.stamp);
    if (known != found.end())
      *known = std::move(answer);
    else
      found.push_back(std::move(answer));
  }
  std::ranges::stable_sort(found, std::greater<>(),
                           [](const ShellAnswer& one) { return narsese::expectation(one.proof.truth); });
  return found;
}

void Mind::number(const std::string& narsese, core::InputNumber input) {
  numbers_[narsese] = input;
  cycles_[input] = agent_.now();
}

std::int64_t Mind::created(SentenceId id) const {
  const KnownSentence& known = knowledge()[id];
  if (known.rule == KnownSentence::input)
    if (const auto found = cycles_.find(knowledge().evidence(id)[0]); found != cycles_.end())
      return found->second;
  const auto later = std::ranges::lower_bound(spans_, known.step, {}, &Span::step);
  if (later == spans_.begin()) return agent_.now();
  const Span& span = *(later - 1);
  return span.cycle + static_cast<std::int64_t>((known.step - 1 - span.step) / bridge::steps_per_cycle);
}

}  // namespace engram::experiments
