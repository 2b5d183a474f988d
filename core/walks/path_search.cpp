// SPDX-License-Identifier: MIT
#include "core/walks/path_search.hpp"

#include <algorithm>
#include <boost/graph/detail/d_ary_heap.hpp>
#include <boost/property_map/property_map.hpp>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "core/numbers/numeric.hpp"
#include "core/numbers/sparse_vector.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/term_queries.hpp"

namespace engram::core {

bool is_operator(const MemoryIndex& memory, ConceptId id) {
  return memory.term(id).kind() == narsese::TermKind::op;
}

std::vector<QuestionEnd> question_ends(const MemoryIndex& memory, const Cue& cue,
                                       const std::function<bool(Position)>& is_open) {
  constexpr std::size_t most_ends = 16;  // chosen: the number of pairs grows quadratically
  std::vector<QuestionEnd> all, open, things;
  const std::vector<Leaf> asked = cue.term ? leaves(cue.term) : std::vector<Leaf>();
  for (const ConceptId id : cue.names()) {
    if (all.size() == most_ends) break;
    all.push_back({id, {}});
    const auto leaf = std::ranges::find(asked, memory.term(id), &Leaf::term);
    if (leaf == asked.end()) continue;
    all.back().place = leaf->position;
    if (is_open(leaf->position)) open.push_back(all.back());
  }
  if (open.size() >= 2) return open;
  std::ranges::copy_if(all, std::back_inserter(things),
                       [&](const QuestionEnd& e) { return !is_operator(memory, e.id); });
  return things.size() >= 2 ? things : all;
}

std::vector<QuestionEnd> question_ends(const MemoryIndex& memory, const Cue& cue) {
  std::set<Position> places;
  const auto add_open = [&](narsese::Term part) {
    for (const Leaf& leaf : leaves(part))
      if (leaf.term.kind() == narsese::TermKind::variable) places.insert(leaf.position);
  };
  std::vector<RulePattern> rules;
  for (const StatementId e : memory.rules()) add_rule_patterns(e, memory.statement_term(e), rules);
  for (const RulePattern& rule : rules) {
    std::ranges::for_each(rule.premises, add_open);
    add_open(rule.conclusion);
  }
  return question_ends(memory, cue, [&](Position p) { return places.contains(p); });
}

std::vector<Neighbour> neighbourhood(const MemoryIndex& memory, std::span<const ConceptId> names,
                                     const NeighbourhoodOptions& options) {
  IdNumbers known, found;
  std::vector<ConceptId> border(names.begin(), names.end());
  for (const ConceptId id : border) known.insert(id);

  std::vector<Neighbour> neighbours;
  for (int hop = 1; hop <= options.hops && !border.empty() && neighbours.size() < options.most; ++hop) {
    std::vector<StatementId> fresh;
    for (const ConceptId id : border) {
      const auto mentions = memory.mentions(id);
      charge(2 * mentions.size());
      for (const StatementId e : mentions)
        if (found.insert(e).second) fresh.push_back(e);
    }
    std::ranges::sort(fresh);
    fresh.resize(std::min(fresh.size(), options.most - neighbours.size()));
    border.clear();
    for (const StatementId e : fresh) {
      neighbours.push_back({e, hop});
      if (memory.expectation(e) < 0.5) continue;
      for (const ConceptId id : memory.episode(e))
        if (known.insert(id).second) border.push_back(id);
    }
  }
  return neighbours;
}

namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();

// View of names and the statements that mention them as a graph. Vertices below n are concepts, the others statements.
class StatementGraph {
 public:
  StatementGraph(const MemoryIndex& memory, const ShortestPathOptions& options)
      : memory_(memory), options_(options), names_(static_cast<std::size_t>(memory.concepts())) {}

  bool is_statement(std::size_t v) const { return v >= names_; }
  StatementId statement(std::size_t v) const { return static_cast<StatementId>(v - names_); }
  // Whether paths may enter the vertex.
  bool is_open(std::size_t v) const {
    if (left_out_.contains(static_cast<std::uint32_t>(v))) return false;
    if (v == from_ || v == to_) return true;
    if (!is_statement(v)) return options_.hubs != Hubs::closed || neighbours(v).size() <= options_.hub_size;
    const auto e = static_cast<Index>(v - names_);
    return memory_.evidence(e) > 0 && memory_.expectation(e) >= 0.5;
  }
  // Sets the ends, which are always open.
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

