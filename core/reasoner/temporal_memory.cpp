// SPDX-License-Identifier: MIT
#include "core/reasoner/temporal_memory.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace engram::core {

using narsese::Connector;
using narsese::Term;
using narsese::TruthValue;

namespace {

EventStamp joined(EventStamp stamp, const EventStamp& more) {
  stamp.insert(stamp.end(), more.begin(), more.end());
  return stamp;
}

bool overlap(const EventStamp& a, const EventStamp& b) { return std::ranges::find_first_of(a, b) != a.end(); }

}  // namespace

void merge_stamps(std::vector<InputNumber>& stamp, std::span<const InputNumber> more) {
  stamp.insert(stamp.end(), more.begin(), more.end());
  std::ranges::sort(stamp);
  stamp.erase(std::unique(stamp.begin(), stamp.end()), stamp.end());
  if (stamp.size() > TemporalMemory::max_stamp)
    stamp.erase(stamp.begin(), stamp.end() - static_cast<std::ptrdiff_t>(TemporalMemory::max_stamp));
}

EventOperationId TemporalMemory::operation(Term term) {
  const auto known = std::ranges::find(operations_, term);
  if (known == operations_.end() && operations_.size() == max_operations) return 0;
  const auto place = static_cast<EventOperationId>(known - operations_.begin());
  if (known == operations_.end()) operations_.push_back(term);
  return place + 1;
}

EventConceptId TemporalMemory::conceptualize(Term term, Cycle now) {
  const auto [place, is_new] = concept_ids_.try_emplace(term, static_cast<EventConceptId>(concepts_.size()));
  if (is_new) {
    EventConcept made;
    made.term = term;
    if (term.is(Connector::sequence)) made.length = term.components().size();
    concepts_.push_back(std::move(made));
  }
  EventConcept& used = concepts_[place->second];
  ++used.uses;
  used.last_used = std::max(used.last_used, now);
  return place->second;
}

std::optional<EventConceptId> TemporalMemory::find(Term term) const {
  const auto known = concept_ids_.find(term);
  return known == concept_ids_.end() ? std::nullopt : std::optional(known->second);
}

Term TemporalMemory::sequence(Term first, Term last) {
  std::vector<Term> parts{first};
  if (first.is(Connector::sequence)) parts.assign(first.components().begin(), first.components().end());
  parts.push_back(last);
  return table_.compound(Connector::sequence, parts);
}

std::optional<ImplicationId> TemporalMemory::find(EventConceptId precondition, EventOperationId operation,
                                                  EventConceptId post) const {
  const auto known = index_.find(key(precondition, operation, post));
  return known == index_.end() ? std::nullopt : std::optional(known->second);
}

std::optional<ImplicationId> TemporalMemory::add(const TemporalImplication& implication) {
  std::size_t others = 0;
  std::optional<ImplicationId> least;
  for (const ImplicationId id : concepts_[implication.postcondition].to) {
    if (implications_[id].operation != implication.operation) continue;
    ++others;
    if (!least || expectation(implications_[id].truth) < expectation(implications_[*least].truth)) least = id;
  }
  if (others >= max_per_effect) {
    if (expectation(implication.truth) <= expectation(implications_[*least].truth)) return std::nullopt;
    remove(*least);
  }
  auto id = static_cast<ImplicationId>(implications_.size());
  if (free_.empty()) {
    implications_.push_back(implication);
  } else {
    id = free_.back();
    free_.pop_back();
    implications_[id] = implication;
  }
  concepts_[implication.precondition].from.push_back(id);
  concepts_[implication.postcondition].to.push_back(id);
  index_.emplace(key(implication.precondition, implication.operation, implication.postcondition), id);
  return id;
}

