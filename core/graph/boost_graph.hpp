// SPDX-License-Identifier: MIT
// A copy of a concept graph for the algorithms and writers of Boost.Graph.
#pragma once

#include <boost/graph/adjacency_list.hpp>

#include "core/graph/concept_graph.hpp"

namespace engram::core {

/// A concept as a vertex. The vertex descriptor is the ConceptId.
struct BoostVertex {
  narsese::Term term;
  double activity = 0;
};

/// A Hebbian link or a term link as an edge. The weight and truth of a term link are 0.
struct BoostEdge {
  bool is_hebbian = false;
  double weight = 0;
  narsese::TruthValue truth{0, 0};
};

using BoostGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, BoostVertex, BoostEdge>;

/// Copies the concepts and links as of time `now`. Hebbian links come first, then term links; the source of a term
/// link is its compound. Use boost::get(&BoostEdge::weight, graph) as a property map.
/// Cost  O(concepts + links + size of all terms)
inline BoostGraph to_boost_graph(const ConceptGraph& graph, Time now) {
  BoostGraph copy(graph.size());
  for (ConceptId id = 0; id < graph.size(); ++id) copy[id] = {graph.term(id), graph.activity(id, now)};
  for (const HebbianLink& link : graph.hebbian_links())
    add_edge(link.source, link.target, {true, graph.weight(link, now), graph.truth(link, now)}, copy);
  for (const TermLink& link : graph.term_links()) add_edge(link.compound, link.component, {}, copy);
  return copy;
}

}  // namespace engram::core
