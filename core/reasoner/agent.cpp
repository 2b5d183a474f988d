// SPDX-License-Identifier: MIT
#include "core/reasoner/agent.hpp"

#include <algorithm>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/reasoner/unifier.hpp"
#include "narsese/term.hpp"
#include "narsese/term_queries.hpp"

namespace engram::core {

using Kind = AgentEvent::Kind;
using narsese::Connector;
using narsese::Punctuation;
using narsese::Sentence;
using narsese::Tense;
using narsese::Term;
using narsese::TermKind;
using narsese::TruthValue;

namespace {

constexpr std::string_view babbling_stream = "motor babbling";  // of random numbers
constexpr double babbling_bound = 0.55;  // expectation of a decision that suppresses motor babbling; ONA's

// Work of one event with its conclusions, in multiplications: about ten microseconds.
constexpr std::uint64_t event_work = 20'000;

// The operator of ^op or <(*,{SELF},..) --> ^op>, else no term.
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

// log2(1 + complexity). ONA divides the priority of a subgoal by it.
double log2_1p(std::uint64_t complexity) { return log1p(static_cast<double>(complexity)) / core::log(2); }

std::span<const InputNumber> span_of(const EventStamp& stamp) { return {stamp.data(), stamp.size()}; }

Sentence event_sentence(Term term, Cycle time, std::optional<TruthValue> truth,
                        Punctuation punctuation = Punctuation::judgment) {
  Sentence sentence;
  sentence.term = term;
  sentence.punctuation = punctuation;
  sentence.tense = {Tense::Kind::at, time};
  sentence.truth = truth;
  return sentence;
}

}  // namespace

Agent::Agent(const AgentOptions& options, NextInput next_input)
    : options_(options),
      next_input_(std::move(next_input)),
      window_(memory_,
              [this](const TemporalImplication& implication, bool is_new) {
                notify_implication(is_new ? Kind::derived : Kind::revised, implication);
              }),
      rng_(options.seed, babbling_stream) {}

void Agent::observe(Observer observer, bool answers_only) {
  observer_ = std::move(observer);
  answers_only_ = answers_only;
}

void Agent::set_options(const AgentOptions& options) {
  if (options.seed != options_.seed) rng_ = Rng(options.seed, babbling_stream);
  options_ = options;
}

bool Agent::is_temporal(const Sentence& sentence) {
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
    if (sentence.term.complexity() > max_nodes)
      return "a question about an event must have at most " + std::to_string(max_nodes) + " parts";
    notify(Kind::input, sentence, {});
    memory_.table().mark();  // a question must leave no terms
    answer_about_event(copied(sentence.term));
    memory_.table().rollback();
    memory_.table().unmark();
    return std::nullopt;
  }
  const bool is_goal = sentence.punctuation == Punctuation::goal;
  if (sentence.term.has_variables()) return "an event or goal must have no variables";
  if (sentence.term.complexity() > max_nodes)
    return "an event or goal must have at most " + std::to_string(max_nodes) + " parts, this one has " +
           std::to_string(sentence.term.complexity());
  if (is_goal && time != now_) return "a goal must be of now, cycle " + std::to_string(now_);
  const Cycle first = std::max<Cycle>(1, now_ - EventWindow::width);
  if (time < first || time > now_)
    return "an event must be of cycle " + std::to_string(first) + " to " + std::to_string(now_) +
           ", this one is of cycle " + std::to_string(time);
  charge(event_work);
  make_room();
  const Term term = flattened(copied(sentence.term));
  if (is_goal) {
    Desire desire{narsese::bounded(sentence.truth_or_default()), now_, {next_input_()}};
    Sentence told = sentence;
    told.term = term;
    told.tense = {Tense::Kind::at, now_};
    told.truth = desire.truth;
    notify(Kind::input, told, desire.stamp);
    goals_.push(0, {memory_.conceptualize(term, now_), std::move(desire)});
  } else {
    last_event_ = {narsese::bounded(sentence.truth_or_default()), time, {next_input_()}};
    add_event(term, *last_event_, Kind::input);
  }
  cycle();
  return std::nullopt;
}

Term Agent::copied(Term term) { return narsese::TermCopies(memory_.table())(term); }

