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
        all.back().used.push_back(rule.statement);
      }
    const auto is = [](const One& one, StepKind kind) { return one.symbol.kind == kind; };
    const bool rule_of_classes =
        is(a, StepKind::inheritance) && !a.symbol.back && is(b, StepKind::implication) && !b.symbol.back;
    if (is(b, StepKind::similarity) || rule_of_classes ||
        (a.symbol == b.symbol && (is(a, StepKind::inheritance) || is(a, StepKind::implication))))
      all.push_back(joined(a.symbol, a, b));
    else if (is(a, StepKind::similarity))
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
  std::size_t derived = 0, several = 0, unlike = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Memory memory;
    const auto r = [&] { return "r" + std::to_string(rng.below(3)); };
    for (const char* line : {"<(*,a,b) --> r0>.", "<(*,a,b) --> r1>.", "<(*,a,b) --> r2>.", "<a --> b>.",
                             "<a <-> b>.", "<<$1 --> a> ==> <$1 --> b>>."})
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
    std::vector<Pass> steps;
    for (std::uint64_t n = 1 + rng.below(4); steps.size() < n;) {
      const Pass& pass = kinds[rng.below(kinds.size())];
      if (pass.kind == StepKind::relation || rng.below(4) == 0) steps.push_back(pass);
    }
    PathQuestion question;
    question.asked = {StepKind::relation, samples::concept_of(memory, "r2"), trial % 7 == 0};
    question.relation_known = trial % 5 != 0;
    if (trial % 6 == 1) question.asked = {StepKind::inheritance, 0, false};

    const double weight = 0.4;
    double total = 0, best = 0;
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
      best = std::max(best, amount);
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
    if (count > 0) CHECK(std::abs(std::pow(weight, found.best.size()) - best) < 1e-12);
    derived += count > 0 ? 1 : 0;
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
