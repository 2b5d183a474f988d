// SPDX-License-Identifier: MIT
#include "experiments/shell/mind.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "bridge/systems/embedded_nars.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "narsese/term_copies.hpp"
#include "narsese/term_queries.hpp"

namespace engram::experiments {

using bridge::KnownSentence;
using bridge::ReasonerEvent;
using bridge::SentenceId;
using narsese::Copula;
using narsese::Sentence;

namespace {

core::MemoryOptions options_with(const core::MemoryLimits& limits) {
  core::MemoryOptions options;
  options.limits = limits;
  return options;
}

}  // namespace

Mind::Mind(const core::MemoryLimits& limits, const bridge::AgentOptions& acting,
           bridge::Reasoner::Observer hear_reasoner, bridge::Agent::Observer hear_agent)
    : session_(options_with(limits)),
      reasoner_(table_,
                [this] {
                  auto made = bridge::by_worth([this](bridge::Knowledge&, SentenceId) { return urgency_; });
                  control_ = made.get();
                  return made;
                }(),
                {.max_sentences = most_sentences, .max_bytes = limits.max_bytes, .forgets = true}),
      agent_(acting, [this] { return reasoner_.number_input(); }) {
  reasoner_.observe([this, hear = std::move(hear_reasoner)](const ReasonerEvent& event) {
    if (loop_) loop_->hear(reasoner_, event);
    believe_inferred(event);
    hear(event);
  });
  agent_.observe([this, hear = std::move(hear_agent)](const bridge::AgentEvent& event) {
    remember(event);
    hear(event);
  });
}

// A predictive implication that was inferred is acted upon, too.
void Mind::believe_inferred(const ReasonerEvent& event) {
  const KnownSentence& known = knowledge()[event.sentence];
  if (event.kind == ReasonerEvent::Kind::answer || !known.judges() ||
      !known.term.is(Copula::predictive_implication) || !known.strong)
    return;
  if (!implications_.insert(narsese::print(known.term)).second || event.kind == ReasonerEvent::Kind::input)
    return;
  Sentence inferred;
  inferred.term = known.term;
  inferred.truth = known.truth;
  agent_.believe(inferred, knowledge().evidence(event.sentence)[0]);
}

void Mind::remember(const bridge::AgentEvent& event) {
  if (event.kind != bridge::AgentEvent::Kind::input ||
      event.sentence.punctuation != narsese::Punctuation::judgment ||
      narsese::operator_of(event.sentence.term))
    return;
  events_.push_back({narsese::print(event.sentence.term), event.sentence.truth_or_default(),
                     event.sentence.tense.cycles, event.stamp[0]});
  if (events_.size() > most_events) events_.pop_front();
}

void Mind::pass(std::uint64_t cycles, bool agent_too) {
  spans_.push_back(
      {reasoner_.steps(), agent_.now() - (agent_too ? 0 : static_cast<std::int64_t>(cycles)), true});
  if (agent_too) agent_.run(cycles);
  if (reasoner_.run(bridge::steps_of_cycle * cycles) == 0) spans_.pop_back();
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
  if (!id) return "there is no room for more sentences; *reset forgets all";
  if (knowledge()[*id].term.is(Copula::predictive_implication)) {
    Sentence taken = sentence;
    taken.term = knowledge()[*id].term;  // its terms may have moved
    agent_.believe(taken, knowledge().evidence(*id)[0]);
  }
  return std::nullopt;
}

// Each belief of a reasoner that rests on the event, which it is told with the judgments that the method prefers.
void Mind::infer_from(const Event& event, const bridge::AttentionLoop::Attend& scores,
                      const Consequence& take) {
  constexpr std::size_t most_judgments = 100;  // chosen, as the next two
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
  bridge::Reasoner moment(table, bridge::by_worth([&](bridge::Knowledge&, SentenceId) { return worth; }));
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
    if (known.judges() && moment.knowledge().evidence(id)[0] == 1 && !known.term.has_variables() &&
        moment.knowledge().first_belief(known.term) == id)
      take(table, known);
  }
}

