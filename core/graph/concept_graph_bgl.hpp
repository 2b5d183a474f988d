// SPDX-License-Identifier: MIT
// Makes ConceptGraph a Boost graph: algorithms and writers of Boost.Graph run on it directly.
//
// It is undirected. Its edges are the Hebbian links, then the term links; a term link's compound is the
// source that edges() names. Models VertexListGraph, EdgeListGraph, IncidenceGraph and AdjacencyGraph, with
// the interior property vertex_index.
#pragma once

#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/transform_iterator.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <boost/property_map/property_map.hpp>
#include <cstddef>
#include <limits>
#include <utility>

#include "core/graph/concept_graph.hpp"

namespace engram::core {

/// A link seen from `source`. Edges are equal if they are the same link, from whichever end.
struct GraphEdge {
  ConceptId source = 0;
  ConceptId target = 0;
  std::size_t index = 0;  // position in edges(g)

  friend bool operator==(const GraphEdge& a, const GraphEdge& b) { return a.index == b.index; }
  friend bool operator!=(const GraphEdge& a, const GraphEdge& b) { return a.index != b.index; }
  friend bool operator<(const GraphEdge& a, const GraphEdge& b) { return a.index < b.index; }
};

inline bool is_hebbian(const ConceptGraph& g, const GraphEdge& e) {
  return e.index < g.hebbian_links().size();
}

namespace bgl {

// Function objects that Boost's transform_iterator can default-construct and assign.
struct EdgeAt {
  const ConceptGraph* graph = nullptr;
  GraphEdge operator()(std::size_t index) const {
    const auto hebbian = graph->hebbian_links();
    if (index < hebbian.size()) return {hebbian[index].source, hebbian[index].target, index};
    const TermLink& link = graph->term_links()[index - hebbian.size()];
    return {link.compound, link.component, index};
  }
};

struct OutEdgeAt {
  const ConceptGraph* graph = nullptr;
  ConceptId from = 0;
  GraphEdge operator()(std::size_t place) const {
    const ConceptGraph::Incidence end = graph->incident(from)[place];
    GraphEdge edge = EdgeAt{graph}(end.hebbian ? end.index : graph->hebbian_links().size() + end.index);
    if (edge.source != from) std::swap(edge.source, edge.target);
    return edge;
  }
};

struct NeighbourAt {
  OutEdgeAt edge;
  ConceptId operator()(std::size_t place) const { return edge(place).target; }
};

struct Traversal : boost::vertex_list_graph_tag,
                   boost::edge_list_graph_tag,
                   boost::incidence_graph_tag,
                   boost::adjacency_graph_tag {};

template <class At>
using Iterator = boost::transform_iterator<At, boost::counting_iterator<std::size_t>>;

template <class At>
std::pair<Iterator<At>, Iterator<At>> range(At at, std::size_t count) {
  return {Iterator<At>(boost::counting_iterator<std::size_t>(0), at),
          Iterator<At>(boost::counting_iterator<std::size_t>(count), at)};
}

}  // namespace bgl
}  // namespace engram::core

template <>
struct boost::graph_traits<engram::core::ConceptGraph> {
  using vertex_descriptor = engram::core::ConceptId;
  using edge_descriptor = engram::core::GraphEdge;
  using directed_category = boost::undirected_tag;
  using edge_parallel_category = boost::allow_parallel_edge_tag;
  using traversal_category = engram::core::bgl::Traversal;
  using vertices_size_type = std::size_t;
  using edges_size_type = std::size_t;
  using degree_size_type = std::size_t;
  using vertex_iterator = boost::counting_iterator<engram::core::ConceptId>;
  using edge_iterator = engram::core::bgl::Iterator<engram::core::bgl::EdgeAt>;
  using out_edge_iterator = engram::core::bgl::Iterator<engram::core::bgl::OutEdgeAt>;
  using adjacency_iterator = engram::core::bgl::Iterator<engram::core::bgl::NeighbourAt>;
  static vertex_descriptor null_vertex() { return std::numeric_limits<vertex_descriptor>::max(); }
};

template <>
struct boost::property_map<engram::core::ConceptGraph, boost::vertex_index_t> {
  using type = boost::typed_identity_property_map<engram::core::ConceptId>;
  using const_type = type;
};

namespace engram::core {

using GraphTraits = boost::graph_traits<ConceptGraph>;

inline std::pair<GraphTraits::vertex_iterator, GraphTraits::vertex_iterator> vertices(const ConceptGraph& g) {
  return {GraphTraits::vertex_iterator(0), GraphTraits::vertex_iterator(static_cast<ConceptId>(g.size()))};
}
inline std::size_t num_vertices(const ConceptGraph& g) { return g.size(); }
inline std::size_t num_edges(const ConceptGraph& g) {
  return g.hebbian_links().size() + g.term_links().size();
}
inline auto edges(const ConceptGraph& g) { return bgl::range(bgl::EdgeAt{&g}, num_edges(g)); }
inline ConceptId source(const GraphEdge& e, const ConceptGraph&) { return e.source; }
inline ConceptId target(const GraphEdge& e, const ConceptGraph&) { return e.target; }
inline std::size_t out_degree(ConceptId v, const ConceptGraph& g) { return g.incident(v).size(); }
inline auto out_edges(ConceptId v, const ConceptGraph& g) {
  return bgl::range(bgl::OutEdgeAt{&g, v}, out_degree(v, g));
}
inline auto adjacent_vertices(ConceptId v, const ConceptGraph& g) {
  return bgl::range(bgl::NeighbourAt{{&g, v}}, out_degree(v, g));
}

inline boost::typed_identity_property_map<ConceptId> get(boost::vertex_index_t, const ConceptGraph&) {
  return {};
}
inline ConceptId get(boost::vertex_index_t, const ConceptGraph&, ConceptId v) { return v; }

/// Hebbian weights at `now`, as a readable property map over edges; `term_link` for term links.
inline auto weight_map(const ConceptGraph& g, Time now, double term_link) {
  return boost::make_function_property_map<GraphEdge>([&g, now, term_link](const GraphEdge& e) {
    return is_hebbian(g, e) ? g.weight(g.hebbian_links()[e.index], now) : term_link;
  });
}

}  // namespace engram::core
