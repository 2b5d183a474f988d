// SPDX-License-Identifier: MIT
// View of a memory: its most important concepts and the links between them, for display without a cue.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/numbers/names.hpp"
#include "core/session/session.hpp"
#include "narsese/sentence.hpp"

namespace engram::core {

/// Size of a view: the most concepts and links in it.
struct ViewOptions {
  std::size_t concepts = 200;  // at most
  std::size_t links = 600;     // at most
};

/// Source of the priorities in a view: how much and how recently concepts were used, or the last allocation of budgets
/// to concepts.
enum class PrioritySource : std::uint8_t { use, allocation };
inline constexpr std::array<NamedValue<PrioritySource>, 2> priority_sources{
    {{PrioritySource::use, "use"}, {PrioritySource::allocation, "allocation"}}};

/// Concept in a view, with its current budget and evidence.
struct ViewedConcept {
  ConceptId id = 0;
  /// NARS budget of the concept:
  /// priority    after an allocation of concepts: p_i / p_best, its share divided by the best share, 0 without a share.
  ///             Otherwise by use: w / (w + a + 1) with the decayed evidence w of its episodes and the cycles a since
  ///             the last one. This is ONA's usefulness u / (u + 1) with u = w / (a + 1), with evidence in place of a
  ///             count
  /// durability  w / (w + k), the confidence of its evidence, with k NAL's evidential horizon
  /// quality     mean confidence of its last max_links_read links, weighted by their positive evidence; 0 without links
  narsese::BudgetValue budget;
  double evidence = 0;  // w, decayed to the present
  Time last = 0;        // cycle of the last episode
};

/// Hebbian link between two concepts of a view.
struct ViewedLink {
  ConceptId source = 0, target = 0;
  double weight = 0;  // positive evidence: its entry in the link matrix W
  narsese::TruthValue truth;
};

/// View: the concepts of highest priority, and the links between them.
struct View {
  PrioritySource priorities = PrioritySource::use;
  std::vector<ViewedConcept> concepts = {};  // sorted by priority, use, id
  std::vector<ViewedLink> links = {};        // with evidence now; sorted by weight, confidence, ids
};

inline constexpr std::size_t max_links_read = 64;  // links of a concept that count for its quality; chosen

/// Makes a view of a session: selects the concepts of highest priority that were ever active, and the strongest links
/// between them.
/// Cost  O(n) for n concepts, about 20 ns each, and O(log k) for each that enters the best k; O(k) for the links of a
///       selected concept
View view_of(const Session& session, const ViewOptions& options = {});

}  // namespace engram::core
