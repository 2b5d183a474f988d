// SPDX-License-Identifier: MIT
#include "core/graph/concept_graph.hpp"

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/graphml.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <sstream>

#include "core/graph/boost_graph.hpp"
#include "narsese/parser.hpp"
#include "narsese/printer.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

using Ids = std::vector<ConceptId>;

narsese::Term parsed(narsese::TermTable& table, std::string_view text) {
  return narsese::parse_term(text, table).value();
}

// A graph of n atoms named a0, a1, ...
struct Atoms {
  narsese::TermTable terms;
  ConceptGraph graph;
  Atoms(std::uint32_t n, double decay) : graph(decay) {
    for (std::uint32_t i = 0; i < n; ++i) graph.intern(terms.atom("a" + std::to_string(i)));
  }
};

std::set<std::pair<std::string, std::string>> term_links_of(const ConceptGraph& g) {
  std::set<std::pair<std::string, std::string>> links;
  for (const TermLink& link : g.term_links())
    links.emplace(narsese::print(g[link.compound].term), narsese::print(g[link.component].term));
  return links;
}

TEST_CASE("interning a term adds a concept for each component", "[concept_graph]") {
  narsese::TermTable terms;
  ConceptGraph graph;
  const auto term = parsed(terms, "<(*,{tim},tom) --> parent>");
  const ConceptId id = graph.intern(term);
  CHECK(graph[id].term == term);
  CHECK(graph.size() == 6);
  const std::set<std::pair<std::string, std::string>> expected{
      {"<(*,{tim},tom) --> parent>", "(*,{tim},tom)"},
      {"<(*,{tim},tom) --> parent>", "parent"},
      {"(*,{tim},tom)", "{tim}"},
      {"(*,{tim},tom)", "tom"},
      {"{tim}", "tim"}};
  CHECK(term_links_of(graph) == expected);
  CHECK(graph.hebbian_links().empty());

  CHECK(graph.intern(term) == id);  // adds nothing
  CHECK(graph.size() == 6);
  CHECK(graph.term_links().size() == 5);
  CHECK(graph.find(parsed(terms, "tom")).has_value());
  CHECK_FALSE(graph.find(parsed(terms, "tam")).has_value());
  // A new term links to existing concepts.
  graph.intern(parsed(terms, "<tom --> parent>"));
  CHECK(graph.size() == 7);
  CHECK(graph.term_links().size() == 7);
}

TEST_CASE("ids are consecutive and permanent", "[concept_graph]") {
  Atoms atoms(500, 0);  // enough for the index to grow several times
  for (std::uint32_t i = 0; i < 500; ++i) {
    const auto term = atoms.terms.atom("a" + std::to_string(i));
    CHECK(atoms.graph.find(term) == std::optional<ConceptId>(i));
    CHECK(atoms.graph.intern(term) == i);
  }
  CHECK(atoms.graph.size() == 500);
}

TEST_CASE("variables get no concepts and no links", "[concept_graph]") {
  narsese::TermTable terms;
  ConceptGraph graph;
  CHECK_INVALID(graph.intern(terms.variable(narsese::VariableKind::independent, 1)));
  CHECK_INVALID(graph.intern(narsese::Term()));
  CHECK(graph.size() == 0);
  graph.intern(parsed(terms, "<<$1 --> bird> ==> <$1 --> animal>>"));
  for (ConceptId id = 0; id < graph.size(); ++id) CHECK(graph[id].term.kind() != narsese::TermKind::variable);
  CHECK(graph.size() == 5);  // the implication, its two sides, bird, animal
  CHECK(graph.term_links().size() == 4);
}

TEST_CASE("a repeated component gets one term link", "[concept_graph]") {
  narsese::TermTable terms;
  ConceptGraph graph;
  graph.intern(parsed(terms, "(*,a,b,a)"));
  CHECK(graph.size() == 3);
  CHECK(graph.term_links().size() == 2);
}

struct ActiveIds {
  Ids active;
  double evidence;
  Time time;
};

