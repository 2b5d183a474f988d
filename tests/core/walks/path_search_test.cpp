// SPDX-License-Identifier: MIT
#include "core/walks/path_search.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// Reference implementation: the number of hops to each statement, by relaxation to a fixed point.
std::map<StatementId, int> hops_by_relaxation(const MemoryIndex& memory,
                                              const std::vector<ConceptId>& names) {
  std::map<ConceptId, int> of_names;
  for (const ConceptId id : names) of_names[id] = 0;
  std::map<StatementId, int> hops;
  for (bool changed = true; changed;) {
    changed = false;
    for (Index i = 0; i < memory.statements(); ++i) {
      const auto e = static_cast<StatementId>(i);
      for (const ConceptId id : memory.episode(i))
        if (of_names.count(id) == 1 && (hops.count(e) == 0 || hops[e] > of_names[id] + 1)) {
          hops[e] = of_names[id] + 1;
          changed = true;
        }
      if (hops.count(e) == 0 || memory.expectation(i) < 0.5) continue;
      for (const ConceptId id : memory.episode(i))
        if (of_names.count(id) == 0 || of_names[id] > hops[e]) {
          of_names[id] = hops[e];
          changed = true;
        }
    }
  }
  return hops;
}

TEST_CASE("a neighbourhood matches relaxation, ordered by hop", "[neighbourhood]") {
  Rng rng(3, "neighbourhood_test");
  for (int trial = 0; trial < 40; ++trial) {
    Memory memory;
    for (int i = 0; i < 25; ++i)
      say(memory, "<a" + std::to_string(rng.below(18)) + " --> a" + std::to_string(rng.below(18)) +
                      (rng.below(5) == 0 ? ">. %0.1;0.9%" : ">."));
    const MemoryIndex readings(memory);
    const std::vector<ConceptId> names =
        cue_for(memory, samples::term(memory, "(*,a0,a1)")).activation.whole().sum() > 0
            ? memory.known_concepts(samples::term(memory, "(*,a0,a1)"))
            : std::vector<ConceptId>();
    const auto hops = hops_by_relaxation(readings, names);
    for (const int limit : {1, 2, 4, 20}) {
      const auto found = neighbourhood(readings, names, {limit, 1000});
      const auto within = std::ranges::count_if(hops, [&](const auto& one) { return one.second <= limit; });
      REQUIRE(static_cast<std::ptrdiff_t>(found.size()) == within);
      for (std::size_t i = 0; i < found.size(); ++i) {
        CHECK(hops.at(found[i].statement) == found[i].hop);
        if (i > 0)
          CHECK(std::pair(found[i - 1].hop, found[i - 1].statement) <
                std::pair(found[i].hop, found[i].statement));
      }
      const auto few = neighbourhood(readings, names, {limit, 3});
      REQUIRE(few.size() == std::min<std::size_t>(3, found.size()));
      for (std::size_t i = 0; i < few.size(); ++i) CHECK(few[i].statement == found[i].statement);
    }
  }
}

TEST_CASE("denied statements are found but not expanded", "[neighbourhood]") {
  Memory memory = told({"<a --> b>. %0.0;0.9%", "<b --> c>.", "<a --> d>.", "<d --> e>."});
  const MemoryIndex readings(memory);
  const std::vector<ConceptId> a{concept_of(memory, "a")};
  std::vector<std::pair<StatementId, int>> found;
  for (const Neighbour& one : neighbourhood(readings, a, {})) found.emplace_back(one.statement, one.hop);
  CHECK(found == std::vector<std::pair<StatementId, int>>{{0, 1}, {2, 1}, {3, 2}});
  CHECK(neighbourhood(readings, std::vector<ConceptId>(), {}).empty());
}

// Enumerates all simple paths recursively and selects the best by the documented rule.
struct EveryPath {
  const MemoryIndex& memory;
  const ShortestPathOptions& options;
  std::set<StatementId> left_out = {};

  struct Way {
    double cost = 0;
    std::vector<narsese::Term> back;  // statement, name, statement, ... from the last end
    StatementPath statements;
    bool before(const Way& other) const {
      if (cost != other.cost) return cost < other.cost;
      return std::ranges::lexicographical_compare(
          back, other.back, [](narsese::Term a, narsese::Term b) { return narsese::compare(a, b) < 0; });
    }
  };

