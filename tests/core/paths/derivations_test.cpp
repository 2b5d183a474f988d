// SPDX-License-Identifier: MIT
#include "core/paths/derivations.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

// All derivations by recursion over where the last brackets are, none shared; rules of one and two premises.
struct EveryDerivation {
  const Readings& memory;
  const RelationRules& rules;
  std::vector<Pass> steps;
  struct One {
    StepSymbol symbol;
    std::vector<StatementId> used;
  };

  std::vector<One> of(std::size_t first, std::size_t last) const {
    std::vector<One> all;
    if (first + 1 == last) all.push_back({symbol_of(steps[first]), {}});
    for (std::size_t cut = first + 1; cut < last; ++cut)
      for (const One& a : of(first, cut))
        for (const One& b : of(cut, last)) join(a, b, all);
    std::vector<One> turned = all;
    for (int turn = 0; turn < 2; ++turn) {
      std::vector<One> next;
      for (const One& one : turned) turn_on(one, next);
      all.insert(all.end(), next.begin(), next.end());
      turned = next;
    }
    return all;
  }

 private:
  static One joined(const StepSymbol& symbol, const One& a, const One& b) {
    One one{symbol, a.used};
    one.used.insert(one.used.end(), b.used.begin(), b.used.end());
    return one;
  }
  void join(const One& a, const One& b, std::vector<One>& all) const {
    for (const RelationRule& rule : rules.all())
      if (rule.premises.size() == 2 && rule.premises[0] == a.symbol && rule.premises[1] == b.symbol) {
        all.push_back(joined(rule.conclusion, a, b));
        if (!rule.is_step) all.back().used.push_back(rule.statement);
      }
    const auto is = [](const One& one, StepKind kind) { return one.symbol.kind == kind; };
    const bool of_member = is(a, StepKind::inheritance) && !a.symbol.back && is(b, StepKind::relation);
    const bool to_member = is(a, StepKind::relation) && is(b, StepKind::inheritance) && b.symbol.back;
    if (is(b, StepKind::similarity) || to_member ||
        (a.symbol == b.symbol && (is(a, StepKind::inheritance) || is(a, StepKind::implication))))
      all.push_back(joined(a.symbol, a, b));
    else if (is(a, StepKind::similarity) || of_member)
      all.push_back(joined(b.symbol, a, b));
  }
  void turn_on(const One& one, std::vector<One>& next) const {
    const auto add = [&](const StepSymbol& symbol, StatementId e) {
      next.push_back({symbol, one.used});
      next.back().used.push_back(e);
    };
    for (const RelationRule& rule : rules.all())
      if (rule.premises.size() == 1 && rule.premises[0] == one.symbol) add(rule.conclusion, rule.statement);
    if (one.symbol.kind != StepKind::relation) return;
    for (const Pass& pass : memory.passes().from(one.symbol.relation))
      if (pass.kind == StepKind::similarity || (pass.kind == StepKind::inheritance && !pass.back))
        add({StepKind::relation, pass.to, one.symbol.back}, pass.statement);
  }
};

}  // namespace

