// SPDX-License-Identifier: MIT
#include "core/budgets/ona_control.hpp"

#include <algorithm>

#include "core/numbers/numeric.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core::ona {

double usefulness(std::uint64_t uses, Cycle now, Cycle last_used) {
  const double u = static_cast<double>(uses) / static_cast<double>(std::max<Cycle>(now - last_used, 0) + 1);
  return u / (u + 1);
}

Concepts::Concepts(std::size_t capacity) : capacity_(capacity) {
  require(capacity >= 1, "the capacity must be at least 1", capacity);
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

void Concepts::cycle() {
  ++now_;
  for (Concept& one : concepts_) {
    one.priority *= concept_durability;
    one.usefulness = ona::usefulness(one.uses, now_, one.last_used);
  }
}

}  // namespace engram::core::ona