  double occurrences(ConceptId id) const { return static_cast<double>(memory.mentions(id).size()); }
  static std::string bare(narsese::Term term) {
    const bool set = term.kind() == narsese::TermKind::compound && term.components().size() == 1;
    const narsese::Term inner = set ? term.components()[0] : term;
    return inner.kind() == narsese::TermKind::atom ? std::string(inner.name()) : "";
  }
  bool steps(ConceptId from, StatementId by, ConceptId to) const {
    const auto has = [&](ConceptId id) { return std::ranges::count(memory.episode(by), id) == 1; };
    if (from == to || !has(from) || !has(to) || left_out.count(by) == 1 || memory.expectation(by) < 0.5)
      return false;
    if (options.along == Along::any) return true;
    const narsese::Term term = memory.statement_term(by);
    return term.is(narsese::Copula::inheritance) && bare(term.subject()) == memory.term(from).name() &&
           bare(term.predicate()) == memory.term(to).name();
  }
  void extend(std::vector<ConceptId>& names, StatementPath& by, ConceptId to,
              std::optional<Way>& best) const {
    if (names.back() == to) {
      Way way{0, {}, by};
      for (std::size_t i = 1; i + 1 < names.size(); ++i)
        way.cost += options.hubs == Hubs::dear ? std::log(1 + occurrences(names[i])) : 0;
      if (options.hubs != Hubs::dear) way.cost = static_cast<double>(by.size());
      // Sums in another order differ in the last bit, so nearly equal costs are ties.
      way.cost = std::round(way.cost * 1e9) / 1e9;
      for (std::size_t i = by.size(); i-- > 0;) {
        way.back.push_back(memory.statement_term(by[i]));
        way.back.push_back(memory.term(names[i]));
      }
      if (!best || way.before(*best)) best = way;
      return;
    }
    const bool closed = options.hubs == Hubs::closed && names.size() > 1 &&
                        occurrences(names.back()) > static_cast<double>(options.hub_size);
    for (Index e = 0; e < memory.statements() && !closed; ++e)
      for (Index c = 0; c < memory.concepts(); ++c) {
        const auto id = static_cast<ConceptId>(c);
        const auto statement = static_cast<StatementId>(e);
        if (std::ranges::count(names, id) > 0 || !steps(names.back(), statement, id)) continue;
        names.push_back(id);
        by.push_back(statement);
        extend(names, by, to, best);
        names.pop_back();
        by.pop_back();
      }
  }
  std::optional<Way> from_to(ConceptId a, ConceptId b) const {
    std::optional<Way> best;
    std::vector<ConceptId> names{a};
    StatementPath by;
    extend(names, by, b, best);
    return best;
  }
  std::vector<StatementPath> paths(std::vector<ConceptId> ends) {
    std::ranges::sort(ends, {}, [&](ConceptId id) { return memory.term(id).name(); });
    std::vector<StatementPath> found;
    while (found.size() < options.paths) {
      std::optional<Way> best;
      const auto consider = [&](const std::optional<Way>& way) {
        if (way && (!best || way->cost < best->cost)) best = way;
      };
      for (std::size_t i = 0; i < ends.size(); ++i)
        for (std::size_t j = i + 1; j < ends.size(); ++j) {
          consider(from_to(ends[i], ends[j]));
          if (options.along == Along::inheritance) consider(from_to(ends[j], ends[i]));
        }
      if (!best) break;
      found.push_back(best->statements);
      left_out.insert(best->statements.begin(), best->statements.end());
    }
    return found;
  }
};

