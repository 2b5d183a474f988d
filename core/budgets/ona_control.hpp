// SPDX-License-Identifier: MIT
// How ONA (OpenNARS for Applications) decides what to keep and what to look at: two numbers in place of a
// budget. A concept's usefulness says who is forgotten, its priority who is attended to.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace engram::core::ona {

/// A concept's number.
using Id = std::uint32_t;
/// A point in time, in cycles of reasoning.
using Cycle = std::int64_t;

inline constexpr double concept_durability = 0.9;         // kept of a concept's priority in a cycle
inline constexpr std::uint64_t eternal_uses = 1'000'000;  // that an eternal input counts for

/// u / (u + 1), u = uses / (cycles since the last use + 1); in [0, 1).
double usefulness(std::uint64_t uses, Cycle now, Cycle last_used);

/// Concepts, of which the least useful is forgotten where there are too many.
/// Where several are as little useful, the lowest id goes; ONA's heap leaves that to chance.
class Concepts {
 public:
  /// A concept as ONA ranks it.
  struct Concept {
    Id id = 0;
    double priority = 0, usefulness = 0;  // the latter as of the last cycle, 1 for a new concept
    std::uint64_t uses = 0;
    Cycle last_used = 0;
  };

  /// Errors  std::invalid_argument where capacity < 1
  explicit Concepts(std::size_t capacity = 4096);

  /// An event of this concept, of some priority: it is made where it is not held, p <- max(p, priority).
  /// Returns  who was forgotten    Cost  O(n)
  std::optional<Id> activate(Id id, double priority, bool eternal = false);
  /// Time passes: priorities fade, usefulness is reckoned anew.  Cost  O(n)
  void cycle();

  Cycle now() const { return now_; }
  const std::vector<Concept>& all() const { return concepts_; }  // by id
  /// The concept, or null where it is not there.
  const Concept* find(Id id) const;

 private:
  std::vector<Concept>::iterator place_of(Id id);

  std::size_t capacity_;
  Cycle now_ = 1;
  std::vector<Concept> concepts_;
};

}  // namespace engram::core::ona