void TemporalMemory::remove(ImplicationId id) {
  TemporalImplication& gone = implications_[id];
  std::erase(concepts_[gone.precondition].from, id);
  std::erase(concepts_[gone.postcondition].to, id);
  index_.erase(key(gone.precondition, gone.operation, gone.postcondition));
  gone = {};
  gone.exists = false;
  free_.push_back(id);
}

Term TemporalMemory::term_of(const TemporalImplication& implication) {
  Term first = concepts_[implication.precondition].term;
  if (implication.operation) first = sequence(first, operation_term(implication.operation));
  return table_.statement(narsese::Copula::predictive_implication, first,
                          concepts_[implication.postcondition].term);
}

bool TemporalMemory::is_full() const {
  return concepts_.size() >= max_concepts || index_.size() >= max_implications ||
         table_.reserved_bytes() >= max_bytes;
}

IdRemap TemporalMemory::forget(Cycle now, const std::vector<bool>& in_use) {
  // Larger is better: concepts in use, then useful ones, then older ones.
  using Worth = std::tuple<bool, double, std::int64_t>;
  std::vector<std::pair<Worth, EventConceptId>> ranked;
  for (EventConceptId id = 0; id < concepts_.size(); ++id) {
    const EventConcept& one = concepts_[id];
    const double usage = static_cast<double>(one.uses) / (static_cast<double>(now - one.last_used) + 1);
    ranked.push_back({{in_use[id], usage, -std::int64_t{id}}, id});
  }
  std::ranges::sort(ranked, std::greater<>());
  std::vector<bool> kept(concepts_.size());
  for (std::size_t place = 0; place < ranked.size(); ++place)
    kept[ranked[place].second] = place < ranked.size() / 2 || std::get<bool>(ranked[place].first);
  IdRemap renumber(kept);
  renumber.compact(concepts_);
  keep_implications(renumber);
  keep_terms();
  return renumber;
}

void TemporalMemory::keep_implications(const IdRemap& concepts) {
  std::vector<TemporalImplication> left;
  for (const TemporalImplication& one : implications_)
    if (one.exists && concepts.keeps(one.precondition) && concepts.keeps(one.postcondition))
      left.push_back(one);
  constexpr std::size_t half = max_implications / 2;
  if (left.size() > half) {  // the sort is stable: the older one of equals stays
    std::ranges::stable_sort(left, std::greater<>(),
                             [](const TemporalImplication& one) { return expectation(one.truth); });
    left.resize(half);
  }
  implications_.clear();
  free_.clear();
  index_.clear();
  for (EventConcept& one : concepts_) {
    one.from.clear();
    one.to.clear();
  }
  for (TemporalImplication& one : left) {
    one.precondition = concepts(one.precondition);
    one.postcondition = concepts(one.postcondition);
    add(one);
  }
}

void TemporalMemory::keep_terms() {
  std::vector<Term> terms = operations_;
  for (const EventConcept& one : concepts_) terms.push_back(one.term);
  table_.keep_only(terms);
  concept_ids_.clear();
  std::copy_n(terms.begin(), operations_.size(), operations_.begin());
  for (EventConceptId id = 0; id < concepts_.size(); ++id) {
    concepts_[id].term = terms[operations_.size() + id];
    concept_ids_.emplace(concepts_[id].term, id);
  }
}

// The truth value of an event, or of the sequence of an event and an operation, at the time of the latter.
TruthValue EventWindow::truth_of(const Instance& earlier, const Execution* execution) const {
  const EventOccurrence& first = earlier.occurrence;
  if (!execution) return first.truth;
  return narsese::intersection(projection(first.truth, execution->occurrence.time - first.time),
                               execution->occurrence.truth);
}

void EventWindow::add_operation(EventOperationId operation, const EventOccurrence& occurrence) {
  for (auto* instances : {&events_, &sequences_}) {
    for (Instance& before : *instances) {
      if (before.occurrence.time >= occurrence.time) continue;
      std::erase_if(before.executions, [&](const Execution& one) { return one.operation == operation; });
      before.executions.push_back({operation, occurrence});
    }
  }
}