// Replaces sequences within a sequence by their components.
Term Agent::flattened(Term term) {
  if (!term.is(Connector::sequence)) return term;
  std::vector<Term> parts;
  for (const Term part : term.components()) {
    const Term inner = flattened(part);
    if (inner.is(Connector::sequence))
      parts.insert(parts.end(), inner.components().begin(), inner.components().end());
    else
      parts.push_back(inner);
  }
  return memory_.table().compound(Connector::sequence, parts);
}

EventOperationId Agent::operation_in(Term term) { return can_execute(term) ? memory_.operation(term) : 0; }

bool Agent::can_execute(Term term) const {
  const Term name = own_operator(term);
  return name && std::ranges::find(options_.operators, name.name()) != options_.operators.end();
}

void Agent::add_event(Term term, const EventOccurrence& occurrence, Kind kind) {
  notify(kind, event_sentence(term, occurrence.time, occurrence.truth), span_of(occurrence.stamp));
  if (const EventOperationId operation = operation_in(term)) {
    window_.add_operation(operation, occurrence);
    return;
  }
  window_.add_event(term, occurrence, now_);
  add_instances(term);
}

bool Agent::needs(Term term) {
  memory_.table().mark();
  const Term asked = flattened(copied(term));
  bool found = false;
  for (EventConceptId id = 0; id < memory_.size() && !found; ++id) {
    const EventConcept& one = memory_[id];
    const bool is_part = one.term.is(Connector::sequence) &&
                         std::ranges::find(one.term.components(), asked) != one.term.components().end();
    found = !one.from.empty() && (one.term == asked || is_part);
  }
  memory_.table().rollback();
  memory_.table().unmark();
  return found || rules_.needs(term);
}

void Agent::add_consequence(const Sentence& sentence) {
  if (!last_event_ || sentence.term.has_variables() || sentence.term.complexity() > max_nodes) return;
  charge(event_work);
  add_event(flattened(copied(sentence.term)),
            {narsese::bounded(sentence.truth_or_default()), last_event_->time, last_event_->stamp},
            Kind::derived);
}

// The parts of an implication, or nothing if add_implication() ignores it.
std::optional<TemporalRule> Agent::rule_of(const Sentence& sentence, InputNumber number) {
  const Term whole = copied(sentence.term), first = flattened(whole.subject());
  TemporalRule rule;
  rule.conditions = {first};
  if (first.is(Connector::sequence))
    rule.conditions.assign(first.components().begin(), first.components().end());
  if (first.is(Connector::sequence) && can_execute(rule.conditions.back())) {
    rule.operation = rule.conditions.back();
    rule.conditions.pop_back();
    if (rule.conditions.empty() || can_execute(rule.conditions.back())) return std::nullopt;
  }
  rule.postcondition = flattened(whole.predicate());
  rule.truth = narsese::bounded(sentence.truth_or_default());
  rule.delay = std::clamp(sentence.delay.value_or(1), 0.0, static_cast<double>(EventWindow::width));
  rule.number = number;
  return rule;
}

void Agent::add_implication(const Sentence& sentence, InputNumber number) {
  if (sentence.term.complexity() > max_nodes * 2) return;
  make_room();
  const auto rule = rule_of(sentence, number);
  if (!rule) return;
  if (sentence.term.has_variables())
    rules_.add(*rule);
  else
    add_rule(*rule, true);
}

// Adds a rule as an implication. If the memory has the implication already, `revises` decides whether to revise it.
// Returns  whether the implication is new
bool Agent::add_rule(const TemporalRule& rule, bool revises) {
  Term first = copied(rule.conditions[0]);
  for (std::size_t i = 1; i < rule.conditions.size(); ++i)
    first = memory_.sequence(first, copied(rule.conditions[i]));
  TemporalImplication implication;
  if (rule.operation) {
    implication.operation = operation_in(copied(rule.operation));
    if (implication.operation == 0) return false;
  }
  implication.precondition = memory_.conceptualize(first, now_);
  implication.postcondition = memory_.conceptualize(copied(rule.postcondition), now_);
  implication.truth = rule.truth;
  implication.delay = rule.delay;
  implication.stamp = {rule.number};
  implication.changed = now_;
  const auto known = memory_.find(implication.precondition, implication.operation, implication.postcondition);
  if (!known) return memory_.add(implication).has_value();
  if (!revises) return false;
  TemporalImplication& before = memory_.implication(*known);
  before.truth = bounded_revision(before.truth, implication.truth, EventWindow::max_confidence);
  before.changed = now_;
  merge_stamps(before.stamp, implication.stamp);
  notify_implication(Kind::revised, before);
  return false;
}

