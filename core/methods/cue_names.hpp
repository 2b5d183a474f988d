// SPDX-License-Identifier: MIT
// The names that a cue activates, for methods that start from names.
#pragma once

#include <vector>

#include "core/graph/concept_graph.hpp"
#include "core/numbers/shapes.hpp"

namespace engram::core {

/// Concepts with an activation above 0, ascending.  Cost  O(n)
inline std::vector<ConceptId> names_of_cue(const Vector& cue) {
  std::vector<ConceptId> names;
  for (Index i = 0; i < cue.size(); ++i)
    if (cue[i] > 0) names.push_back(static_cast<ConceptId>(i));
  return names;
}

}  // namespace engram::core
