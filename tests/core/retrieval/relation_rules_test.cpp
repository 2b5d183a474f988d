// SPDX-License-Identifier: MIT
#include "core/retrieval/relation_rules.hpp"

#include <set>
#include <string>

#include "core/retrieval/readings.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

// A relation's name, "is", or "rule1" for the step over a rule from the class of its second premise.
std::string text(const Readings& memory, const StepSymbol& symbol) {
  const std::string back = symbol.back ? "-" : "";
  if (symbol.kind == StepKind::inheritance) return back + "is";
  if (symbol.kind == StepKind::implication) return back + "rule" + std::to_string(symbol.relation % 8);
  REQUIRE(symbol.kind == StepKind::relation);
  return back + std::string(memory.term(symbol.relation).name());
}

// "p -q => r" for each row of steps that a rule makes one; with "and 0 is c" what is said beside it.
std::set<std::string> productions(const std::string& line) {
  const Memory memory = samples::told({line});
  const Readings readings(memory);
  std::set<std::string> found;
  const RelationRules rules(readings);
  for (const RelationRule& rule : rules.all()) {
    CHECK(rule.is_step == (rule.conclusion.kind == StepKind::inheritance));
    std::string row;
    for (const StepSymbol& premise : rule.premises) row += text(readings, premise) + " ";
    for (const auto& said : rule.beside)
      row += "and " + std::to_string(said.premises_before) + " is " +
             std::string(readings.term(said.of).name()) + " ";
    found.insert(row + "=> " + text(readings, rule.conclusion));
  }
  return found;
}

}  // namespace

TEST_CASE("rules about relations are rows of steps, read both ways", "[core][paths]") {
  using Found = std::set<std::string>;
  const std::pair<const char*, Found> expected[] = {
      {"<(<($1 * #2) --> p> && <(#2 * $3) --> q>) ==> <($1 * $3) --> r>>.", {"p q => r", "-q -p => -r"}},
      // The order in which premises are said makes no difference, and one may stand the other way round.
      {"<(<(#2 * $3) --> q> && <($1 * #2) --> p>) ==> <($1 * $3) --> r>>.", {"p q => r", "-q -p => -r"}},
      {"<(<(#2 * $1) --> p> && <(#2 * $3) --> q>) ==> <($1 * $3) --> r>>.", {"-p q => r", "-q p => -r"}},
      {"<(<($1 * #2) --> p> && <(#2 * $3) --> q>) ==> <($3 * $1) --> r>>.", {"-q -p => r", "p q => -r"}},
      {"<<($1 * $2) --> p> ==> <($2 * $1) --> r>>.", {"-p => r", "p => -r"}},
      {"<<($1 * $2) --> p> ==> <($1 * $2) --> r>>.", {"p => r", "-p => -r"}},
      {"<<($1 * $2) --> p> <=> <($1 * $2) --> r>>.", {"p => r", "-p => -r", "r => p", "-r => -p"}},
      {"<(&&,<($1 * #2) --> p>,<(#2 * #3) --> q>,<(#3 * $4) --> p>) ==> <($1 * $4) --> r>>.",
       {"p q p => r", "-p -q -p => -r"}},
      // In no row, of other parts, of five premises.
      {"<(<($1 * #2) --> p> && <(#3 * $4) --> q>) ==> <($1 * $4) --> r>>.", {}},
      {"<(<($1 * #2) --> p> && <#2 --> q>) ==> <($1 * #2) --> r>>.", {}},
      {"<(<($1 * $2) --> p> && <($1 * $2) --> q>) ==> <($1 * $2) --> r>>.", {}},
      {"<<($1 * $2 * $3) --> p> ==> <($1 * $2) --> r>>.", {}},
      {"<<($1 * a) --> p> ==> <($1 * a) --> r>>.", {}},
      {"<(&&,<($1 * #2) --> p>,<(#2 * #3) --> p>,<(#3 * #4) --> p>,<(#4 * #5) --> p>,<(#5 * $6) --> p>) ==> "
       "<($1 * $6) --> r>>.",
       {}}};
  for (const auto& [line, rows] : expected) {
    INFO(line);
    CHECK(productions(line) == rows);
  }
}