std::vector<ActiveIds> random_episodes(Rng& rng, std::uint32_t n, int count) {
  std::vector<ActiveIds> episodes;
  Time now = 0;
  for (int e = 0; e < count; ++e) {
    auto units = rng.permutation(n);
    units.resize(rng.below(n + 1));
    std::sort(units.begin(), units.end());
    now += rng.below(4);
    episodes.push_back({units, uniform(rng, 0, 1), now});
  }
  return episodes;
}

TEST_CASE("Hebbian weights equal A'DA, the sum over episodes", "[concept_graph]") {
  Rng rng(1, "concept_graph_test hebbian");
  for (const double decay : {0.0, 0.01, 0.3})
    for (int trial = 0; trial < 20; ++trial) {
      const auto n = static_cast<std::uint32_t>(1 + rng.below(10));
      Atoms atoms(n, decay);
      const auto episodes = random_episodes(rng, n, 30);
      for (const ActiveIds& e : episodes) atoms.graph.co_activate(e.active, e.evidence, e.time);
      const Time now = episodes.back().time + rng.below(20);

      Matrix expected = Matrix::Zero(n, n), touched = Matrix::Zero(n, n);
      for (const ActiveIds& e : episodes)
        for (const auto i : e.active)
          for (const auto j : e.active) {
            expected(i, j) += e.evidence * std::pow(1 - decay, static_cast<double>(now - e.time));
            touched(i, j) = 1;
          }
      Matrix found = Matrix::Zero(n, n), linked = Matrix::Zero(n, n);
      for (ConceptId i = 0; i < n; ++i) {
        found(i, i) = atoms.graph.activity(i, now);
        linked(i, i) = touched(i, i);
      }
      for (const HebbianLink& link : atoms.graph.hebbian_links()) {
        REQUIRE(link.source < link.target);
        REQUIRE(linked(link.source, link.target) == 0);  // each pair has at most one link
        found(link.source, link.target) = found(link.target, link.source) = atoms.graph.weight(link, now);
        linked(link.source, link.target) = linked(link.target, link.source) = 1;
      }
      // Without decay both sums are equal. With decay they differ by at most thirty rounding errors of sums below 30.
      REQUIRE(distance(found, expected) <= (decay == 0 ? 0.0 : 1e-12));
      REQUIRE(linked == touched);
    }
}

TEST_CASE("the evidence of a link matches an example computed by hand", "[concept_graph]") {
  Atoms atoms(3, 0.5);
  ConceptGraph& graph = atoms.graph;
  graph.co_activate(Ids{0, 1}, 1.0, 0);
  graph.co_activate(Ids{0}, 0.5, 1);
  graph.co_activate(Ids{1, 2}, 1.0, 2);
  const HebbianLink link = *graph.find_link(0, 1);
  // At time 2 each cycle has halved the evidence. The pair has 1/4, concept 0 has 1/4 + 1/4, and concept 1 has 1/4 + 1.
  CHECK(graph.activity(0, 2) == 0.5);
  CHECK(graph.activity(1, 2) == 1.25);
  CHECK(graph.weight(link, 2) == 0.25);
  const narsese::Evidence evidence = graph.evidence(link, 2);
  CHECK(evidence.positive == 0.25);
  CHECK(evidence.total == 1.5);  // both activities minus the weight of the pair
  CHECK(graph.evidence(link, 3).positive == 0.125);
  CHECK(graph.evidence(link, 3).total == 0.75);
  // Two concepts that are always active together have only positive evidence, despite rounding.
  for (int i = 0; i < 100; ++i) graph.co_activate(Ids{0, 2}, 0.1, 3 + static_cast<Time>(i));
  for (const HebbianLink& each : graph.hebbian_links()) {
    const narsese::Evidence e = graph.evidence(each, 200);
    CHECK(e.positive >= 0);
    CHECK(e.positive <= e.total);
  }
}