void Mind::follow(const Sentence& event, const bridge::AttentionLoop::Attend& scores) {
  infer_from({narsese::print(event.term), event.truth_or_default()}, scores,
             [&](narsese::TermTable&, const KnownSentence& known) {
               Sentence follows;
               follows.term = known.term;
               follows.truth = known.truth;
               if (agent_.awaits(known.term)) agent_.follow(follows);
             });
}

bool Mind::answer_by_event(const std::string& question, const bridge::AttentionLoop::Attend& scores,
                           const std::function<void(const Sentence&, bridge::InputNumber)>& answer) {
  for (auto event = events_.rbegin(); event != events_.rend(); ++event) {
    double most = 0;
    std::string best_term;
    narsese::TruthValue best_truth;
    bool found = false;
    infer_from(*event, scores, [&](narsese::TermTable& table, const KnownSentence& known) {
      const auto asked = narsese::parse_sentence(question, table);
      const double expected = narsese::expectation(known.truth);
      if (!asked || !bridge::fits(table, asked->term, known.term) || (found && expected <= most)) return;
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

std::optional<SentenceId> Mind::ask(const std::string& question) {
  const auto parsed = narsese::parse_sentence(question, table_);
  return parsed ? reasoner_.input(*parsed) : std::nullopt;
}

std::optional<SentenceId> Mind::think(const std::string& question,
                                      const bridge::AttentionLoop::Attend& scores, std::uint64_t steps) {
  const core::Session::Request request(session_);
  thinks_ = true;
  struct Ended {
    Mind& mind;
    ~Ended() {
      mind.thinks_ = false;
      mind.loop_.reset();
    }
  } const ended{*this};
  ask(question);
  const auto cue = session_.cue(question);
  spans_.push_back({reasoner_.steps(), agent_.now(), false});
  for (std::uint64_t left = cue ? steps : 0; left > 0;) {
    if (!loop_)
      begin_thinking(*cue, scores);
    else
      loop_->attend_again(reasoner_);
    const std::uint64_t forgotten = reasoner_.forgotten(),
                        ran = reasoner_.run(std::min(bridge::usual_refresh, left));
    if (reasoner_.forgotten() != forgotten) loop_.reset();  // all numbers are others now
    if (ran == 0) break;
    left -= std::min(ran, left);
  }
  if (spans_.back().step == reasoner_.steps()) spans_.pop_back();
  return ask(question);
}

// What was told is worth its score, and what was inferred before what that makes of its premises.
void Mind::begin_thinking(const core::Cue& cue, const bridge::AttentionLoop::Attend& scores) {
  loop_.emplace(session_, cue, scores, *control_);
  for (SentenceId id = 0; id < knowledge().size(); ++id)
    if (knowledge()[id].rule == KnownSentence::told)
      loop_->hear(reasoner_, {ReasonerEvent::Kind::input, id, KnownSentence::none});
  loop_->attend_again(reasoner_, 0);
  std::vector<double> worths;
  control_->reweigh([&](SentenceId id, double before) {
    const double own = before > 0 ? priority(id) / before : 0;
    double worth = before;
    if (knowledge()[id].rule != KnownSentence::told) {
      worth = 1;
      for (const SentenceId premise : knowledge()[id].premises)
        if (premise != KnownSentence::none) worth *= worths[premise];
    }
    worths.push_back(worth * own);
    return worth;
  });
}

std::int64_t Mind::created(SentenceId id) const {
  const KnownSentence& known = knowledge()[id];
  if (known.rule == KnownSentence::told)
    if (const auto found = told_in.find(knowledge().evidence(id)[0]); found != told_in.end()) return found->second;
  const auto later = std::ranges::lower_bound(spans_, known.step, {}, &Span::step);
  if (later == spans_.begin()) return agent_.now();
  const Span& span = *(later - 1);
  const std::uint64_t since = (known.step - 1 - span.step) / bridge::steps_of_cycle;
  return span.cycle + (span.passes ? static_cast<std::int64_t>(since) : 0);
}

}  // namespace engram::experiments
