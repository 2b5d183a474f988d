// SPDX-License-Identifier: MIT
// The policies of `forgetting`, by name.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/budgets/bounded_memory.hpp"
#include "experiments/inputs/concept_uses.hpp"

namespace engram::experiments::forgetting {

/// What a policy may be held against: Engram's own, what others do, or what one could do who knew more.
enum class PolicyKind : std::uint8_t { engram, other, limit };

struct Policy {
  std::string name;
  PolicyKind kind;
  bool random = false;  // follows its seed
  /// One memory, or several of which the best in hindsight counts; none where the stream does not tell what
  /// it needs to know.
  std::function<std::vector<std::unique_ptr<core::BoundedMemory>>(
      std::size_t capacity, const ConceptUses& uses, std::uint64_t seed)>
      make;
};

/// All, in the order of tables. The gap that a policy can close reaches from `least_recently_used` to `belady`.
const std::vector<Policy>& policies();
/// The chosen ones in that order, and `least_recently_used` and `belady`.
std::vector<const Policy*> with_bounds(const std::vector<std::string>& chosen);

}  // namespace engram::experiments::forgetting
