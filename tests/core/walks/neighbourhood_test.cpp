// SPDX-License-Identifier: MIT
#include "core/walks/neighbourhood.hpp"

#include <algorithm>
#include <map>

#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

// Hops of all statements by relaxing until nothing changes.
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

TEST_CASE("a neighbourhood is what relaxation finds, nearest first", "[core][neighbourhood]") {
  Rng rng(3, "neighbourhood_test");
  for (int trial = 0; trial < 40; ++trial) {
    Memory memory;
    for (int i = 0; i < 25; ++i)
      samples::say(memory, "<a" + std::to_string(rng.below(18)) + " --> a" + std::to_string(rng.below(18)) +
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

TEST_CASE("what is denied is reached, and not gone on from", "[core][neighbourhood]") {
  Memory memory = samples::told({"<a --> b>. %0.0;0.9%", "<b --> c>.", "<a --> d>.", "<d --> e>."});
  const MemoryIndex readings(memory);
  const std::vector<ConceptId> a{samples::concept_of(memory, "a")};
  std::vector<std::pair<StatementId, int>> found;
  for (const Neighbour& one : neighbourhood(readings, a, {})) found.emplace_back(one.statement, one.hop);
  CHECK(found == std::vector<std::pair<StatementId, int>>{{0, 1}, {2, 1}, {3, 2}});
  CHECK(neighbourhood(readings, std::vector<ConceptId>(), {}).empty());
}

}  // namespace
}  // namespace engram::core