TEST_CASE("what rules join, and what can begin and end a row of them", "[core][paths]") {
  Memory memory =
      samples::told({"<(<($1 * #2) --> p> && <(#2 * $3) --> q>) ==> <($1 * $3) --> r>>.",
                     "<(<($1 * #2) --> r> && <(#2 * $3) --> s>) ==> <($1 * $3) --> t>>.",
                     "<<($1 * $2) --> u> ==> <($2 * $1) --> s>>.",
                     "<(<($1 * #2) --> x> && <(#2 * $3) --> x>) ==> <($1 * $3) --> y>>. %0;0.9%"});
  const Readings readings(memory);
  const RelationRules rules(readings);
  const auto symbol = [&](const std::string& name, bool back = false) {
    return StepSymbol{StepKind::relation, samples::concept_of(memory, name), back};
  };
  const StepSymbol p = symbol("p"), q = symbol("q"), r = symbol("r"), s = symbol("s"), t = symbol("t");
  CHECK(rules.joined(p, q, r).asked);
  CHECK(rules.joined(p, q, t).any);
  CHECK_FALSE(rules.joined(p, q, t).asked);
  CHECK_FALSE(rules.joined(q, p, r).any);
  CHECK(rules.joined(symbol("q", true), symbol("p", true), symbol("r", true)).asked);
  CHECK(rules.begin(t) == std::set<StepSymbol>{t, r, p});
  CHECK(rules.end(t) == std::set<StepSymbol>{t, s, symbol("u", true)});
  CHECK(rules.of_one(symbol("u")).size() == 1);
  CHECK(rules.of_one(symbol("u"))[0]->conclusion == symbol("s", true));
  REQUIRE(rules.of_two(r, s).size() == 1);
  CHECK(rules.of_two(r, s)[0]->conclusion == t);
  CHECK(rules.statements() == std::vector<StatementId>{0, 1, 2, 3});
}

TEST_CASE("rules about classes are rows that end with a step over the rule", "[core][paths]") {
  using Found = std::set<std::string>;
  const std::pair<const char*, Found> expected[] = {
      {"<<$1 --> a> ==> <$1 --> c>>.", {"is rule0 => is", "-rule0 -is => -is"}},
      {"<<$1 --> [a]> ==> <$1 --> [c]>>.", {"is rule0 => is", "-rule0 -is => -is"}},
      {"<(&&,<($1 * #2) --> p>,<#2 --> a>) ==> <$1 --> c>>.", {"p is rule0 => is", "-rule0 -is -p => -is"}},
      {"<(&&,<(#2 * $1) --> p>,<#2 --> a>) ==> <$1 --> c>>.", {"-p is rule0 => is", "-rule0 -is p => -is"}},
      {"<(<$1 --> a> && <$1 --> [b]>) ==> <$1 --> c>>.",
       {"is rule0 and 0 is b => is", "-rule0 -is and 2 is b => -is", "is rule1 and 0 is a => is",
        "-rule1 -is and 2 is a => -is"}},
      {"<(&&,<($1 * #2) --> p>,<#2 --> a>,<$1 --> b>) ==> <$1 --> c>>.",
       {"p is rule1 and 0 is b => is", "-rule1 -is -p and 3 is b => -is"}},
      // Nothing leads over p to what b is said of; a class of no variable of the row; no class at all.
      {"<(&&,<($1 * #2) --> p>,<$1 --> b>) ==> <$1 --> c>>.", {}},
      {"<(&&,<$1 --> a>,<#2 --> b>) ==> <$1 --> c>>.", {}},
      {"<<($1 * #2) --> p> ==> <$1 --> c>>.", {}}};
  for (const auto& [line, rows] : expected) {
    INFO(line);
    CHECK(productions(line) == rows);
  }
}

}  // namespace engram::core
