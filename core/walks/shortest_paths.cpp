// SPDX-License-Identifier: MIT
#include "core/walks/shortest_paths.hpp"

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/detail/d_ary_heap.hpp>
#include <boost/iterator/filter_iterator.hpp>
#include <boost/iterator/transform_iterator.hpp>
#include <boost/pending/queue.hpp>
#include <boost/property_map/property_map.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "core/numbers/id_numbers.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/term_queries.hpp"

namespace engram::core {
namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();

// Names and the statements that mention them, as a graph of Boost (an IncidenceGraph) that is nowhere stored:
// vertices below n are concepts, the others statements.
class StatementGraph {
 public:
  using vertex_descriptor = std::size_t;
  using edge_descriptor = std::pair<std::size_t, std::size_t>;
  using directed_category = boost::directed_tag;
  using edge_parallel_category = boost::disallow_parallel_edge_tag;
  using traversal_category = boost::incidence_graph_tag;
  using vertices_size_type = std::size_t;
  using edges_size_type = std::size_t;
  using degree_size_type = std::size_t;

  // Function objects that Boost's iterators can default-construct and assign.
  struct EdgeTo {
    std::size_t from = 0, offset = 0;
    edge_descriptor operator()(std::uint32_t id) const { return {from, id + offset}; }
  };
  struct IsOpen {
    const StatementGraph* graph = nullptr;
    bool operator()(const edge_descriptor& edge) const { return graph->leads(edge.first, edge.second); }
  };
  using out_edge_iterator =
      boost::filter_iterator<IsOpen,
                             boost::transform_iterator<EdgeTo, const std::uint32_t*, edge_descriptor>>;

  StatementGraph(const MemoryIndex& memory, const ShortestPathOptions& options)
      : memory_(memory), options_(options), names_(static_cast<std::size_t>(memory.concepts())) {}

  std::size_t size() const { return names_ + static_cast<std::size_t>(memory_.statements()); }
  bool is_statement(std::size_t v) const { return v >= names_; }
  StatementId statement(std::size_t v) const { return static_cast<StatementId>(v - names_); }
  /// Whether it may be gone to.
  bool is_open(std::size_t v) const {
    if (left_out_.contains(static_cast<std::uint32_t>(v))) return false;
    if (v == from_ || v == to_) return true;
    if (!is_statement(v)) return options_.hubs != Hubs::closed || neighbours(v).size() <= options_.hub_size;
    const auto e = static_cast<Index>(v - names_);
    return memory_.evidence(e) > 0 && memory_.expectation(e) >= 0.5;
  }
  /// Ends are open whatever they are.
  void set_ends(std::size_t from, std::size_t to) {
    from_ = from;
    to_ = to;
  }
  void leave_out(StatementId e) { left_out_.insert(static_cast<std::uint32_t>(vertex_of(e))); }

  std::span<const std::uint32_t> neighbours(std::size_t v) const {
    return is_statement(v) ? memory_.episode(static_cast<Index>(v - names_))
                           : memory_.mentions(static_cast<Index>(v));
  }
  std::size_t vertex_of(StatementId e) const { return names_ + e; }

  // Whether there is an edge between neighbours, in this direction, to where it is open.
  bool leads(std::size_t from, std::size_t to) const {
    if (!is_open(to)) return false;
    if (options_.along == Along::any) return true;
    const bool enters = is_statement(to);
    const narsese::Term term = memory_.statement_term(statement(enters ? to : from));
    if (!term.is(narsese::Copula::inheritance)) return false;
    return narsese::sole_name(enters ? term.subject() : term.predicate()) ==
           memory_.term(static_cast<Index>(enters ? from : to));
  }

  // In the order of terms, which is the same whatever was said first; between two of a kind.
  bool comes_before(std::size_t u, std::size_t v) const {
    const auto order = narsese::compare(term(u), term(v));
    return order != 0 ? order < 0 : u < v;
  }

  // Of going to a vertex: statements and names are a step each, where hubs are not dear.
  double price(std::size_t to) const {
    if (options_.hubs != Hubs::dear) return 1;
    return is_statement(to) ? 0 : log(1 + static_cast<double>(neighbours(to).size()));
  }

