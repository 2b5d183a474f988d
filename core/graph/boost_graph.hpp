// SPDX-License-Identifier: MIT
// Copy of a concept graph as a Boost.Graph graph. Use it to run the algorithms of Boost.Graph on a memory, or its
// writers of graph files.
#pragma once

#include <boost/graph/adjacency_list.hpp>

#include "core/graph/concept_graph.hpp"

namespace engram::core {

/// Vertex of a BoostGraph: a concept with its activity. The vertex descriptor is the ConceptId.
struct BoostVertex {
  narsese::Term term;
  double activity = 0;
};

/// Edge of a BoostGraph: a Hebbian link (learned between two concepts) or a term link (from a compound to a component).
/// A term link has weight and truth 0.
struct BoostEdge {
  bool is_hebbian = false;
  double weight = 0;
  narsese::TruthValue truth{0, 0};
};

using BoostGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, BoostVertex, BoostEdge>;

/// Copies the concepts and links of a graph, with all numbers decayed to cycle `now`. Edges of Hebbian links come
/// first, then edges of term links; the source of a term link is its compound. Use boost::get(&BoostEdge::weight,
/// graph) as a property map.
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