TEST_CASE("shortest paths match an exhaustive search", "[shortest_paths]") {
  Rng rng(5, "shortest_paths_test");
  std::size_t found = 0, long_ones = 0;
  for (int trial = 0; trial < 40; ++trial) {
    Memory memory;
    const auto name = [&] { return "a" + std::to_string(rng.below(8)); };
    for (int i = 0; i < 10; ++i) {
      const std::string truth = rng.below(6) == 0 ? ". %0.2;0.9%" : ".";
      const std::string a = name(), b = name();
      const auto form = rng.below(5);
      say(memory, (form == 0   ? "<(*," + a + "," + b + ") --> r>"
                   : form == 1 ? "<{" + a + "} --> " + b + ">"
                   : form == 2 ? "<" + a + " <-> " + b + ">"
                               : "<" + a + " --> " + b + ">") +
                      truth);
    }
    const MemoryIndex readings(memory);
    const std::vector<ConceptId> ends =
        memory.known_concepts(samples::term(memory, trial % 3 == 0 ? "(*,a0,a1,a2)" : "(*,a0,a1)"));
    for (const Hubs hubs : {Hubs::open, Hubs::closed, Hubs::dear})
      for (const Along along : {Along::any, Along::inheritance}) {
        INFO(trial << ' ' << name_of(hub_rules, hubs) << ' ' << name_of(path_steps, along));
        const ShortestPathOptions options{hubs, 3, along, 4};
        const auto paths = shortest_paths(readings, ends, options);
        CHECK(paths == EveryPath{readings, options}.paths(ends));
        found += paths.size();
        for (const StatementPath& path : paths) long_ones += path.size() > 2 ? 1 : 0;
      }
  }
  CHECK(found > 150);
  CHECK(long_ones > 20);
}

TEST_CASE("open, closed and dear hubs", "[shortest_paths]") {
  // A hub with four statements joins s and t, and so does a path of three statements through rare names.
  Memory memory = told({"<s --> hub>.", "<t --> hub>.", "<s --> m>.", "<m --> n>.", "<n --> t>.",
                        "<x --> hub>.", "<y --> hub>."});
  const MemoryIndex readings(memory);
  const std::vector<ConceptId> ends = memory.known_concepts(samples::term(memory, "(*,s,t)"));
  const auto first = [&](const ShortestPathOptions& options) {
    return shortest_paths(readings, ends, options).front();
  };
  CHECK(first({Hubs::open}) == StatementPath{0, 1});
  CHECK(first({Hubs::closed, 4}) == StatementPath{0, 1});
  CHECK(first({Hubs::closed, 3}) == StatementPath{2, 3, 4});
  // The costs are log 5 through the hub and 2 log 3 through m and n.
  CHECK(first({Hubs::dear}) == StatementPath{0, 1});
  say(memory, "<z --> hub>.");
  for (int i = 0; i < 4; ++i) say(memory, "<z" + std::to_string(i) + " --> hub>.");
  const MemoryIndex grown(memory);
  // Now the costs are log 10 through the hub and log 9 through m and n.
  CHECK(shortest_paths(grown, ends, {Hubs::dear}).front() == StatementPath{2, 3, 4});
  const auto along = shortest_paths(readings, ends, {Hubs::open, 200, Along::inheritance});
  // The path must lead from s to t, because the hub has no outgoing step.
  CHECK(along == std::vector<StatementPath>{{2, 3, 4}});
  CHECK(shortest_paths(readings, std::vector<ConceptId>{ends[0]}, {}).empty());
}

TEST_CASE("the ends of a question are names at open positions, else all but operators", "[shortest_paths]") {
  Memory plain = told({"<(*,a,b) --> r>.", "<(*,a,{SELF}) --> ^go>."});
  const auto ends = [](Memory& memory, const char* question) {
    const MemoryIndex readings(memory);
    std::vector<std::string> names;
    for (const QuestionEnd& end : question_ends(readings, cue_for(memory, samples::term(memory, question))))
      names.emplace_back(readings.term(end.id).name());
    std::ranges::sort(names);
    return names;
  };
  using Names = std::vector<std::string>;
  CHECK(ends(plain, "<(*,a,b) --> r>") == Names{"a", "b", "r"});
  CHECK(ends(plain, "<(*,a,b) --> ^go>") == Names{"a", "b"});
  CHECK(ends(plain, "<a --> ^go>") == Names{"a", "go"});
  Memory ruled = told({"<(*,a,b) --> r>.", "<<(*,$1,$2) --> r> ==> <(*,$2,$1) --> r>>."});
  CHECK(ends(ruled, "<(*,a,b) --> r>") == Names{"a", "b"});
  CHECK(ends(ruled, "<a --> r>") == Names{"a", "r"});  // no rule has a variable in the place of a
}

}  // namespace
}  // namespace engram::core