  [[maybe_unused]] friend std::size_t num_vertices(const StatementGraph& g) { return g.size(); }
  friend std::size_t source(const edge_descriptor& e, const StatementGraph&) { return e.first; }
  friend std::size_t target(const edge_descriptor& e, const StatementGraph&) { return e.second; }
  friend std::size_t out_degree(std::size_t v, const StatementGraph& g) { return g.neighbours(v).size(); }
  friend std::pair<out_edge_iterator, out_edge_iterator> out_edges(std::size_t v, const StatementGraph& g) {
    const auto all = g.neighbours(v);
    const EdgeTo to{v, g.is_statement(v) ? 0 : g.names_};
    const boost::transform_iterator<EdgeTo, const std::uint32_t*, edge_descriptor> first(all.data(), to),
        last(all.data() + all.size(), to);
    return {out_edge_iterator(IsOpen{&g}, first, last), out_edge_iterator(IsOpen{&g}, last, last)};
  }

 private:
  narsese::Term term(std::size_t v) const {
    return is_statement(v) ? memory_.statement_term(statement(v)) : memory_.term(static_cast<Index>(v));
  }

  const MemoryIndex& memory_;
  const ShortestPathOptions& options_;
  std::size_t names_;
  std::size_t from_ = none, to_ = none;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  IdNumbers left_out_;
};

// A property map of Boost over all vertices that holds those alone that were given a value.
template <class T>
class FewValues {
 public:
  using key_type = std::size_t;
  using value_type = T;
  using reference = T;
  using category = boost::read_write_property_map_tag;

  explicit FewValues(T of_others) : of_others_(of_others), held_(std::make_shared<Held>()) {}
  T operator[](std::size_t v) const {
    const auto number = held_->vertices.find(static_cast<std::uint32_t>(v));
    return number ? held_->values[*number] : of_others_;
  }
  friend T get(const FewValues& map, std::size_t v) { return map[v]; }
  friend void put(const FewValues& map, std::size_t v, T value) {
    const auto [number, is_new] = map.held_->vertices.insert(static_cast<std::uint32_t>(v));
    if (is_new) map.held_->values.push_back(value);
    map.held_->values[number] = value;
  }

 private:
  struct Held {
    IdNumbers vertices;
    std::vector<T> values;
  };
  T of_others_;
  std::shared_ptr<Held> held_;  // Boost copies property maps
};
using Distances = FewValues<double>;

// Thrown out of Boost's search, which ends in no other way before it has seen everything.
struct EndReached {};

struct BreadthVisitor : boost::default_bfs_visitor {
  BreadthVisitor(std::size_t to, const Distances& of_all) : end(to), distance(of_all) {}
  void examine_vertex(std::size_t v, const StatementGraph& g) const {
    charge(8 + 16 * g.neighbours(v).size());
  }
  void tree_edge(const StatementGraph::edge_descriptor& e, const StatementGraph&) const {
    put(distance, e.second, distance[e.first] + 1);
    if (e.second == end) throw EndReached();
  }
  std::size_t end;
  Distances distance;
};

class PathSearch {
 public:
  PathSearch(const MemoryIndex& memory, const ShortestPathOptions& options)
      : options_(options), graph_(memory, options) {}

  struct Path {
    double cost = 0;
    StatementPath statements;
  };

  void leave_out(const StatementPath& path) {
    for (const StatementId e : path) graph_.leave_out(e);
  }

  std::optional<Path> between(ConceptId a, ConceptId b) {
    std::optional<Path> there = from_to(a, b);
    if (options_.along == Along::any) return there;  // which is the same both ways
    std::optional<Path> back = from_to(b, a);
    return there && (!back || there->cost <= back->cost) ? there : back;
  }

 private:
  std::optional<Path> from_to(ConceptId from, ConceptId to) {
    graph_.set_ends(from, to);
    distance_ = Distances(unreached);
    put(distance_, from, 0.0);
    const bool found = options_.hubs == Hubs::dear ? reaches_by_price(from, to) : reaches_by_steps(from, to);
    return found ? std::optional(way_back(from, to)) : std::nullopt;
  }