  // Whether the edge between two neighbours exists in this direction and leads to an open vertex.
  bool leads(std::size_t from, std::size_t to) const {
    if (!is_open(to)) return false;
    if (options_.along == Along::any) return true;
    const bool enters = is_statement(to);
    const narsese::Term term = memory_.statement_term(statement(enters ? to : from));
    if (!term.is(narsese::Copula::inheritance)) return false;
    return narsese::sole_name(enters ? term.subject() : term.predicate()) ==
           memory_.term(static_cast<Index>(enters ? from : to));
  }

  // Compares two vertices of one kind by their terms, so that the order of input does not matter.
  bool comes_before(std::size_t u, std::size_t v) const {
    const auto order = narsese::compare(term(u), term(v));
    return order != 0 ? order < 0 : u < v;
  }

  // The price of entering a vertex; 1 for every vertex unless hubs are dear.
  double price(std::size_t to) const {
    if (options_.hubs != Hubs::dear) return 1;
    return is_statement(to) ? 0 : log(1 + static_cast<double>(neighbours(to).size()));
  }

  // Calls visit(u) for each neighbour u that a path may go to from v.
  template <class Visit>
  void for_each_next(std::size_t v, const Visit& visit) const {
    const std::size_t offset = is_statement(v) ? 0 : names_;
    for (const std::uint32_t id : neighbours(v))
      if (leads(v, id + offset)) visit(id + offset);
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

// Boost property map over all vertices that stores only the values that were put.
template <class T>
class SparsePropertyMap {
 public:
  using key_type = std::size_t;
  using value_type = T;
  using reference = T;
  using category = boost::read_write_property_map_tag;

  explicit SparsePropertyMap(T of_others) : of_others_(of_others), held_(std::make_shared<Held>()) {}
  T operator[](std::size_t v) const {
    const auto number = held_->vertices.find(static_cast<std::uint32_t>(v));
    return number ? held_->values[*number] : of_others_;
  }
  friend T get(const SparsePropertyMap& map, std::size_t v) { return map[v]; }
  friend void put(const SparsePropertyMap& map, std::size_t v, T value) {
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
using Distances = SparsePropertyMap<double>;

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
    if (a == b) return std::nullopt;
    std::optional<Path> there = from_to(a, b);
    if (options_.along == Along::any) return there;  // symmetric
    std::optional<Path> back = from_to(b, a);
    return there && (!back || there->cost <= back->cost) ? there : back;
  }

 private:
  std::optional<Path> from_to(ConceptId from, ConceptId to) {
    graph_.set_ends(from, to);
    distance_ = Distances(unreached);
    put(distance_, from, 0.0);
    const bool found = options_.hubs == Hubs::dear ? reaches_by_price(from, to) : reaches_by_steps(from, to);
    return found ? std::optional(trace_back(from, to)) : std::nullopt;
  }

  bool reaches_by_steps(std::size_t from, std::size_t to) {
    std::vector<std::size_t> queue{from};
    for (std::size_t i = 0; i < queue.size() && distance_[to] == unreached; ++i) {
      const std::size_t v = queue[i];
      charge(8 + 16 * graph_.neighbours(v).size());
      graph_.for_each_next(v, [&](std::size_t next) {
        if (distance_[next] != unreached) return;
        put(distance_, next, distance_[v] + 1);
        queue.push_back(next);
      });
    }
    return distance_[to] != unreached;
  }

  // Dijkstra's algorithm. Boost's own initialises every vertex.
  bool reaches_by_price(std::size_t from, std::size_t to) {
    const SparsePropertyMap<std::size_t> places(static_cast<std::size_t>(-1));
    boost::d_ary_heap_indirect<std::size_t, 4, SparsePropertyMap<std::size_t>, Distances> open(distance_,
                                                                                               places);
    for (open.push(from); !open.empty();) {
      const std::size_t v = open.top();
      if (v == to) return true;
      open.pop();
      charge(32 + 32 * graph_.neighbours(v).size());
      graph_.for_each_next(v, [&](std::size_t next) {
        const double cost = distance_[v] + graph_.price(next);
        if (!(cost < distance_[next])) return;
        put(distance_, next, cost);
        open.push_or_update(next);
      });
    }
    return false;
  }

  // Reconstructs the path from the distances only, so it does not depend on the heap's order of equal entries.
  Path trace_back(std::size_t from, std::size_t to) const {
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
    for (Pair& pair : pairs)  // the other pairs keep their best paths
      if (pair.goes_by(paths.back())) pair.path = search.between(pair.a, pair.b);
  }
}

}  // namespace engram::core
