// SPDX-License-Identifier: MIT
#include "bridge/reasoner/event_window.hpp"

#include <algorithm>
#include <cmath>

namespace engram::bridge {

using narsese::TruthValue;

// Of the event, or the sequence of it and an operation, at the moment of the last of them.
TruthValue EventWindow::with(const Instance& earlier, const Done* done) const {
  const Happening& first = earlier.happening;
  if (!done) return first.truth;
  return narsese::intersection(projection(first.truth, done->happening.time - first.time),
                               done->happening.truth);
}

void EventWindow::take(OperationId operation, const Happening& happening) {
  for (auto* instances : {&events_, &sequences_}) {
    for (Instance& before : *instances) {
      if (before.happening.time >= happening.time) continue;
      std::erase_if(before.done, [&](const Done& one) { return one.operation == operation; });
      before.done.push_back({operation, happening});
    }
  }
}

void EventWindow::take(narsese::Term term, const Happening& happening, Cycle now) {
  const EventConceptId id = memory_.conceptualize(term, now);
  if (memory_[id].belief && memory_[id].belief->time > happening.time) return;
  leave(id, events_, now);
  leave(id, sequences_, now);
  memory_[id].belief = happening;
  const Instance instance{id, ++instances_, happening};
  for (std::size_t i = events_.size(); i-- > 0;) learn_from(events_[i], instance);
  for (std::size_t i = sequences_.size(); i-- > 0;) learn_from(sequences_[i], instance);
  add_sequences(instance, now);
  const auto later = std::ranges::upper_bound(events_, happening.time, {},
                                              [](const Instance& one) { return one.happening.time; });
  events_.insert(later, instance);
  if (events_.size() > most_events) events_.erase(events_.begin());
}

void EventWindow::learn_from(const Instance& earlier, const Instance& later) {
  if (earlier.happening.time > later.happening.time) return;
  if (earlier.happening.stamp.overlaps(later.happening.stamp)) return;
  for (const Done& done : earlier.done)
    if (done.happening.time < later.happening.time) count(earlier, &done, later);
  count(earlier, nullptr, later);
  if (earlier.happening.time == later.happening.time) count(later, nullptr, earlier);
}

void EventWindow::count(const Instance& earlier, const Done* done, const Instance& later) {
  TemporalImplication instance;
  instance.precondition = earlier.of;
  instance.operation = done ? done->operation : 0;
  instance.postcondition = later.of;
  instance.counted = earlier.number;
  instance.changed = later.happening.time;
  const Cycle delay = later.happening.time - (done ? done->happening : earlier.happening).time;
  instance.delay = static_cast<double>(delay);
  EventStamp stamp = earlier.happening.stamp + later.happening.stamp;
  if (done) stamp = stamp + done->happening.stamp;
  instance.stamp.assign(stamp.numbers().begin(), stamp.numbers().end());
  const TruthValue first = with(earlier, done);
  if (first.confidence < options_.least_confidence) return;
  const TruthValue truth = temporal_induction(first, later.happening.truth, delay);
  if (truth.confidence >= options_.least_confidence) add_evidence(instance, truth);
}

void EventWindow::add_evidence(const TemporalImplication& instance, TruthValue truth) {
  const auto known = memory_.find(instance.precondition, instance.operation, instance.postcondition);
  if (!known) {
    TemporalImplication made = instance;
    made.truth = truth;
    made.stamp.clear();
    add_to_stamp(made.stamp, instance.stamp);
    if (const auto id = memory_.add(made)) learnt_(memory_.implication(*id), true);
    return;
  }
  TemporalImplication& implication = memory_.implication(*known);
  if (implication.counted == instance.counted) return;
  const double before = narsese::to_evidence(implication.truth).total,
               now = narsese::to_evidence(truth).total;
  implication.delay = (implication.delay * before + instance.delay * now) / (before + now);
  implication.truth = revision_up_to(implication.truth, truth, options_.most_confidence);
  implication.counted = instance.counted;
  implication.changed = instance.changed;
  add_to_stamp(implication.stamp, instance.stamp);
  learnt_(implication, false);
}

// What its term leads to, as far as it is known, and has not come: all of it, or what should have come by now.
void EventWindow::judge(const Instance& leaving, Cycle now, bool all) {
  const std::vector<ImplicationId> from = memory_[leaving.of].from;
  for (const ImplicationId id : from) {
    const TemporalImplication& implication = memory_.implication(id);
    if (implication.counted == leaving.number) continue;
    const Done* done = nullptr;
    if (implication.operation) {
      const auto found = std::ranges::find(leaving.done, implication.operation, &Done::operation);
      if (found == leaving.done.end()) continue;
      done = &*found;
    }
    const Cycle since = done ? done->happening.time : leaving.happening.time;
    const auto delay = static_cast<Cycle>(std::lround(implication.delay));
    if (!all && now - since < delay) continue;
    const TruthValue absence{0, options_.absence_confidence};
    const TruthValue truth = temporal_induction(with(leaving, done), absence, delay);
    if (truth.confidence < options_.least_confidence) continue;
    TemporalImplication instance = implication;
    instance.counted = leaving.number;
    instance.changed = now;
    EventStamp stamp = leaving.happening.stamp;
    if (done) stamp = stamp + done->happening.stamp;
    instance.stamp.assign(stamp.numbers().begin(), stamp.numbers().end());
    add_evidence(instance, truth);
  }
}

// Shorter ones are kept before longer ones, with what came last before what came earlier.
void EventWindow::add_sequences(const Instance& last, Cycle now) {
  std::vector<Instance> made;
  const std::size_t length = memory_[last.of].length;
  for (const auto* before : {&events_, &sequences_}) {
    for (std::size_t i = before->size(); i-- > 0 && made.size() < most_sequences;) {
      const Instance& first = (*before)[i];
      const Happening &a = first.happening, &b = last.happening;
      if (a.time > b.time || memory_[first.of].length + length > longest_sequence ||
          a.stamp.overlaps(b.stamp))
        continue;
      const Happening both{narsese::intersection(projection(a.truth, b.time - a.time), b.truth), b.time,
                           a.stamp + b.stamp};
      if (both.truth.confidence < options_.least_confidence) continue;
      const narsese::Term term = memory_.sequence(memory_[first.of].term, memory_[last.of].term);
      const EventConceptId id = memory_.conceptualize(term, now);
      if (std::ranges::find(made, id, &Instance::of) == made.end()) made.push_back({id, 0, both});
    }
  }
  for (Instance& one : made) {
    leave(one.of, sequences_, now);
    one.number = ++instances_;
    memory_[one.of].belief = one.happening;
  }
  std::ranges::reverse(made);
  const auto later = std::ranges::upper_bound(sequences_, last.happening.time, {},
                                              [](const Instance& one) { return one.happening.time; });
  sequences_.insert(later, made.begin(), made.end());
  if (sequences_.size() > most_sequences)
    sequences_.erase(sequences_.begin(), sequences_.end() - static_cast<std::ptrdiff_t>(most_sequences));
}

void EventWindow::leave(EventConceptId id, std::vector<Instance>& from, Cycle now) {
  const auto place = std::ranges::find(from, id, &Instance::of);
  if (place == from.end()) return;
  const Instance leaving = std::move(*place);
  from.erase(place);
  judge(leaving, now, false);
}

void EventWindow::pass_to(Cycle now) {
  for (auto* instances : {&events_, &sequences_}) {
    const auto stays = std::ranges::find_if(
        *instances, [&](const Instance& one) { return now - one.happening.time <= width; });
    const std::vector<Instance> leaving(instances->begin(), stays);
    instances->erase(instances->begin(), stays);
    for (const Instance& one : leaving) judge(one, now, true);
  }
}

void EventWindow::mark(std::vector<bool>& in_use) const {
  for (const auto* instances : {&events_, &sequences_})
    for (const Instance& one : *instances) in_use[one.of] = true;
}

void EventWindow::renumber(const KeptIds& concepts) {
  for (auto* instances : {&events_, &sequences_})
    for (Instance& one : *instances) one.of = concepts(one.of);
}

}  // namespace engram::bridge