// Adds instances of the rules with variables that match the fact. Then the sides of new instances are new facts.
void Agent::add_instances(Term fact) {
  if (rules_.empty() || fact.is(Connector::sequence)) return;
  constexpr std::size_t max_facts = 64;  // chosen
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
        if (const Term next = copied(side);
            facts.size() < max_facts && std::ranges::find(facts, next) == facts.end())
          facts.push_back(next);
    }
  }
}

void Agent::answer(Term question) {
  if (question.complexity() > max_nodes * 2) return;
  memory_.table().mark();  // a question must leave no terms
  Term asked = copied(question);
  const Term sides[] = {flattened(asked.subject()), flattened(asked.predicate())};
  asked = memory_.table().with_components(asked, sides);
  const TemporalImplication* best = nullptr;
  for (const TemporalImplication& one : memory_.implications()) {
    if (!one.exists || one.counted == TemporalImplication::never) continue;
    if (best && expectation(one.truth) <= expectation(best->truth)) continue;
    if (matches_question(memory_.table(), asked, memory_.term_of(one))) best = &one;
  }
  if (best) notify_implication(Kind::answer, *best);
  memory_.table().rollback();
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
    if (!better || !matches_question(memory_.table(), question, one.term)) continue;
    best = &one;
    most = expected;
  }
  if (!best) return;
  const EventOccurrence& found = *best->belief;
  notify(Kind::answer, event_sentence(best->term, found.time, found.truth), span_of(found.stamp), found.time);
}

void Agent::run(std::uint64_t cycles) {
  for (; cycles > 0; --cycles) {
    if (goals_.empty() && window_.empty()) break;
    charge(event_work);
    cycle();
  }
  now_ += static_cast<Cycle>(std::min(cycles, static_cast<std::uint64_t>(last_cycle - now_)));
}

void Agent::cycle() {
  window_.advance_to(now_);
  std::erase_if(recent_goals_,
                [&](EventConceptId id) { return now_ - memory_[id].goal->time >= EventWindow::width; });
  goals_.drop_older_than(now_ - EventWindow::width);
  for (std::size_t layer = 0; layer < GoalQueue::layers; ++layer) {
    const auto goal = goals_.pop(layer);
    const auto decision = goal ? pursue(*goal, layer) : std::nullopt;
    if (!decision) continue;
    goals_.clear();  // a goal must not trigger a second operation
    execute(decision->operation);
    break;
  }
  now_ = std::min(now_ + 1, last_cycle);
}

void Agent::make_room() {
  while (memory_.is_full()) {
    const std::size_t before = memory_.size();
    std::vector<bool> in_use(before);
    window_.mark_used(in_use);
    goals_.mark_used(in_use);
    for (const EventConceptId id : recent_goals_) in_use[id] = true;
    const IdRemap renumber = memory_.forget(now_, in_use);
    window_.renumber(renumber);
    goals_.renumber(renumber);
    renumber.rename(recent_goals_);
    if (memory_.size() == before) return;  // all concepts are in use
  }
}

bool Agent::is_observed(Kind kind) const {
  return observer_ && (!answers_only_ || kind == Kind::answer || kind == Kind::executed);
}

void Agent::notify(Kind kind, const Sentence& sentence, std::span<const InputNumber> stamp, Cycle created) {
  if (is_observed(kind)) observer_({kind, sentence, stamp, created});
}

void Agent::notify_implication(Kind kind, const TemporalImplication& implication) {
  if (!is_observed(kind)) return;
  Sentence sentence;
  sentence.term = memory_.term_of(implication);
  sentence.truth = implication.truth;
  sentence.delay = implication.delay;
  notify(kind, sentence, implication.stamp, implication.changed);
}

