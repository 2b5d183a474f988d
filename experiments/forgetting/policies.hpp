// SPDX-License-Identifier: MIT
// The policies that the experiment `forgetting` compares: the forgetting policies of core::Session, and upper bounds
// that use knowledge no memory has.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/budgets/forgetting.hpp"
#include "experiments/inputs/concept_uses.hpp"

namespace engram::experiments::forgetting {

/// A memory of limited capacity that receives a stream of episodes.
class BoundedMemory {
 public:
  using Id = std::uint32_t;

  virtual ~BoundedMemory() = default;
  /// Whether the concept is in the memory now.
  virtual bool holds(Id id) const = 0;
  /// Adds the concepts of one episode (ascending), then forgets concepts beyond the capacity.
  virtual void experience(const std::vector<Id>& active) = 0;
};

/// Kind of a policy: its ranking is learnt online, is a fixed rule, or is an upper bound.
enum class PolicyKind : std::uint8_t { learnt, rule, bound };

/// A policy by its name in specs and tables.
struct Policy {
  std::string name;
  PolicyKind kind;
  core::ForgettingPolicy forgetting = core::ForgettingPolicy::none;  // unused for bounds
};

/// All policies, in the order of tables:
///   learnt, frequent, useful, evidence, random, recent   forgetting policies of core::Session
///   known_law       bound: keeps the likeliest concepts, given the generator of the stream
///   known_chances   bound: keeps the likeliest concepts, given all probabilities at every moment
///   belady          bound: keeps the concepts that are needed soonest, given the whole stream
/// The gap that a policy can close extends from `recent` to `belady`.
/// Source  Belady 1966; here, a policy need not keep the concepts of a new episode
const std::vector<Policy>& policies();

/// The chosen policies in the order of policies(), with `recent` and `belady` added.
std::vector<const Policy*> with_gap_ends(const std::vector<std::string>& chosen);

/// Creates memories with this policy. A bound may have several, and the best one in hindsight counts. The result is
/// empty if `uses` lacks the knowledge that a bound needs.
///
/// With a policy of core::Session, every concept is one statement, every use of a concept is that statement as input,
/// and `capacity` limits the statements. A full session forgets one statement at a time.
/// Shapes  `uses` must outlive the memories.   Errors  std::invalid_argument if capacity < 1
std::vector<std::unique_ptr<BoundedMemory>> make_memories(const Policy& policy, std::size_t capacity,
                                                          const ConceptUses& uses);

}  // namespace engram::experiments::forgetting
