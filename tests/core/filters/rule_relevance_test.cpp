// SPDX-License-Identifier: MIT
#include "core/filters/rule_relevance.hpp"

#include <cmath>

#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::core;
using samples::term;

TEST_CASE("scores of chained rules match hand-computed values", "[core][rules]") {
  Memory memory = samples::told({"<(a * b) --> r>.", "<(b * c) --> s>.", "<(c * d) --> u>."});
  std::vector<Focused> focus;
  for (const Statement& fact : memory.statements()) focus.push_back({fact.sentence.term, 1.0});
  std::vector<RulePattern> rules;
  const auto add = [&](const std::string& a, const std::string& b, const std::string& c) {
    add_rule_patterns(0,
                      term(memory, "<(<($1 * #2) --> " + a + "> && <(#2 * $3) --> " + b +
                                       ">) ==> <($1 * $3) --> " + c + ">>"),
                      rules);
  };
  add("r", "s", "t");  // a to c
  add("t", "u", "v");  // and on to d
  add("r", "u", "w");  // both premises match, but share no name
  add("x", "s", "v");  // no statement matches x
  const auto scores = rule_relevance(rules, focus, term(memory, "<(a * d) --> ?1>"), {});
  const double g = 0.7;
  // The first rule supports a premise of the second: forward g, backward <g, 1>. The second makes the first relevant.
  CHECK(std::abs(scores[1] - g * std::sqrt(std::sqrt(g))) < 1e-15);
  CHECK(std::abs(scores[0] - std::sqrt(g * std::sqrt(g))) < 1e-15);
  CHECK(scores[2] == 0);
  CHECK(scores[3] == 0);
  // For a question about t, only rules that conclude t are relevant, and r and s do not lead from a to d.
  const auto other = rule_relevance(rules, focus, term(memory, "<(a * c) --> t>"), {});
  CHECK(other[0] == 1);
  CHECK(other[1] == 0);
  for (const double s : rule_relevance(rules, {}, term(memory, "<(a * d) --> ?1>"), {})) CHECK(s == 0);
}

TEST_CASE("a statement supports only one premise, and weaker statements give weaker rules", "[core][rules]") {
  Memory memory = samples::told({"<(a * b) --> r>.", "<(b * c) --> s>.", "<(c * d) --> u>."});
  std::vector<Focused> focus;
  for (const Statement& fact : memory.statements()) focus.push_back({fact.sentence.term, 0.5});
  std::vector<RulePattern> rules;
  const auto add = [&](const char* rule) { add_rule_patterns(0, term(memory, rule), rules); };
  add("<(<($1 * #2) --> r> && <(#2 * $3) --> s>) ==> <($1 * $3) --> t>>");
  add("<(<($1 * #2) --> t> && <(#2 * $3) --> u>) ==> <($1 * $3) --> v>>");
  add("<(<($1 * #2) --> r> && <($3 * #2) --> r>) ==> <($1 * $3) --> w>>");
  const auto scores = rule_relevance(rules, focus, term(memory, "<(a * d) --> ?1>"), {});
  CHECK(std::abs(scores[1] - 0.7 * 0.5 * std::sqrt(std::sqrt(0.7 * 0.5 * 0.5))) < 1e-15);
  // The only r cannot match both premises, whatever the question.
  CHECK(rule_relevance(rules, focus, {}, {})[2] == 0);
}

TEST_CASE("rules with one premise, three premises and no matching premise", "[core][rules]") {
  Memory memory = samples::told({"<(a * b) --> r>.", "<(b * c) --> r>.", "<(c * d) --> r>."});
  std::vector<Focused> focus;
  for (const Statement& fact : memory.statements()) focus.push_back({fact.sentence.term, 0.5});
  std::vector<RulePattern> rules;
  const auto add = [&](const char* rule) { add_rule_patterns(0, term(memory, rule), rules); };
  add("<<($1 * $2) --> r> ==> <($2 * $1) --> s>>");
  add("<(&&, <($1 * #2) --> r>, <(#2 * #3) --> r>, <(#3 * $4) --> r>) ==> <($1 * $4) --> s>>");
  add("<(&&, <($1 * #2) --> r>, <(#2 * #3) --> r>, <(#3 * $1) --> r>) ==> <($1 * #2) --> s>>");
  const auto scores = rule_relevance(rules, focus, {}, {});
  CHECK(std::abs(scores[0] - 0.5 * std::sqrt(0.5)) < 1e-15);
  CHECK(std::abs(scores[1] - 0.5 * std::sqrt(0.5)) < 1e-14);
  CHECK(scores[2] == 0);  // no name is at both ends
}
