// SPDX-License-Identifier: MIT
#include "core/filters/premise_selection.hpp"

#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

using Symbols = std::set<ConceptId>;

// Axioms as sets of symbols, and the number of axioms with each symbol.
struct Axioms {
  std::vector<Symbols> all;
  std::map<ConceptId, double> occ;
  explicit Axioms(const MemoryIndex& memory) {
    for (Index e = 0; e < memory.statements(); ++e) {
      const auto symbols = memory.episode(e);
      all.emplace_back(symbols.begin(), symbols.end());
      for (const ConceptId id : symbols) ++occ[id];
    }
  }
};

Memory random_axioms(Rng& rng) {
  Memory memory;
  // Low numbers are more likely, so some names occur in many statements.
  const auto name = [&] { return "a" + std::to_string(rng.below(1 + rng.below(12))); };
  for (int i = 0; i < 20; ++i)
    say(memory, rng.below(3) == 0 ? "<(*," + name() + "," + name() + ") --> " + name() + ">."
                                  : "<" + name() + " --> " + name() + ">.");
  return memory;
}

TEST_CASE("SInE equals a reference implementation, round by round", "[premise_selection]") {
  Rng rng(7, "premise_selection_test sine");
  std::size_t selected = 0;
  for (int trial = 0; trial < 40; ++trial) {
    Memory memory = random_axioms(rng);
    const MemoryIndex readings(memory);
    const Axioms axioms(readings);
    const std::vector<ConceptId> asked = memory.known_concepts(term(memory, "(*,a3,a7)"));
    for (const SineOptions& options : {SineOptions{1, 0, 1}, SineOptions{1, 0, 9}, SineOptions{1.5, 0, 2},
                                       SineOptions{3, 0, 3}, SineOptions{1, 4, 3}}) {
      std::map<StatementId, std::pair<int, double>> expected;
      Symbols reached(asked.begin(), asked.end());
      for (int depth = 1; depth <= options.depth; ++depth) {
        Symbols next = reached;
        for (StatementId e = 0; e < axioms.all.size(); ++e) {
          if (expected.count(e) == 1) continue;
          double least = 1e9, trigger = 1e9;
          for (const ConceptId s : axioms.all[e]) least = std::min(least, axioms.occ.at(s));
          for (const ConceptId s : axioms.all[e])
            if (reached.count(s) == 1 &&
                (axioms.occ.at(s) <= options.tolerance * least || axioms.occ.at(s) <= options.generality))
              trigger = std::min(trigger, axioms.occ.at(s));
          if (trigger > 1e8) continue;
          expected[e] = {depth, trigger};
          next.insert(axioms.all[e].begin(), axioms.all[e].end());
        }
        reached = next;
      }
      std::map<StatementId, std::pair<int, double>> found;
      std::pair<int, StatementId> last{0, 0};
      for (const SineSelected& one : select_by_sine(readings, asked, options)) {
        CHECK(found.emplace(one.statement, std::pair(one.depth, static_cast<double>(one.trigger))).second);
        CHECK(last <= std::pair(one.depth, one.statement));
        last = {one.depth, one.statement};
      }
      CHECK(found == expected);
      selected += found.size();
    }
  }
  CHECK(selected > 500);
}

TEST_CASE("MePo equals a reference implementation, round by round", "[premise_selection]") {
  Rng rng(8, "premise_selection_test mepo");
  std::size_t selected = 0, late = 0;
  for (int trial = 0; trial < 40; ++trial) {
    Memory memory = random_axioms(rng);
    const MemoryIndex readings(memory);
    const Axioms axioms(readings);
    const std::vector<ConceptId> asked = memory.known_concepts(term(memory, "(*,a3,a7)"));
    for (const MepoOptions& options :
         {MepoOptions{}, MepoOptions{0.3, 2.4}, MepoOptions{0.45, 10}, MepoOptions{0.2, 1}}) {
      std::map<StatementId, std::pair<int, double>> expected;
      Symbols relevant(asked.begin(), asked.end());
      double p = options.pass_mark;
      for (int round = 1;; ++round) {
        Symbols joined = relevant;
        bool any = false;
        for (StatementId e = 0; e < axioms.all.size(); ++e) {
          if (expected.count(e) == 1) continue;
          double w = 0, others = 0;
          for (const ConceptId s : axioms.all[e])
            relevant.count(s) == 1 ? w += 1 + 2 / std::log(axioms.occ.at(s) + 1) : others += 1;
          if (w / (w + others) <= p) continue;
          any = true;
          expected[e] = {round, w / (w + others)};
          joined.insert(axioms.all[e].begin(), axioms.all[e].end());
        }
        if (!any) break;
        relevant = joined;
        p += (1 - p) / options.convergence;
      }
      const auto found = select_by_mepo(readings, asked, options);
      REQUIRE(found.size() == expected.size());
      for (const MepoSelected& one : found) {
        CHECK(expected.at(one.statement).first == one.round);
        CHECK(expected.at(one.statement).second == Approx(one.mark).epsilon(1e-14));
        late += one.round > 1 ? 1 : 0;
      }
      selected += found.size();
    }
  }
  CHECK(selected > 300);
  CHECK(late > 50);
}

TEST_CASE("a very common name triggers nothing unless the tolerance allows it", "[premise_selection]") {
  Memory memory = told({"<a --> thing>.", "<b --> thing>.", "<c --> thing>.", "<c --> d>."});
  const MemoryIndex readings(memory);
  const std::vector<ConceptId> thing{concept_of(memory, "thing")};
  // `thing` occurs 3 times and c twice, which the tolerance 2 allows: 3 <= 2 * 2.
  CHECK(select_by_sine(readings, thing, {2, 0, 1}).size() == 1);
  CHECK(select_by_sine(readings, thing, {1, 0, 5}).empty());
  CHECK(select_by_sine(readings, thing, {1, 3, 1}).size() == 3);
  // The name has the weight w = 1 + 2 / ln 4 = 2.44, so each statement gets the mark w / (w + 1) = 0.709.
  CHECK(select_by_mepo(readings, thing, {0.7, 1}).size() == 3);
  CHECK(select_by_mepo(readings, thing, {0.71, 1}).empty());
}

}  // namespace
}  // namespace engram::core
