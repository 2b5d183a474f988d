// SPDX-License-Identifier: MIT
// What of a memory is worth looking at now, without a cue.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/numbers/names.hpp"
#include "core/session/session.hpp"
#include "narsese/budget_value.hpp"

namespace engram::core {

/// How much of a memory is seen.
struct ViewOptions {
  std::size_t concepts = 200;  // at most
  std::size_t links = 600;     // at most
};

/// Where priorities come from.
enum class PrioritySource : std::uint8_t { use, allocation };
inline constexpr std::array<NamedValue<PrioritySource>, 2> priority_sources{
    {{PrioritySource::use, "use"}, {PrioritySource::allocation, "allocation"}}};

/// A concept as it stands.
struct SeenConcept {
  ConceptId id = 0;
  /// priority    where budgets of concepts are kept from the last allocation: p_i / p_best, 0 for who has none; else by
  ///             use, w / (w + a + 1), with the evidence w of its episodes, decayed to now, and the cycles a since the
  ///             last of them. That is ONA's usefulness, evidence in place of a count: u / (u + 1) of u = w / (a + 1)
  /// durability  w / (w + k), the confidence of its evidence, as of an allocation
  /// quality     the confidence of its links: the mean, weighted by their positive evidence, over the last
  ///             most_links_read that were made; 0 where it has none
  narsese::BudgetValue budget;
  double evidence = 0;  // w
  Time last = 0;        // episode
};

/// A Hebbian link between two of these.
struct SeenLink {
  ConceptId source = 0, target = 0;
  double weight = 0;  // W
  narsese::TruthValue truth;
};

/// What has most budget, and the links between.
struct View {
  PrioritySource priorities = PrioritySource::use;
  std::vector<SeenConcept> concepts = {};  // by priority, then by use, then by id
  std::vector<SeenLink> links = {};  // between these, with evidence now: by weight, then confidence, then ids
};

inline constexpr std::size_t most_links_read = 64;  // chosen

/// The concepts of highest priority among those that were ever active, and the best links between them.
/// Cost  O(n) for n concepts, some 20 ns each, and O(log k) for each that comes among the k best; of their links O(k)
///       a concept, however many it has
View view_of(const Session& session, const ViewOptions& options = {});

}  // namespace engram::core
