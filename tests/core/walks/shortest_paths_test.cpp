// SPDX-License-Identifier: MIT
#include "core/walks/shortest_paths.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "core/walks/question_ends.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

// All ways that pass no name twice, by recursion; the best by the header's rule.
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
      // The order in which a search adds decides the last bit: alike is what differs by less.
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

TEST_CASE("shortest paths are the best of all paths, one after the other", "[core][shortest_paths]") {
  Rng rng(5, "shortest_paths_test");
  std::size_t found = 0, long_ones = 0;
  for (int trial = 0; trial < 40; ++trial) {
    Memory memory;
    const auto name = [&] { return "a" + std::to_string(rng.below(8)); };
    for (int i = 0; i < 10; ++i) {
      const std::string truth = rng.below(6) == 0 ? ". %0.2;0.9%" : ".";
      const std::string a = name(), b = name();
      const auto form = rng.below(5);
      samples::say(memory, (form == 0   ? "<(*," + a + "," + b + ") --> r>"
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

TEST_CASE("hubs are gone through, closed or dear", "[core][shortest_paths]") {
  // s and t meet in a hub of four statements, and on a way of three by names that nothing else mentions.
  Memory memory = samples::told({"<s --> hub>.", "<t --> hub>.", "<s --> m>.", "<m --> n>.", "<n --> t>.",
                                 "<x --> hub>.", "<y --> hub>."});
  const MemoryIndex readings(memory);
  const std::vector<ConceptId> ends = memory.known_concepts(samples::term(memory, "(*,s,t)"));
  const auto first = [&](const ShortestPathOptions& options) {
    return shortest_paths(readings, ends, options).front();
  };
  CHECK(first({Hubs::open}) == StatementPath{0, 1});
  CHECK(first({Hubs::closed, 4}) == StatementPath{0, 1});
  CHECK(first({Hubs::closed, 3}) == StatementPath{2, 3, 4});
  CHECK(first({Hubs::dear}) == StatementPath{0, 1});  // log 5 against 2 log 3
  samples::say(memory, "<z --> hub>.");
  for (int i = 0; i < 4; ++i) samples::say(memory, "<z" + std::to_string(i) + " --> hub>.");
  const MemoryIndex grown(memory);
  CHECK(shortest_paths(grown, ends, {Hubs::dear}).front() == StatementPath{2, 3, 4});  // log 10 against log 9
  const auto along = shortest_paths(readings, ends, {Hubs::open, 200, Along::inheritance});
  CHECK(along == std::vector<StatementPath>{{2, 3, 4}});  // from s to t: to the hub leads no way out
  CHECK(shortest_paths(readings, std::vector<ConceptId>{ends[0]}, {}).empty());
}

TEST_CASE("the ends of a question are where rules have variables, else all but operators",
          "[core][shortest_paths]") {
  Memory plain = samples::told({"<(*,a,b) --> r>.", "<(*,a,{SELF}) --> ^go>."});
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
  Memory ruled = samples::told({"<(*,a,b) --> r>.", "<<(*,$1,$2) --> r> ==> <(*,$2,$1) --> r>>."});
  CHECK(ends(ruled, "<(*,a,b) --> r>") == Names{"a", "b"});
  CHECK(ends(ruled, "<a --> r>") == Names{"a", "r"});  // no rule has a variable there
}

}  // namespace
}  // namespace engram::core