TEST_CASE("derivations are those of all brackets, by recursion", "[core][paths]") {
  Rng rng(21, "derivations_test");
  std::size_t derived = 0, several = 0, unlike = 0, by_class = 0;
  for (int trial = 0; trial < 1600; ++trial) {
    Memory memory;
    const auto r = [&] { return "r" + std::to_string(rng.below(3)); };
    for (const char* line : {"<(*,a,b) --> r0>.", "<(*,a,b) --> r1>.", "<(*,a,b) --> r2>.", "<a --> b>.",
                             "<a <-> b>.", "<b --> a>.", "<<$1 --> a> ==> <$1 --> b>>."})
      samples::say(memory, line);
    for (int i = 0; i < 4; ++i)
      samples::say(memory, rng.below(2) == 0 ? "<(<($1 * #2) --> " + r() + "> && <(#2 * $3) --> " + r() +
                                                   ">) ==> <($1 * $3) --> " + r() + ">>."
                                             : "<(<(#1 * $2) --> " + r() + "> && <(#1 * $3) --> " + r() +
                                                   ">) ==> <($2 * $3) --> " + r() + ">>.");
    samples::say(memory, "<<($1 * $2) --> " + r() + "> ==> <($2 * $1) --> " + r() + ">>.");
    const std::string above = r(), below = r();
    if (above != below) samples::say(memory, "<" + below + " --> " + above + ">.");
    const Readings readings(memory);
    const RelationRules rules(readings);
    CHECK(rules.all().size() % 2 == 0);

    std::vector<Pass> kinds;  // a step of each kind and direction
    for (const std::string name : {"a", "b"})
      for (const Pass& pass : readings.passes().from(samples::concept_of(memory, name)))
        if (pass.kind != StepKind::other) kinds.push_back(pass);
    const bool of_classes = trial % 3 == 1;
    std::vector<Pass> steps;
    for (std::uint64_t n = 1 + rng.below(4); steps.size() < n;) {
      const Pass& pass = kinds[rng.below(kinds.size())];
      if ((pass.kind == StepKind::relation) != of_classes || rng.below(4) == 0) steps.push_back(pass);
    }
    PathQuestion question;
    question.asked = {StepKind::relation, samples::concept_of(memory, "r2"), trial % 7 == 0};
    question.relation_known = trial % 5 != 0;
    if (of_classes) question.asked = {StepKind::inheritance, 0, trial % 2 == 0};

    const double weight = trial % 3 == 0 ? 1.7 : 0.4;
    double total = 0;
    std::size_t fewest = 1000;
    std::map<StatementId, double> used;
    std::size_t count = 0;
    for (const auto& one : EveryDerivation{readings, rules, steps}.of(0, steps.size())) {
      const bool fits = question.relation_known ? one.symbol == question.asked
                                                : one.symbol.kind == question.asked.kind &&
                                                      one.symbol.back == question.asked.back;
      if (!fits) continue;
      ++count;
      const double amount = std::pow(weight, one.used.size());
      total += amount;
      fewest = std::min(fewest, one.used.size());
      for (const StatementId e : one.used) used[e] += amount;
    }
    INFO(trial << " " << steps.size() << " steps, " << count << " derivations");
    const Derivations found = derivations(readings.passes(), rules, question, steps, weight);
    CHECK(std::abs(found.total - total) <= 1e-12 * std::max(1.0, total));
    REQUIRE(found.used.size() == used.size());
    double uses = 0;
    for (const auto& [e, mean] : found.used) {
      CHECK(std::abs(mean - used.at(e) / total) < 1e-12);
      uses += mean;
    }
    CHECK(std::abs(found.uses - uses) < 1e-12);
    if (count > 0) CHECK(found.best.size() == fewest);
    derived += count > 0 ? 1 : 0;
    const auto is_rule = [](const Pass& step) { return step.kind == StepKind::implication; };
    by_class +=
        question.asked.kind == StepKind::inheritance && count > 0 && std::ranges::any_of(steps, is_rule) ? 1
                                                                                                         : 0;
    several += count > 1 ? 1 : 0;
    unlike += used.size() > 1 ? 1 : 0;

    // Without one of the statements that are used, nothing that uses it is left.
    if (used.empty()) continue;
    const PathStatements others{{}, {used.begin()->first}, {}};
    for (const auto& [e, mean] : derivations(readings.passes(), rules, question, steps, weight, others).used)
      CHECK(e != used.begin()->first);
  }
  CHECK(derived > 40);
  CHECK(several > 15);
  CHECK(unlike > 15);
  CHECK(by_class > 5);
}