TEST_CASE("retention() is a power of the share that one cycle keeps", "[concept_graph]") {
  for (const double decay : {0.0, 1e-6, 0.001, 0.1, 0.5, 0.999}) {
    const ConceptGraph graph(decay);
    CHECK(graph.decay() == decay);
    for (const Time cycles : {0ULL, 1ULL, 2ULL, 3ULL, 7ULL, 64ULL, 1000ULL, 4095ULL}) {
      const double expected = std::pow(1 - decay, static_cast<double>(cycles));
      // Each squaring doubles the relative error, so the result has at most about 4096 half-roundings.
      CHECK(std::abs(graph.retention(cycles) - expected) <= 1e-12 * expected);
    }
  }
  CHECK(ConceptGraph(0.5).retention(3) == 0.125);
  CHECK(ConceptGraph(0).retention(~Time{0}) == 1.0);
  CHECK(ConceptGraph(0.5).retention(~Time{0}) == 0.0);
}

TEST_CASE("retention() multiplies the powers in ascending order, bit for bit", "[concept_graph]") {
  for (const double decay : {1e-6, 0.001, 0.3}) {
    const ConceptGraph graph(decay);
    for (Time cycles = 0; cycles < 70'000; cycles += 1 + cycles / 600) {
      double expected = 1, power = 1 - decay;
      for (Time rest = cycles; rest > 0; rest /= 2, power *= power)
        if (rest % 2 == 1) expected *= power;
      REQUIRE(graph.retention(cycles) == expected);
    }
  }
}

TEST_CASE("the graph rejects a decay outside [0, 1)", "[concept_graph]") {
  for (const double decay : {-0.1, 1.0, 2.0, std::nan("")}) CHECK_INVALID(ConceptGraph(decay));
}

// A graph of six concepts. Its Hebbian links are a0 - a1 of weight 4, a1 - a2 of 1 and a0 - a2 of 0.5. Its term links
// lead from (*,a3,a4) to a3 and a4.
struct Example {
  Atoms atoms{5, 0};
  ConceptId compound = [this] {
    atoms.graph.co_activate(Ids{0, 1}, 4.0, 1);
    atoms.graph.co_activate(Ids{1, 2}, 1.0, 2);
    atoms.graph.co_activate(Ids{0, 2}, 0.5, 3);
    return atoms.graph.intern(parsed(atoms.terms, "(*,a3,a4)"));
  }();
  BoostGraph g = to_boost_graph(atoms.graph, 3);
};

TEST_CASE("the Boost graph has all concepts and links in order, with their numbers", "[concept_graph][bgl]") {
  Rng rng(2, "concept_graph_test bgl");
  Atoms atoms(20, 0.1);
  for (const ActiveIds& e : random_episodes(rng, 8, 6)) atoms.graph.co_activate(e.active, e.evidence, e.time);
  atoms.graph.intern(parsed(atoms.terms, "<(*,a1,{a2}) --> (&,a3,a1)>"));
  const ConceptGraph& graph = atoms.graph;
  constexpr Time now = 100;
  const BoostGraph g = to_boost_graph(graph, now);
  REQUIRE(num_vertices(g) == graph.size());
  REQUIRE(num_edges(g) == graph.hebbian_links().size() + graph.term_links().size());
  for (ConceptId id = 0; id < graph.size(); ++id) {
    CHECK(g[id].term == graph.term(id));
    CHECK(g[id].activity == graph.activity(id, now));
  }
  auto edge = edges(g).first;
  for (const HebbianLink& link : graph.hebbian_links()) {
    CHECK(source(*edge, g) == link.source);
    CHECK(target(*edge, g) == link.target);
    CHECK(g[*edge].is_hebbian);
    CHECK(g[*edge].weight == graph.weight(link, now));
    CHECK(g[*edge].truth == graph.truth(link, now));
    ++edge;
  }
  for (const TermLink& link : graph.term_links()) {
    CHECK(source(*edge, g) == link.compound);
    CHECK(target(*edge, g) == link.component);
    CHECK_FALSE(g[*edge].is_hebbian);
    CHECK(g[*edge].weight == 0);
    ++edge;
  }
  CHECK(edge == edges(g).second);
}