void EventWindow::add_event(narsese::Term term, const EventOccurrence& occurrence, Cycle now) {
  const EventConceptId id = memory_.conceptualize(term, now);
  if (memory_[id].belief && memory_[id].belief->time > occurrence.time) return;
  remove(id, events_, now);
  remove(id, sequences_, now);
  memory_[id].belief = occurrence;
  const Instance instance{id, ++instances_, occurrence};
  for (std::size_t i = events_.size(); i-- > 0;) learn_from(events_[i], instance);
  for (std::size_t i = sequences_.size(); i-- > 0;) learn_from(sequences_[i], instance);
  add_sequences(instance, now);
  const auto later = std::ranges::upper_bound(events_, occurrence.time, {},
                                              [](const Instance& one) { return one.occurrence.time; });
  events_.insert(later, instance);
  if (events_.size() > max_events) events_.erase(events_.begin());
}

void EventWindow::learn_from(const Instance& earlier, const Instance& later) {
  if (earlier.occurrence.time > later.occurrence.time) return;
  if (overlap(earlier.occurrence.stamp, later.occurrence.stamp)) return;
  for (const Execution& execution : earlier.executions)
    if (execution.occurrence.time < later.occurrence.time) count(earlier, &execution, later);
  count(earlier, nullptr, later);
  if (earlier.occurrence.time == later.occurrence.time) count(later, nullptr, earlier);
}

void EventWindow::count(const Instance& earlier, const Execution* execution, const Instance& later) {
  TemporalImplication instance;
  instance.precondition = earlier.concept_id;
  instance.operation = execution ? execution->operation : 0;
  instance.postcondition = later.concept_id;
  instance.counted = earlier.number;
  instance.changed = later.occurrence.time;
  const Cycle delay = later.occurrence.time - (execution ? execution->occurrence : earlier.occurrence).time;
  instance.delay = static_cast<double>(delay);
  EventStamp stamp = joined(earlier.occurrence.stamp, later.occurrence.stamp);
  if (execution) stamp = joined(stamp, execution->occurrence.stamp);
  instance.stamp.assign(stamp.begin(), stamp.end());
  const TruthValue first = truth_of(earlier, execution);
  if (first.confidence < min_confidence) return;
  const TruthValue truth = temporal_induction(first, later.occurrence.truth, delay);
  if (truth.confidence >= min_confidence) add_evidence(instance, truth);
}

void EventWindow::add_evidence(const TemporalImplication& instance, TruthValue truth) {
  const auto known = memory_.find(instance.precondition, instance.operation, instance.postcondition);
  if (!known) {
    TemporalImplication made = instance;
    made.truth = truth;
    made.stamp.clear();
    merge_stamps(made.stamp, instance.stamp);
    if (const auto id = memory_.add(made)) observer_(memory_.implication(*id), true);
    return;
  }
  TemporalImplication& implication = memory_.implication(*known);
  if (implication.counted == instance.counted) return;
  const double before = narsese::to_evidence(implication.truth).total,
               now = narsese::to_evidence(truth).total;
  implication.delay = (implication.delay * before + instance.delay * now) / (before + now);
  implication.truth = bounded_revision(implication.truth, truth, max_confidence);
  implication.counted = instance.counted;
  implication.changed = instance.changed;
  merge_stamps(implication.stamp, instance.stamp);
  observer_(implication, false);
}