std::optional<Decision> Agent::pursue(const PendingGoal& goal, std::size_t layer) {
  if (pursue_sequence(goal, layer)) return std::nullopt;
  EventConcept& one = memory_[goal.concept_id];
  if (!one.goal || goal.desire.time >= one.goal->time) one.goal = goal.desire;
  if (std::ranges::find(recent_goals_, goal.concept_id) == recent_goals_.end())
    recent_goals_.push_back(goal.concept_id);
  add_instances(one.term);
  auto decision = choose_operation(goal);
  if (!decision) derive_subgoals(goal, layer);
  return decision;
}

// Derives {(A &/ B)!, A} |- B! for the first part that has not occurred, or A! if none has.
// Returns  whether the goal is a sequence
// Source  ONA, Cycle_GoalSequenceDecomposition
bool Agent::pursue_sequence(const PendingGoal& goal, std::size_t layer) {
  const Term whole = memory_[goal.concept_id].term;
  if (!whole.is(Connector::sequence)) return false;
  PendingGoal next = goal;
  Cycle since = 0;
  std::size_t part = 0;
  for (; part < whole.components().size(); ++part) {
    const auto id = memory_.find(whole.components()[part]);
    if (!id || !holds_now(memory_[*id], now_) || memory_[*id].belief->time < since) break;
    const EventOccurrence& met = *memory_[*id].belief;
    since = met.time;
    next.desire.truth = goal_deduction(next.desire.truth, projection(met.truth, now_ - met.time));
  }
  if (part == whole.components().size()) return true;
  if (part == 0) next.desire.truth = narsese::structural_deduction(goal.desire.truth);
  next.concept_id = memory_.conceptualize(whole.components()[part], now_);
  next.priority = goal.priority * expectation(next.desire.truth);
  add_goal(std::move(next), layer + 1);
  return true;
}

std::optional<Decision> Agent::choose_operation(const PendingGoal& goal) {
  const Term term = memory_[goal.concept_id].term;
  if (const EventOperationId operation = operation_in(term)) {
    const double desire = expectation(goal.desire.truth);
    return desire >= options_.decision_threshold ? std::optional(Decision{operation, desire}) : std::nullopt;
  }
  const auto best = best_decision(memory_, goal.concept_id, goal.desire.truth, recent_goals_, now_,
                                  options_.decision_threshold);
  const bool tries = rng_.uniform() < options_.motor_babbling;
  if (!tries || (best && best->desire > babbling_bound)) return best;
  std::vector<std::size_t> known;
  for (std::size_t i = 0; i < std::min(options_.babbling_operators, options_.operators.size()); ++i)
    if (!options_.operators[i].empty()) known.push_back(i);
  if (known.empty()) return best;
  const std::string& name = options_.operators[known[rng_.below(known.size())]];
  return Decision{operation_in(memory_.table().op(name)), 1};
}

// Adds each precondition of an implication to the goal as a subgoal, unless it holds now.
void Agent::derive_subgoals(const PendingGoal& goal, std::size_t layer) {
  const std::vector<ImplicationId> leading = memory_[goal.concept_id].to;
  for (const ImplicationId id : leading) {
    const TemporalImplication& implication = memory_.implication(id);
    const EventConcept& needed = memory_[implication.precondition];
    if (holds_now(needed, now_)) continue;
    PendingGoal next{implication.precondition, goal.desire, goal.priority};
    next.desire.truth = goal_deduction(goal.desire.truth, implication.truth);
    next.desire.time = now_;
    if (next.desire.truth.confidence < EventWindow::min_confidence) continue;
    next.priority *= expectation(next.desire.truth) / log2_1p(needed.term.complexity());
    merge_stamps(next.desire.stamp, implication.stamp);
    add_goal(std::move(next), layer + 1);
  }
}

void Agent::add_goal(PendingGoal goal, std::size_t layer) {
  const Sentence sentence =
      event_sentence(memory_[goal.concept_id].term, now_, goal.desire.truth, Punctuation::goal);
  const std::vector<InputNumber> stamp = goal.desire.stamp;
  if (goals_.push(layer, std::move(goal))) notify(Kind::derived, sentence, stamp);
}

// Reports the operation and adds it as an event, which takes one cycle.
void Agent::execute(EventOperationId operation) {
  const Term term = memory_.operation_term(operation);
  notify(Kind::executed, event_sentence(term, now_, std::nullopt), {});
  add_event(term, {TruthValue{}, now_, {next_input_()}}, Kind::input);
  now_ = std::min(now_ + 1, last_cycle);
}

}  // namespace engram::core