  bool reaches_by_steps(std::size_t from, std::size_t to) {
    const FewValues<boost::default_color_type> colours(boost::white_color);
    boost::queue<std::size_t> queue;
    try {
      boost::breadth_first_visit(graph_, from, queue, BreadthVisitor(to, distance_), colours);
    } catch (const EndReached&) {
      return true;
    }
    return false;
  }

  // Dijkstra's search; Boost's own begins with a place in the heap for every vertex.
  bool reaches_by_price(std::size_t from, std::size_t to) {
    const FewValues<std::size_t> places(static_cast<std::size_t>(-1));
    boost::d_ary_heap_indirect<std::size_t, 4, FewValues<std::size_t>, Distances> open(distance_, places);
    for (open.push(from); !open.empty();) {
      const std::size_t v = open.top();
      if (v == to) return true;
      open.pop();
      charge(32 + 32 * graph_.neighbours(v).size());
      const auto edges = out_edges(v, graph_);
      for (auto edge = edges.first; edge != edges.second; ++edge) {
        const std::size_t next = (*edge).second;
        const double cost = distance_[v] + graph_.price(next);
        if (!(cost < distance_[next])) continue;
        put(distance_, next, cost);
        open.push_or_update(next);
      }
    }
    return false;
  }

  // By the distances alone, such that it does not depend on the order in which a heap gives out what is
  // equal.
  Path way_back(std::size_t from, std::size_t to) const {
    Path path;
    for (std::size_t v = to; v != from;) {
      const double step = graph_.price(v);
      std::size_t before = v;
      for (const std::uint32_t id : graph_.neighbours(v)) {
        const std::size_t u = graph_.is_statement(v) ? id : graph_.vertex_of(id);
        if (distance_[u] + step != distance_[v] || !graph_.leads(u, v)) continue;
        if (before == v || graph_.comes_before(u, before)) before = u;
      }
      if (graph_.is_statement(before)) path.statements.push_back(graph_.statement(before));
      if (!graph_.is_statement(before) && before != from && options_.hubs == Hubs::dear)
        path.cost += graph_.price(before);
      v = before;
    }
    if (options_.hubs != Hubs::dear) path.cost = static_cast<double>(path.statements.size());
    std::ranges::reverse(path.statements);
    return path;
  }

  const ShortestPathOptions& options_;
  StatementGraph graph_;
  Distances distance_{unreached};
};

struct Pair {
  ConceptId a = 0, b = 0;
  std::optional<PathSearch::Path> path;

  bool goes_by(const StatementPath& statements) const {
    return std::ranges::find_first_of(path->statements, statements) != path->statements.end();
  }
};

}  // namespace

std::vector<StatementPath> shortest_paths(const MemoryIndex& memory, std::span<const ConceptId> ends,
                                          const ShortestPathOptions& options) {
  PathSearch search(memory, options);
  std::vector<ConceptId> ordered(ends.begin(), ends.end());
  std::ranges::sort(ordered, [&](ConceptId a, ConceptId b) {
    return narsese::compare(memory.term(a), memory.term(b)) < 0;
  });
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < ordered.size(); ++i)
    for (std::size_t j = i + 1; j < ordered.size(); ++j)
      pairs.push_back({ordered[i], ordered[j], search.between(ordered[i], ordered[j])});

  std::vector<StatementPath> paths;
  while (true) {
    std::erase_if(pairs, [](const Pair& pair) { return !pair.path; });
    if (pairs.empty() || paths.size() == options.paths) return paths;
    const auto best = std::ranges::min_element(pairs, {}, [](const Pair& pair) { return pair.path->cost; });
    paths.push_back(best->path->statements);
    if (paths.size() == options.paths) return paths;
    search.leave_out(paths.back());
    for (Pair& pair : pairs)  // others are still the best between theirs
      if (pair.goes_by(paths.back())) pair.path = search.between(pair.a, pair.b);
  }
}

}  // namespace engram::core