TEST_CASE("a rule about classes derives what all its premises say, and nothing of one of them",
          "[core][paths]") {
  Memory memory = samples::told({"<(owl * mouse) --> eats>.", "<mouse --> mammal>.",
                                 "<(<($1 * #2) --> eats> && <#2 --> mammal>) ==> <$1 --> hunter>>.",
                                 "<(cat * mouse) --> eats>.", "<mouse --> rodent>.", "<rodent --> mammal>.",
                                 "<{donald} --> duck>.", "<duck --> bird>.", "<duck --> [web_footed]>.",
                                 "<hen --> bird>.",
                                 "<(<$1 --> bird> && <$1 --> [web_footed]>) ==> <$1 --> water_bird>>."});
  const Readings readings(memory);
  const RelationRules rules(readings);
  const auto id = [&](const std::string& name) { return samples::concept_of(memory, name); };
  // Along these names, each two of which a statement joins.
  const auto derived = [&](const std::vector<std::string>& names, bool back,
                           const PathStatements& statements = {}) {
    std::vector<Pass> steps;
    for (std::size_t i = 1; i < names.size(); ++i) {
      const auto passes = readings.passes().from(id(names[i - 1]));
      const auto pass = std::ranges::find(passes, id(names[i]), &Pass::to);
      REQUIRE(pass != passes.end());
      steps.push_back(*pass);
    }
    PathQuestion question;
    question.from = id(names.front());
    question.asked = {StepKind::inheritance, 0, back};
    return derivations(readings.passes(), rules, question, steps, 0.5, statements);
  };
  for (const bool back : {false, true}) {
    const auto way = [&](std::vector<std::string> names) {
      if (back) std::ranges::reverse(names);
      return derived(names, back);
    };
    CHECK(way({"owl", "mouse", "mammal", "hunter"}).total == 1);
    CHECK(way({"owl", "mouse", "mammal", "hunter"}).best.empty());  // the rule is a step of the path
    CHECK(way({"mouse", "mammal", "hunter"}).total == 0);
    CHECK(way({"mammal", "hunter"}).total == 0);
    // What is said beside the row is used, whichever premise is in the row.
    CHECK(way({"duck", "bird", "water_bird"}).total == 0.5);
    CHECK(way({"duck", "bird", "water_bird"}).best == std::vector<StatementId>{8});
    CHECK(way({"duck", "web_footed", "water_bird"}).best == std::vector<StatementId>{7});
    CHECK(way({"hen", "bird", "water_bird"}).total == 0);
    // A premise may take several steps.
    CHECK(way({"donald", "duck", "bird", "water_bird"}).total == 0.5);  // the duck is one, so donald is
    CHECK(way({"cat", "mouse", "rodent", "mammal", "hunter"}).total == 1);
  }
  CHECK(derived({"duck", "bird", "water_bird"}, false, {{}, {8}, {}}).total == 0);
}

TEST_CASE("what is said of a class is said of its members, in either place", "[core][paths]") {
  Memory memory = samples::told({"<{moby} --> whale>.", "<(whale * sea) --> lives_in>.", "<{med} --> sea>."});
  const Readings readings(memory);
  const RelationRules rules(readings);
  const auto pass = [&](const std::string& from, const std::string& to) {
    const auto passes = readings.passes().from(samples::concept_of(memory, from));
    return *std::ranges::find(passes, samples::concept_of(memory, to), &Pass::to);
  };
  PathQuestion question;
  question.asked = {StepKind::relation, samples::concept_of(memory, "lives_in"), false};
  const std::vector<Pass> up{pass("moby", "whale"), pass("whale", "sea")};
  CHECK(derivations(readings.passes(), rules, question, up, 0.5).total == 1);
  // Two orders of brackets.
  const std::vector<Pass> both{up[0], up[1], pass("sea", "med")};
  CHECK(derivations(readings.passes(), rules, question, both, 0.5).total == 2);
  // What a member does its class need not.
  const std::vector<Pass> down{pass("whale", "moby"), up[1]};
  CHECK(derivations(readings.passes(), rules, question, down, 0.5).total == 0);
}

TEST_CASE("a rule of three premises is used once, and only as a whole", "[core][paths]") {
  Memory memory;
  for (const char* line :
       {"<(*,a,b) --> r>.", "<(*,b,c) --> s>.", "<(*,d,c) --> t>.",
        "<(&&,<($1 * #2) --> r>,<(#2 * #3) --> s>,<($4 * #3) --> t>) ==> <($1 * $4) --> u>>."})
    samples::say(memory, line);
  samples::say(memory, "<(*,x,y) --> u>.");
  const Readings readings(memory);
  const RelationRules rules(readings);
  REQUIRE(rules.all().size() == 2);
  REQUIRE(rules.all()[0].premises.size() == 3);
  const auto step = [&](const std::string& from, const std::string& to) {
    for (const Pass& pass : readings.passes().from(samples::concept_of(memory, from)))
      if (pass.to == samples::concept_of(memory, to)) return pass;
    throw std::out_of_range(from + to);
  };
  PathQuestion question;
  question.asked = {StepKind::relation, samples::concept_of(memory, "u"), false};
  const std::vector<Pass> way{step("a", "b"), step("b", "c"), step("c", "d")};
  const Derivations found = derivations(readings.passes(), rules, question, way, 0.5);
  CHECK(found.total == 0.5);
  REQUIRE(found.best.size() == 1);
  CHECK(found.best[0] == 3);
  CHECK(derivations(readings.passes(), rules, question, {way[0], way[1]}, 0.5).total == 0);
  question.asked.back = true;
  CHECK(derivations(readings.passes(), rules, question, {way[2].turned(), way[1].turned(), way[0].turned()},
                    0.5)
            .total == 0.5);
  CHECK(derivations(readings.passes(), rules, question, {}, 0.5).total == 0);
}

}  // namespace engram::core
