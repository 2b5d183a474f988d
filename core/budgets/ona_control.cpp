// SPDX-License-Identifier: MIT
#include "core/budgets/ona_control.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers/numeric.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core::ona {

double usefulness(std::uint64_t uses, Cycle now, Cycle last_used) {
  const double u = static_cast<double>(uses) / static_cast<double>(std::max<Cycle>(now - last_used, 0) + 1);
  return u / (u + 1);
}

double derived_priority(double of_concept, double of_parent, const narsese::TruthValue& truth,
                        int complexity) {
  const double bits = log(1.0 + complexity) / log(2.0);
  return of_concept * of_parent * narsese::expectation(truth) / bits;
}

Concepts::Concepts(std::size_t capacity) : capacity_(capacity) {
  require(capacity >= 1, "a memory holds at least one concept");
}

std::vector<Concepts::Concept>::iterator Concepts::place_of(Id id) {
  return std::lower_bound(concepts_.begin(), concepts_.end(), id,
                          [](const Concept& a, Id b) { return a.id < b; });
}

const Concepts::Concept* Concepts::find(Id id) const {
  const auto place = const_cast<Concepts*>(this)->place_of(id);
  return place != concepts_.end() && place->id == id ? &*place : nullptr;
}

std::optional<Id> Concepts::activate(Id id, double priority, bool eternal) {
  auto place = place_of(id);
  std::optional<Id> forgotten;
  if (place == concepts_.end() || place->id != id) {
    if (concepts_.size() == capacity_) {
      const auto least =
          std::min_element(concepts_.begin(), concepts_.end(),
                           [](const auto& a, const auto& b) { return a.usefulness < b.usefulness; });
      forgotten = least->id;
      concepts_.erase(least);
      place = place_of(id);
    }
    place = concepts_.insert(place, {id, 0, 1, 0, now_});
  }
  place->priority = std::max(place->priority, priority);
  place->uses += eternal ? 1 + eternal_uses : 1;
  place->last_used = now_;
  return forgotten;
}

void Concepts::answer(Id id, bool eternal) {
  const auto place = place_of(id);
  if (place == concepts_.end() || place->id != id) return;
  place->priority = std::max(place->priority, question_priming);
  if (eternal) place->uses += eternal_uses;
}

void Concepts::cycle() {
  ++now_;
  for (Concept& one : concepts_) {
    one.priority *= concept_durability;
    one.usefulness = ona::usefulness(one.uses, now_, one.last_used);
  }
}

EventQueue::EventQueue(std::size_t capacity) : capacity_(capacity) {
  require(capacity >= 1, "a queue holds at least one event");
}

std::optional<EventQueue::Event> EventQueue::push(Event event) {
  // Before its equals: they were there first and are taken first, from the end.
  const auto place = std::lower_bound(events_.begin(), events_.end(), event.priority,
                                      [](const Event& a, double p) { return a.priority < p; });
  events_.insert(place, event);
  if (events_.size() <= capacity_) return std::nullopt;
  const Event least = events_.front();
  events_.erase(events_.begin());
  return least;
}

std::optional<EventQueue::Event> EventQueue::pop() {
  if (events_.empty()) return std::nullopt;
  const Event best = events_.back();
  events_.pop_back();
  return best;
}

void EventQueue::cycle() {
  for (Event& event : events_) event.priority *= event_durability;
}

}  // namespace engram::core::ona
