// SPDX-License-Identifier: MIT
#include "core/walks/pulse_waves.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

using samples::concept_of;
using samples::say;

// Facts of people in pairs, hubs among them; rules that join the pairs in most trials.
Memory some_world(Rng& rng, int facts, bool rules) {
  Memory memory = samples::told({"<(p7 * p8) --> r0>.", "<(p20 * p21) --> r1>."});
  if (rules) say(memory, "<(<($1 * #2) --> r0> && <(#2 * $3) --> r1>) ==> <($1 * $3) --> r2>>.");
  for (int i = 0; i < facts; ++i) {
    const auto name = [&] { return "p" + std::to_string(rng.below(rng.below(4) == 0 ? 3 : 60)); };
    const std::string relation = "r" + std::to_string(rng.below(3));
    const std::string pair = rng.below(5) == 0 ? "{" + name() + "} --> " + name()
                                               : "(" + name() + " * " + name() + ") --> " + relation;
    say(memory, "<" + pair + (rng.below(6) == 0 ? ">. %0.1;0.8%" : ">."));
  }
  return memory;
}

Joints joints_of(const MemoryIndex& memory) {
  std::vector<RulePattern> rules;
  for (const StatementId e : memory.rules()) add_rule_patterns(e, memory.statement_term(e), rules);
  return Joints(rules);
}

// Statements that `steps` others at most part from those that name one of the ends: from one to the next.
std::set<StatementId> reached(const MemoryIndex& memory, const std::vector<QuestionEnd>& ends,
                              std::size_t steps) {
  std::set<StatementId> found;
  const auto is_fact = [&](StatementId e) { return std::ranges::count(memory.rules(), e) == 0; };
  for (const QuestionEnd& end : ends)
    for (const StatementId e : memory.mentions(end.id))
      if (is_fact(e)) found.insert(e);
  for (; steps > 0; --steps)
    for (const StatementId e : std::set<StatementId>(found))
      for (const ConceptId id : memory.episode(e))
        for (const StatementId next : memory.mentions(id))
          if (is_fact(next)) found.insert(next);
  return found;
}

bool same(const Pulse& a, const Pulse& b) {
  return a.statement == b.statement && a.occurrence == b.occurrence && a.strength == b.strength;
}

TEST_CASE("surroundings are what so many steps lead to, as long as they are few", "[core][pulse_waves]") {
  for (std::uint64_t trial = 0; trial < 6; ++trial) {
    Rng rng(3, "surroundings", trial);
    Memory memory = some_world(rng, 150, trial % 2 == 0);
    const MemoryIndex readings(memory);
    const std::vector<QuestionEnd> ends{{concept_of(memory, "p7"), {}}, {concept_of(memory, "p20"), {}}};
    const Surroundings found(readings, ends, 2);
    REQUIRE(found.radii() > 0);
    CHECK(found.radii() <= 3);
    for (std::size_t r = 0; r < found.radii(); ++r) {
      const std::set<StatementId> expected = reached(readings, ends, r);
      for (StatementId e = 0; e < readings.statements(); ++e)
        CHECK(found.has_statement(e, r) == expected.contains(e));
      std::set<ConceptId> names;
      for (const StatementId e : expected)
        for (const Occurrence& occurrence : readings.occurrences().of_statement(e))
          names.insert(occurrence.id);
      for (ConceptId id = 0; id < readings.concepts(); ++id)
        CHECK(found.has_name(id, r) == names.contains(id));
    }
    if (found.radii() == 3) continue;
    // One step more would go through names that are mentioned too often.
    std::set<ConceptId> through{ends[0].id, ends[1].id};
    for (const StatementId e : reached(readings, ends, found.radii() - 1))
      for (const Occurrence& occurrence : readings.occurrences().of_statement(e))
        through.insert(occurrence.id);
    std::size_t mentions = 0;
    for (const ConceptId id : through) mentions += readings.occurrences().count_of(id);
    CHECK(4 * mentions >= static_cast<std::size_t>(readings.statements()));
  }
}

TEST_CASE("narrow waves are those that go everywhere, to the last bit, where they still get somewhere",
          "[core][pulse_waves]") {
  std::size_t compared = 0, left_out = 0;
  for (std::uint64_t trial = 0; trial < 24; ++trial) {
    Rng rng(4, "narrow waves", trial);
    Memory memory = some_world(rng, 200, trial % 3 != 0);
    const MemoryIndex readings(memory);
    const Joints joints = joints_of(readings);
    BidirectionalOptions options;
    options.steps = 5;
    options.fan = 4;
    options.inverse_frequency = trial % 4 != 0;
    options.belief = trial % 5 != 0;
    const QuestionEnd from{concept_of(memory, "p7"), {}}, to{concept_of(memory, "p20"), {}};
    const Surroundings destination(readings, std::vector{to}, 4);
    PulseWaves waves(readings, joints, options);
    const auto everywhere = waves.from(from), narrow = waves.from(from, &destination);
    for (std::size_t k = 0; k < everywhere.size(); ++k) {
      const std::size_t further = static_cast<std::size_t>(options.steps) - 1 - k;
      Wave expected = everywhere[k];
      if (k > 0 && further < destination.radii())
        std::erase_if(expected, [&](const Pulse& pulse) {
          return !destination.has_statement(pulse.statement, further);
        });
      left_out += everywhere[k].size() - expected.size();
      if (k >= narrow.size()) {
        CHECK(expected.empty());
        continue;
      }
      compared += expected.size();
      CHECK(std::ranges::equal(narrow[k], expected, same));
    }
  }
  CHECK(compared > 1000);
  CHECK(left_out > 1000);
}

}  // namespace
}  // namespace engram::core
