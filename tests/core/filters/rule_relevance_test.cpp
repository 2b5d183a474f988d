// SPDX-License-Identifier: MIT
#include "core/filters/rule_relevance.hpp"

#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// Statements that a reasoner focuses on with equal weight, and the patterns of rules.
struct RulesInFocus {
  RulesInFocus(const std::vector<std::string>& facts, double weight) : memory(told(facts)) {
    for (const Statement& fact : memory.statements()) focus.push_back({fact.sentence.term, weight});
  }
  void add(const std::string& rule) { add_rule_patterns(0, term(memory, rule), rules); }
  std::vector<double> scores(const char* question) {
    return rule_relevance(rules, focus, term(memory, question), {});
  }

  Memory memory;
  std::vector<Focused> focus;
  std::vector<RulePattern> rules;
};

TEST_CASE("scores of chained rules match hand-computed values", "[rules]") {
  RulesInFocus world({"<(a * b) --> r>.", "<(b * c) --> s>.", "<(c * d) --> u>."}, 1);
  const auto add = [&](const std::string& a, const std::string& b, const std::string& c) {
    world.add("<(<($1 * #2) --> " + a + "> && <(#2 * $3) --> " + b + ">) ==> <($1 * $3) --> " + c + ">>");
  };
  add("r", "s", "t");  // rule 0 leads from a to c
  add("t", "u", "v");  // rule 1 leads from a to d
  add("r", "u", "w");  // rule 2: both premises match statements, but these share no name
  add("x", "s", "v");  // rule 3: no statement matches x
  const auto scores = world.scores("<(a * d) --> ?1>");
  const double g = 0.7;
  // Rule 1 uses the conclusion of rule 0, so its forward relevance is g and its backward relevance sqrt(g). Rule 0 is
  // relevant through rule 1: its forward relevance is 1 and its backward relevance g sqrt(g).
  CHECK(std::abs(scores[1] - g * std::sqrt(std::sqrt(g))) < 1e-15);
  CHECK(std::abs(scores[0] - std::sqrt(g * std::sqrt(g))) < 1e-15);
  CHECK(scores[2] == 0);
  CHECK(scores[3] == 0);
  // For a question about t, only rules that conclude t are relevant, and r and s do not lead from a to d.
  const auto other = world.scores("<(a * c) --> t>");
  CHECK(other[0] == 1);
  CHECK(other[1] == 0);
  world.focus.clear();
  for (const double s : world.scores("<(a * d) --> ?1>")) CHECK(s == 0);
}

TEST_CASE("a statement supports only one premise, and weaker statements give weaker rules", "[rules]") {
  RulesInFocus world({"<(a * b) --> r>.", "<(b * c) --> s>.", "<(c * d) --> u>."}, 0.5);
  world.add("<(<($1 * #2) --> r> && <(#2 * $3) --> s>) ==> <($1 * $3) --> t>>");
  world.add("<(<($1 * #2) --> t> && <(#2 * $3) --> u>) ==> <($1 * $3) --> v>>");
  world.add("<(<($1 * #2) --> r> && <($3 * #2) --> r>) ==> <($1 * $3) --> w>>");
  const auto scores = world.scores("<(a * d) --> ?1>");
  CHECK(std::abs(scores[1] - 0.7 * 0.5 * std::sqrt(std::sqrt(0.7 * 0.5 * 0.5))) < 1e-15);
  // The only statement about r cannot match both premises, whatever the question is.
  CHECK(rule_relevance(world.rules, world.focus, {}, {})[2] == 0);
}

TEST_CASE("rules with one premise, three premises and no matching premise", "[rules]") {
  RulesInFocus world({"<(a * b) --> r>.", "<(b * c) --> r>.", "<(c * d) --> r>."}, 0.5);
  world.add("<<($1 * $2) --> r> ==> <($2 * $1) --> s>>");
  world.add("<(&&, <($1 * #2) --> r>, <(#2 * #3) --> r>, <(#3 * $4) --> r>) ==> <($1 * $4) --> s>>");
  world.add("<(&&, <($1 * #2) --> r>, <(#2 * #3) --> r>, <(#3 * $1) --> r>) ==> <($1 * #2) --> s>>");
  const auto scores = rule_relevance(world.rules, world.focus, {}, {});
  CHECK(std::abs(scores[0] - 0.5 * std::sqrt(0.5)) < 1e-15);
  CHECK(std::abs(scores[1] - 0.5 * std::sqrt(0.5)) < 1e-14);
  CHECK(scores[2] == 0);  // no chain of three facts ends at the name where it starts
}

}  // namespace
}  // namespace engram::core