TEST_CASE_METHOD(Example, "connected_components runs on the Boost graph", "[concept_graph][bgl]") {
  std::vector<int> component(num_vertices(g));
  const int count = boost::connected_components(
      g, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, g)));
  CHECK(count == 2);
  CHECK(component == std::vector<int>{0, 0, 0, 1, 1, 1});
  const Atoms apart(3, 0);
  CHECK(boost::connected_components(to_boost_graph(apart.graph, 0), boost::dummy_property_map()) == 3);
}

TEST_CASE_METHOD(Example, "dijkstra_shortest_paths runs on the Boost graph with Hebbian weights",
                 "[concept_graph][bgl]") {
  const auto index = get(boost::vertex_index, g);
  const auto [first, last] = edges(g);
  for (auto edge = first; edge != last; ++edge)
    if (!g[*edge].is_hebbian) g[*edge].weight = 10;
  std::vector<double> far(num_vertices(g));
  std::vector<BoostGraph::vertex_descriptor> before(num_vertices(g));
  boost::dijkstra_shortest_paths(
      g, ConceptId{1},
      boost::weight_map(get(&BoostEdge::weight, g))
          .distance_map(boost::make_iterator_property_map(far.begin(), index))
          .predecessor_map(boost::make_iterator_property_map(before.begin(), index)));
  CHECK(far[1] == 0);
  CHECK(far[2] == 1);
  CHECK(far[0] == 1.5);  // through a2, shorter than the direct link of 4
  CHECK(before[0] == 2);
  CHECK(far[3] == std::numeric_limits<double>::max());  // unreachable
  boost::dijkstra_shortest_paths(g, ConceptId{3},
                                 boost::weight_map(get(&BoostEdge::weight, g))
                                     .distance_map(boost::make_iterator_property_map(far.begin(), index)));
  CHECK(far[compound] == 10);
  CHECK(far[4] == 20);
}

TEST_CASE_METHOD(Example, "breadth_first_search runs on the Boost graph", "[concept_graph][bgl]") {
  std::vector<int> hops(num_vertices(g), -1);
  hops[3] = 0;
  boost::breadth_first_search(
      g, ConceptId{3},
      boost::visitor(boost::make_bfs_visitor(boost::record_distances(
          boost::make_iterator_property_map(hops.begin(), get(boost::vertex_index, g)),
          boost::on_tree_edge()))));
  CHECK(hops == std::vector<int>{-1, -1, -1, 0, 2, 1});
}

TEST_CASE_METHOD(Example, "write_graphml and write_graphviz write every concept and link",
                 "[concept_graph][bgl]") {
  const auto name = boost::make_function_property_map<BoostGraph::vertex_descriptor>(
      [this](auto id) { return narsese::print(g[id].term); });

  std::ostringstream graphml;
  boost::dynamic_properties properties;
  properties.property("term", name);
  properties.property("weight", get(&BoostEdge::weight, g));
  boost::write_graphml(graphml, g, properties, true);
  const std::string xml = graphml.str();
  const auto count = [](const std::string& text, const std::string& part) {
    int times = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
    return times;
  };
  CHECK(count(xml, "<node id=") == 6);
  CHECK(count(xml, "<edge id=") == 5);
  CHECK(xml.find("edgedefault=\"undirected\"") != std::string::npos);
  for (const char* term : {">a0<", ">a1<", ">a2<", ">a3<", ">a4<", ">(*,a3,a4)<", ">0.5<", ">4<"})
    CHECK(xml.find(term) != std::string::npos);

  std::ostringstream graphviz;
  boost::write_graphviz(graphviz, g, boost::make_label_writer(name));
  const std::string dot = graphviz.str();
  CHECK(dot.find("graph G {") == 0);
  for (const char* part : {"a0", "a1", "a2", "a3", "a4", "(*,a3,a4)", "0--1", "1--2", "0--2", "5--3", "5--4"})
    CHECK(dot.find(part) != std::string::npos);
  CHECK(count(dot, "--") == 5);
}

}  // namespace
}  // namespace engram::core