// Adds evidence against implications with a postcondition that did not follow an occurrence. Without `all`, skips
// implications that are not due yet.
void EventWindow::count_absences(const Instance& leaving, Cycle now, bool all) {
  const std::vector<ImplicationId> from = memory_[leaving.concept_id].from;
  for (const ImplicationId id : from) {
    const TemporalImplication& implication = memory_.implication(id);
    if (implication.counted == leaving.number) continue;
    const Execution* execution = nullptr;
    if (implication.operation) {
      const auto found = std::ranges::find(leaving.executions, implication.operation, &Execution::operation);
      if (found == leaving.executions.end()) continue;
      execution = &*found;
    }
    const Cycle since = execution ? execution->occurrence.time : leaving.occurrence.time;
    const auto delay = static_cast<Cycle>(std::lround(implication.delay));
    if (!all && now - since < delay) continue;
    const TruthValue absence{0, absence_confidence};
    const TruthValue truth = temporal_induction(truth_of(leaving, execution), absence, delay);
    if (truth.confidence < min_confidence) continue;
    TemporalImplication instance = implication;
    instance.counted = leaving.number;
    instance.changed = now;
    EventStamp stamp = leaving.occurrence.stamp;
    if (execution) stamp = joined(stamp, execution->occurrence.stamp);
    instance.stamp.assign(stamp.begin(), stamp.end());
    add_evidence(instance, truth);
  }
}

// If there are too many sequences, shorter ones stay before longer ones, and later ones before earlier ones.
void EventWindow::add_sequences(const Instance& last, Cycle now) {
  std::vector<Instance> made;
  const std::size_t length = memory_[last.concept_id].length;
  for (const auto* before : {&events_, &sequences_}) {
    for (std::size_t i = before->size(); i-- > 0 && made.size() < max_sequences;) {
      const Instance& first = (*before)[i];
      const EventOccurrence &a = first.occurrence, &b = last.occurrence;
      if (a.time > b.time || memory_[first.concept_id].length + length > longest_sequence ||
          overlap(a.stamp, b.stamp))
        continue;
      const EventOccurrence both{narsese::intersection(projection(a.truth, b.time - a.time), b.truth), b.time,
                                 joined(a.stamp, b.stamp)};
      if (both.truth.confidence < min_confidence) continue;
      const narsese::Term term =
          memory_.sequence(memory_[first.concept_id].term, memory_[last.concept_id].term);
      const EventConceptId id = memory_.conceptualize(term, now);
      if (std::ranges::find(made, id, &Instance::concept_id) == made.end()) made.push_back({id, 0, both});
    }
  }
  for (Instance& one : made) {
    remove(one.concept_id, sequences_, now);
    one.number = ++instances_;
    memory_[one.concept_id].belief = one.occurrence;
  }
  std::ranges::reverse(made);
  const auto later = std::ranges::upper_bound(sequences_, last.occurrence.time, {},
                                              [](const Instance& one) { return one.occurrence.time; });
  sequences_.insert(later, made.begin(), made.end());
  if (sequences_.size() > max_sequences)
    sequences_.erase(sequences_.begin(), sequences_.end() - static_cast<std::ptrdiff_t>(max_sequences));
}

void EventWindow::remove(EventConceptId id, std::vector<Instance>& from, Cycle now) {
  const auto place = std::ranges::find(from, id, &Instance::concept_id);
  if (place == from.end()) return;
  const Instance leaving = std::move(*place);
  from.erase(place);
  count_absences(leaving, now, false);
}

void EventWindow::advance_to(Cycle now) {
  for (auto* instances : {&events_, &sequences_}) {
    const auto stays = std::ranges::find_if(
        *instances, [&](const Instance& one) { return now - one.occurrence.time <= width; });
    const std::vector<Instance> leaving(instances->begin(), stays);
    instances->erase(instances->begin(), stays);
    for (const Instance& one : leaving) count_absences(one, now, true);
  }
}

void EventWindow::mark_used(std::vector<bool>& in_use) const {
  for (const auto* instances : {&events_, &sequences_})
    for (const Instance& one : *instances) in_use[one.concept_id] = true;
}

void EventWindow::renumber(const IdRemap& concepts) {
  for (auto* instances : {&events_, &sequences_})
    for (Instance& one : *instances) one.concept_id = concepts(one.concept_id);
}

}  // namespace engram::core
