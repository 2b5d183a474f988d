// SPDX-License-Identifier: MIT
// Retrievers of spins: networks of +1 and -1 on a concept graph, and dense memories of its statements. Each
// field is an option of the method, as in core/retrieval/retrievers.hpp.
#pragma once

#include "core/graph/link_rules.hpp"
#include "core/hopfield/dense_episodes.hpp"
#include "core/hopfield/graph_spins.hpp"
#include "core/retrieval/retriever.hpp"

namespace engram::core {

/// A classical network of +1/-1 spins on the graph (core/hopfield/graph_spins.hpp), its links weighed by a
/// rule of core/graph/link_rules.hpp: a concept becomes active with a share of its neighbourhood. An active
/// concept's activation is that share, and what the cue gives it, 1 at most (by glauber: how likely it is
/// active); others have none.
struct GraphSpinsRetriever {
  GraphSpinsOptions options;
  LinkRule links = LinkRule::correlation;
  Recall recall(const Readings& memory, const Vector& cue) const;
};

/// Dense associative memory with the statements as patterns, weighed by their evidence
/// (core/hopfield/dense_episodes.hpp, which says why it counts overlaps from silence and takes no polynomial
/// that is not rectified). An active concept's activation is what the energy would rise without it, over the
/// largest such cost; others have none.
struct DenseMemoryRetriever {
  EpisodeSeparation separation = EpisodeSeparation::rectified;
  int n = 5;        // of rectified
  double beta = 8;  // of exponential; chosen: enough for a cue of one concept among e^8 statements
  Recall recall(const Readings& memory, const Vector& cue) const;
};

}  // namespace engram::core
