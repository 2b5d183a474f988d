// SPDX-License-Identifier: MIT
#include "bridge/reasoner/agent.hpp"

#include <algorithm>

#include "bridge/reasoner/unifier.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/term_copies.hpp"
#include "narsese/term_queries.hpp"

namespace engram::bridge {

using narsese::Connector;
using narsese::Punctuation;
using narsese::Sentence;
using narsese::Tense;
using narsese::Term;
using narsese::TermKind;
using narsese::TruthValue;
using Kind = AgentEvent::Kind;

namespace {

constexpr std::string_view chance = "motor babbling";

// An event with all that follows from it, in multiplications: some ten microseconds.
constexpr std::uint64_t steps_of_event = 20'000;

// ^op, or the ^op of <(*,{SELF},..) --> ^op>; else no term.
Term own_operator(Term term) {
  const Term found = narsese::operator_of(term);
  if (!found || term.kind() == TermKind::op) return found;
  const Term arguments = term.subject();
  if (!arguments.is(Connector::product)) return {};
  const Term who = arguments.components()[0];
  const bool self = who.is(Connector::extensional_set) && who.components().size() == 1 &&
                    who.components()[0].kind() == TermKind::atom && who.components()[0].name() == "SELF";
  return self ? found : Term();
}

}  // namespace

Agent::Agent(const AgentOptions& options, NextInput next_input)
    : options_(options),
      next_input_(std::move(next_input)),
      window_(memory_, options.temporal,
              [this](const TemporalImplication& implication, bool is_new) {
                tell_implication(is_new ? Kind::derived : Kind::revised, implication);
              }),
      rng_(options.seed, chance) {}

void Agent::observe(Observer observer, bool answers_alone) {
  observer_ = std::move(observer);
  answers_alone_ = answers_alone;
}

void Agent::act_as(const AgentOptions& options) {
  if (options.seed != options_.seed) rng_ = core::Rng(options.seed, chance);
  options_ = options;
}

bool Agent::is_of_a_moment(const Sentence& sentence) {
  const Tense::Kind kind = sentence.tense.kind;
  return kind == Tense::Kind::present || kind == Tense::Kind::at || kind == Tense::Kind::offset;
}

std::optional<std::string> Agent::input(const Sentence& sentence) {
  Cycle time = now_;
  if (sentence.tense.kind == Tense::Kind::at) time = sentence.tense.cycles;
  if (sentence.tense.kind == Tense::Kind::offset)
    time = now_ + std::clamp(sentence.tense.cycles, -now_, now_);
  if (sentence.asks()) {
    if (time != now_) return "a question about an event must be of now";
    if (sentence.term.complexity() > most_nodes)
      return "a question about an event must have at most " + std::to_string(most_nodes) + " parts";
    tell(Kind::input, sentence, {});
    memory_.table().mark();  // what is asked leaves no terms
    answer_about_event(own(sentence.term));
    memory_.table().give_back();
    memory_.table().unmark();
    return std::nullopt;
  }
  const bool is_goal = sentence.punctuation == Punctuation::goal;
  if (sentence.term.has_variables()) return "an event or goal must have no variables";
  if (sentence.term.complexity() > most_nodes)
    return "an event or goal must have at most " + std::to_string(most_nodes) + " parts, this one has " +
           std::to_string(sentence.term.complexity());
  if (is_goal && time != now_) return "a goal must be of now, cycle " + std::to_string(now_);
  const Cycle first = std::max<Cycle>(1, now_ - EventWindow::width);
  if (time < first || time > now_)
    return "an event must be of cycle " + std::to_string(first) + " to " + std::to_string(now_) +
           ", this one is of cycle " + std::to_string(time);
  core::charge(steps_of_event);
  make_room();
  const Term term = flat(own(sentence.term));
  if (is_goal) {
    Desire desire{narsese::bounded(sentence.truth_or_default()), now_, {next_input_()}};
    Sentence told = sentence;
    told.term = term;
    told.tense = {Tense::Kind::at, now_};
    told.truth = desire.truth;
    tell(Kind::input, told, desire.stamp);
    goals_.push(0, {memory_.conceptualize(term, now_), std::move(desire)});
  } else {
    last_event_ = {narsese::bounded(sentence.truth_or_default()), time, EventStamp(next_input_())};
    experience(term, *last_event_, Kind::input);
  }
  cycle();
  return std::nullopt;
}

Term Agent::own(Term term) { return narsese::TermCopies(memory_.table())(term); }

// A sequence's components that are sequences are its own.
Term Agent::flat(Term term) {
  if (!term.is(Connector::sequence)) return term;
  std::vector<Term> parts;
  for (const Term part : term.components()) {
    const Term inner = flat(part);
    if (inner.is(Connector::sequence))
      parts.insert(parts.end(), inner.components().begin(), inner.components().end());
    else
      parts.push_back(inner);
  }
  return memory_.table().compound(Connector::sequence, parts);
}

OperationId Agent::operation_in(Term term) {
  const Term name = own_operator(term);
  if (!name || std::ranges::find(options_.operators, name.name()) == options_.operators.end()) return 0;
  return memory_.operation(term);
}

void Agent::experience(Term term, const Happening& happening, Kind kind) {
  if (hears(kind)) {
    Sentence told;
    told.term = term;
    told.tense = {Tense::Kind::at, happening.time};
    told.truth = happening.truth;
    tell(kind, told, happening.stamp.numbers());
  }
  if (const OperationId operation = operation_in(term)) {
    window_.take(operation, happening);
    return;
  }
  window_.take(term, happening, now_);
  add_instances(term);
}

bool Agent::awaits(Term term) {
  memory_.table().mark();
  const Term asked = flat(own(term));
  bool found = false;
  for (EventConceptId id = 0; id < memory_.size() && !found; ++id) {
    const EventConcept& one = memory_[id];
    const bool is_part = one.term.is(Connector::sequence) &&
                         std::ranges::find(one.term.components(), asked) != one.term.components().end();
    found = !one.from.empty() && (one.term == asked || is_part);
  }
  memory_.table().give_back();
  memory_.table().unmark();
  return found || rules_.needs(term);
}

void Agent::follow(const Sentence& sentence) {
  if (!last_event_ || sentence.term.has_variables() || sentence.term.complexity() > most_nodes) return;
  core::charge(steps_of_event);
  experience(flat(own(sentence.term)),
             {narsese::bounded(sentence.truth_or_default()), last_event_->time, last_event_->stamp},
             Kind::derived);
}

// In parts, if it is one that may be acted upon.
std::optional<TemporalRule> Agent::rule_of(const Sentence& sentence, InputNumber number) {
  const Term whole = own(sentence.term), first = flat(whole.subject());
  TemporalRule rule;
  rule.conditions = {first};
  if (first.is(Connector::sequence))
    rule.conditions.assign(first.components().begin(), first.components().end());
  const auto is_done = [&](Term term) {
    const Term name = own_operator(term);
    return name && std::ranges::find(options_.operators, name.name()) != options_.operators.end();
  };
  if (first.is(Connector::sequence) && is_done(rule.conditions.back())) {
    rule.operation = rule.conditions.back();
    rule.conditions.pop_back();
    if (rule.conditions.empty() || is_done(rule.conditions.back())) return std::nullopt;
  }
  rule.postcondition = flat(whole.predicate());
  rule.truth = narsese::bounded(sentence.truth_or_default());
  rule.delay = std::clamp(sentence.delay.value_or(1), 0.0, static_cast<double>(EventWindow::width));
  rule.number = number;
  return rule;
}

void Agent::believe(const Sentence& sentence, InputNumber number) {
  if (sentence.term.complexity() > most_nodes * 2) return;
  make_room();
  const auto rule = rule_of(sentence, number);
  if (!rule) return;
  if (sentence.term.has_variables())
    rules_.add(*rule);
  else
    add_rule(*rule, true);
}

// `revises`: what is known of the same term. Returns  whether it is new
bool Agent::add_rule(const TemporalRule& rule, bool revises) {
  Term first = own(rule.conditions[0]);
  for (std::size_t i = 1; i < rule.conditions.size(); ++i)
    first = memory_.sequence(first, own(rule.conditions[i]));
  TemporalImplication implication;
  if (rule.operation) {
    implication.operation = operation_in(own(rule.operation));
    if (implication.operation == 0) return false;
  }
  implication.precondition = memory_.conceptualize(first, now_);
  implication.postcondition = memory_.conceptualize(own(rule.postcondition), now_);
  implication.truth = rule.truth;
  implication.delay = rule.delay;
  implication.stamp = {rule.number};
  implication.changed = now_;
  const auto known = memory_.find(implication.precondition, implication.operation, implication.postcondition);
  if (!known) return memory_.add(implication).has_value();
  if (!revises) return false;
  TemporalImplication& before = memory_.implication(*known);
  before.truth = revision_up_to(before.truth, implication.truth, options_.temporal.most_confidence);
  before.changed = now_;
  add_to_stamp(before.stamp, implication.stamp);
  tell_implication(Kind::revised, before);
  return false;
}

// Adds instances of the rules with variables that match the fact, then of the rules that match a side of
// those instances, and so on.
void Agent::add_instances(Term fact) {
  if (rules_.empty() || fact.is(Connector::sequence)) return;
  constexpr std::size_t most_facts = 64;  // chosen
  std::vector<Term> facts{fact};
  for (std::size_t i = 0; i < facts.size(); ++i) {
    std::vector<Term> known;
    for (EventConceptId id = 0; id < memory_.size(); ++id)
      if (memory_[id].length == 1) known.push_back(memory_[id].term);
    for (const TemporalRule& rule : rules_.instances(facts[i], known)) {
      if (!add_rule(rule, false)) continue;
      std::vector<Term> sides = rule.conditions;
      sides.push_back(rule.postcondition);
      for (const Term side : sides)
        if (const Term next = own(side);
            facts.size() < most_facts && std::ranges::find(facts, next) == facts.end())
          facts.push_back(next);
    }
  }
}

void Agent::answer(Term question) {
  if (question.complexity() > most_nodes * 2) return;
  memory_.table().mark();  // what is asked leaves no terms
  Term asked = own(question);
  const Term sides[] = {flat(asked.subject()), flat(asked.predicate())};
  asked = memory_.table().with_components(asked, sides);
  const TemporalImplication* best = nullptr;
  for (const TemporalImplication& one : memory_.implications()) {
    if (!one.lives || one.counted == TemporalImplication::never) continue;
    if (best && expectation(one.truth) <= expectation(best->truth)) continue;
    const Term term = memory_.term_of(one);
    if (term == asked || (asked.has_variables() && fits(memory_.table(), asked, term))) best = &one;
  }
  if (best) tell_implication(Kind::answer, *best);
  memory_.table().give_back();
  memory_.table().unmark();
}

void Agent::answer_about_event(Term question) {
  const EventConcept* best = nullptr;
  double most = 0;
  for (EventConceptId id = 0; id < memory_.size(); ++id) {
    const EventConcept& one = memory_[id];
    if (!one.belief) continue;
    const double expected = expectation(projection(one.belief->truth, now_ - one.belief->time));
    const bool better =
        !best || expected > most || (expected == most && one.belief->time > best->belief->time);
    if (!better) continue;
    if (one.term != question && !(question.has_variables() && fits(memory_.table(), question, one.term)))
      continue;
    best = &one;
    most = expected;
  }
  if (!best) return;
  Sentence told;
  told.term = best->term;
  told.tense = {Tense::Kind::at, best->belief->time};
  told.truth = best->belief->truth;
  tell(Kind::answer, told, best->belief->stamp.numbers(), best->belief->time);
}

void Agent::run(std::uint64_t cycles) {
  for (; cycles > 0; --cycles) {
    if (goals_.empty() && window_.empty()) break;
    core::charge(steps_of_event);
    cycle();
  }
  now_ += static_cast<Cycle>(std::min(cycles, static_cast<std::uint64_t>(last_cycle - now_)));
}

void Agent::cycle() {
  window_.pass_to(now_);
  std::erase_if(wanted_,
                [&](EventConceptId id) { return now_ - memory_[id].goal->time >= EventWindow::width; });
  goals_.drop_older_than(now_ - EventWindow::width);
  for (std::size_t layer = 0; layer < GoalQueue::layers; ++layer) {
    const auto goal = goals_.pop(layer);
    const auto decision = goal ? pursue(*goal, layer) : std::nullopt;
    if (!decision) continue;
    goals_.clear();  // or what was wanted before would be acted upon again
    execute(decision->operation);
    break;
  }
  now_ = std::min(now_ + 1, last_cycle);
}

void Agent::make_room() {
  while (memory_.is_full()) {
    const std::size_t before = memory_.size();
    std::vector<bool> in_use(before);
    window_.mark(in_use);
    goals_.mark(in_use);
    for (const EventConceptId id : wanted_) in_use[id] = true;
    const KeptIds renumber = memory_.forget(now_, in_use);
    window_.renumber(renumber);
    goals_.renumber(renumber);
    renumber.rename(wanted_);
    if (memory_.size() == before) return;  // all of it is in use
  }
}

bool Agent::hears(Kind kind) const {
  return observer_ && (!answers_alone_ || kind == Kind::answer || kind == Kind::executed);
}

void Agent::tell(Kind kind, const Sentence& sentence, std::span<const InputNumber> stamp, Cycle created) {
  if (hears(kind)) observer_({kind, sentence, stamp, created});
}

void Agent::tell_implication(Kind kind, const TemporalImplication& implication) {
  if (!hears(kind)) return;
  Sentence told;
  told.term = memory_.term_of(implication);
  told.truth = implication.truth;
  told.delay = implication.delay;
  tell(kind, told, implication.stamp, implication.changed);
}

}  // namespace engram::bridge
