// SPDX-License-Identifier: MIT
// A ConceptGraph as a graph of Boost, on which the algorithms and writers of Boost.Graph run.
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
#include <vector>

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

/// What Boost sees of a graph, which outlives it and does not change meanwhile. Links know their ends, and
/// concepts their Hebbian links; which compounds a term is in is worked out here, once.
/// Cost  O(size of all terms), and of links as HebbianLinks; 8 bytes a term link, and 4 for each end of one
class BoostConceptGraph {
 public:
  explicit BoostConceptGraph(const ConceptGraph& graph)
      : graph_(&graph), links_(graph.hebbian_links()), term_links_(graph.term_links()) {
    term_links_of_.resize(graph.size());
    for (std::uint32_t k = 0; k < term_links_.size(); ++k)
      for (const ConceptId end : {term_links_[k].compound, term_links_[k].component})
        term_links_of_.push(end, k);
  }

  const ConceptGraph& graph() const { return *graph_; }
  std::size_t size() const { return graph_->size(); }
  std::size_t edges() const { return hebbian() + term_links_.size(); }
  std::size_t hebbian() const { return links_.size(); }
  const HebbianLinks& hebbian_links() const { return links_; }
  /// An edge by its index: Hebbian links, then term links.
  GraphEdge edge(std::size_t index) const {
    if (index < hebbian()) {
      const HebbianLink link = links_[index];
      return {link.source, link.target, index};
    }
    const TermLink& link = term_links_[index - hebbian()];
    return {link.compound, link.component, index};
  }
  /// How many edges it has, of either kind.
  std::size_t degree(ConceptId v) const { return graph_->links_of(v).size() + term_links_of_[v].size(); }
  /// Hebbian links first.
  GraphEdge out_edge(ConceptId v, std::size_t place) const {
    const auto learnt = graph_->links_of(v);
    GraphEdge found =
        edge(place < learnt.size() ? learnt[place] : hebbian() + term_links_of_[v][place - learnt.size()]);
    if (found.source != v) std::swap(found.source, found.target);
    return found;
  }

 private:
  const ConceptGraph* graph_;
  HebbianLinks links_;
  std::vector<TermLink> term_links_;
  GrowingRows<std::uint32_t> term_links_of_;
};

/// Whether it is a Hebbian link; else a term link.
inline bool is_hebbian(const BoostConceptGraph& g, const GraphEdge& e) { return e.index < g.hebbian(); }

namespace bgl {

// Function objects that Boost's transform_iterator can default-construct and assign.
/// The edge of an index, for an iterator.
struct EdgeAt {
  const BoostConceptGraph* graph = nullptr;
  GraphEdge operator()(std::size_t index) const { return graph->edge(index); }
};

/// An edge that leads from a vertex, by its place among these, for an iterator.
struct OutEdgeAt {
  const BoostConceptGraph* graph = nullptr;
  ConceptId from = 0;
  GraphEdge operator()(std::size_t place) const { return graph->out_edge(from, place); }
};

/// The vertex at the other end of such an edge, for an iterator.
struct NeighbourAt {
  OutEdgeAt edge;
  ConceptId operator()(std::size_t place) const { return edge(place).target; }
};

struct Traversal : boost::vertex_list_graph_tag,
                   boost::edge_list_graph_tag,
                   boost::incidence_graph_tag,
                   boost::adjacency_graph_tag {};

/// Goes through what `At` gives for 0, 1, 2, ...
template <class At>
using Iterator = boost::transform_iterator<At, boost::counting_iterator<std::size_t>>;

/// From the first to behind the last of `count`.
template <class At>
std::pair<Iterator<At>, Iterator<At>> range(At at, std::size_t count) {
  return {Iterator<At>(boost::counting_iterator<std::size_t>(0), at),
          Iterator<At>(boost::counting_iterator<std::size_t>(count), at)};
}

}  // namespace bgl
}  // namespace engram::core

template <>
struct boost::graph_traits<engram::core::BoostConceptGraph> {
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
struct boost::property_map<engram::core::BoostConceptGraph, boost::vertex_index_t> {
  using type = boost::typed_identity_property_map<engram::core::ConceptId>;
  using const_type = type;
};

namespace engram::core {

/// What Boost.Graph knows of the type.
using GraphTraits = boost::graph_traits<BoostConceptGraph>;

/// What Boost.Graph asks of a graph, as its concepts VertexListGraph, EdgeListGraph, IncidenceGraph and
/// AdjacencyGraph have it: vertices are ids of concepts, edges Hebbian and term links.  Cost  O(1) each
inline std::pair<GraphTraits::vertex_iterator, GraphTraits::vertex_iterator> vertices(
    const BoostConceptGraph& g) {
  return {GraphTraits::vertex_iterator(0), GraphTraits::vertex_iterator(static_cast<ConceptId>(g.size()))};
}
inline std::size_t num_vertices(const BoostConceptGraph& g) { return g.size(); }
inline std::size_t num_edges(const BoostConceptGraph& g) { return g.edges(); }
inline auto edges(const BoostConceptGraph& g) { return bgl::range(bgl::EdgeAt{&g}, num_edges(g)); }
inline ConceptId source(const GraphEdge& e, const BoostConceptGraph&) { return e.source; }
inline ConceptId target(const GraphEdge& e, const BoostConceptGraph&) { return e.target; }
inline std::size_t out_degree(ConceptId v, const BoostConceptGraph& g) { return g.degree(v); }
inline auto out_edges(ConceptId v, const BoostConceptGraph& g) {
  return bgl::range(bgl::OutEdgeAt{&g, v}, out_degree(v, g));
}
inline auto adjacent_vertices(ConceptId v, const BoostConceptGraph& g) {
  return bgl::range(bgl::NeighbourAt{{&g, v}}, out_degree(v, g));
}

/// A vertex is its own index.
inline boost::typed_identity_property_map<ConceptId> get(boost::vertex_index_t, const BoostConceptGraph&) {
  return {};
}
/// A vertex is its own index.
inline ConceptId get(boost::vertex_index_t, const BoostConceptGraph&, ConceptId v) { return v; }

/// Hebbian weights at `now`, as a readable property map over edges; `term_link` for term links.
inline auto weight_map(const BoostConceptGraph& g, Time now, double term_link) {
  return boost::make_function_property_map<GraphEdge>([&g, now, term_link](const GraphEdge& e) {
    return is_hebbian(g, e) ? g.graph().weight(g.hebbian_links()[e.index], now) : term_link;
  });
}

}  // namespace engram::core
