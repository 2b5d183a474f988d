// SPDX-License-Identifier: MIT
#include "core/index/unification.hpp"

#include <set>

#include "core/index/proof_rules.hpp"
#include "narsese/parser.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::core;

namespace {

narsese::Term unify_term(narsese::TermTable& table, const std::string& text) {
  const auto term = narsese::parse_term(text, table);
  REQUIRE(term);
  return *term;
}

bool matches(const std::string& pattern, const std::string& text, Bindings* out = nullptr) {
  static narsese::TermTable table;
  Bindings bindings;
  const bool fits = match(unify_term(table, pattern), unify_term(table, text), bindings);
  if (!fits) CHECK(bindings.empty());
  if (out != nullptr) *out = bindings;
  return fits;
}

bool fit_together(const std::string& a, const std::string& b) {
  static narsese::TermTable table;
  const bool fits = compatible(unify_term(table, a), unify_term(table, b));
  CHECK(compatible(unify_term(table, b), unify_term(table, a)) == fits);
  return fits;
}

std::vector<RulePattern> patterns(narsese::TermTable& table, const std::string& text) {
  std::vector<RulePattern> rules;
  add_rule_patterns(7, unify_term(table, text), rules);
  return rules;
}

}  // namespace

TEST_CASE("leaves have equal positions in statements of equal form only", "[unification]") {
  narsese::TermTable table;
  const auto fact = leaves(unify_term(table, "<(tim * tom) --> father>"));
  const auto pattern = leaves(unify_term(table, "<($1 * #2) --> mother>"));
  REQUIRE(fact.size() == 3);
  REQUIRE(pattern.size() == 3);
  std::set<Position> places;
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(fact[i].position == pattern[i].position);
    places.insert(fact[i].position);
  }
  CHECK(places.size() == 3);
  CHECK(fact[0].term == unify_term(table, "tim"));
  CHECK(fact[2].term == unify_term(table, "father"));
  for (const Leaf& other : leaves(unify_term(table, "<(a * b * c) --> father>"))) {
    if (other.term == unify_term(table, "father")) continue;
    CHECK_FALSE(places.contains(other.position));
  }
  // All members of a set have one position, because order has no meaning.
  const auto set = leaves(unify_term(table, "{a, b}"));
  REQUIRE(set.size() == 2);
  CHECK(set[0].position == set[1].position);
  CHECK(leaves(unify_term(table, "(a &/ +3 &/ ^go)")).size() == 2);
}

TEST_CASE("a pattern matches its instances, with one value for each variable", "[unification]") {
  Bindings bindings;
  CHECK(matches("<($1 * #2) --> father>", "<(tim * tom) --> father>", &bindings));
  CHECK(bindings.size() == 2);
  CHECK_FALSE(matches("<($1 * #2) --> father>", "<(tim * tom) --> mother>"));
  CHECK_FALSE(matches("<($1 * $1) --> likes>", "<(tim * tom) --> likes>"));
  CHECK(matches("<($1 * $1) --> likes>", "<(tim * tim) --> likes>", &bindings));
  CHECK(bindings.size() == 1);
  CHECK_FALSE(matches("<($1 * $2) --> r>", "<(a * b * c) --> r>"));
  CHECK_FALSE(matches("<($1 * $2) --> r>", "<(a * b) <-> r>"));
  CHECK(matches("<$1 --> bird>", "<{tweety} --> bird>"));
  CHECK(matches("<{$1} <-> x>", "<x <-> {a}>"));  // a similarity matches in either order
  CHECK(matches("a", "a"));
  CHECK_FALSE(matches("a", "b"));
  // A variable of a question matches anything and binds nothing.
  CHECK(matches("<($1 * $3) --> uncle>", "<(tim * tom) --> ?1>", &bindings));
  CHECK(bindings.size() == 2);
  CHECK(matches("<($1 * $1) --> r>", "<(?1 * tom) --> r>"));
}

TEST_CASE("terms that unify are compatible in both directions", "[unification]") {
  CHECK(fit_together("<($1 * #2) --> r>", "<($5 * a) --> r>"));
  CHECK_FALSE(fit_together("<($1 * #2) --> r>", "<($5 * a) --> s>"));
  CHECK(fit_together("<($1 * b) --> r>", "<(a * #2) --> r>"));
  CHECK_FALSE(fit_together("<($1 * b) --> r>", "<(#1 * c) --> r>"));
  CHECK(fit_together("$1", "<a --> b>"));
  CHECK(fit_together("<$1 <-> b>", "<b <-> a>"));
  CHECK_FALSE(fit_together("a", "b"));
}

TEST_CASE("terms that differ only in variables have one shape", "[unification]") {
  narsese::TermTable table;
  const auto shape = [&](const char* text) { return shape_of(unify_term(table, text)); };
  CHECK(shape("<($1 * #2) --> r>") == shape("<(#3 * $1) --> r>"));
  CHECK(shape("<($1 * #2) --> r>") != shape("<($1 * #2) --> s>"));
  CHECK(shape("<($1 * #2) --> r>") != shape("<($1 * a) --> r>"));
  CHECK(shape("<a --> b>") != shape("<b --> a>"));
  CHECK(shape("<a --> b>") != shape("<a <-> b>"));
}

TEST_CASE("a rule has premises and a conclusion", "[unification]") {
  narsese::TermTable table;
  const auto two = patterns(table, "<(<($1 * #2) --> a> && <(#2 * $3) --> b>) ==> <($1 * $3) --> c>>");
  REQUIRE(two.size() == 1);
  CHECK(two[0].statement == 7);
  CHECK(two[0].premises.size() == 2);
  CHECK(two[0].conclusion == unify_term(table, "<($1 * $3) --> c>"));
  const auto nested = patterns(table, "<<$1 --> a> ==> <<$1 --> b> ==> <$1 --> c>>>");
  REQUIRE(nested.size() == 1);
  CHECK(nested[0].premises.size() == 2);
  CHECK(nested[0].conclusion == unify_term(table, "<$1 --> c>"));
  CHECK(patterns(table, "<<$1 --> a> <=> <$1 --> b>>").size() == 2);
  std::string many = "<$1 --> a0>";
  for (int i = 1; i < 9; ++i) many += " && <$1 --> a" + std::to_string(i) + ">";
  CHECK(patterns(table, "<(" + many + ") ==> <$1 --> c>>").empty());
  CHECK(patterns(table, "<(<$1 --> a> &/ +5 &/ <$1 --> b>) =/> <$1 --> c>>")[0].premises.size() == 2);
}

TEST_CASE("only implications and equivalences are rules", "[unification]") {
  narsese::TermTable table;
  for (const char* text : {"#1",
                           "?1",
                           "$1",
                           "(--,#1)",
                           "(*,#1)",
                           "{#1}",
                           "[#1]",
                           "(*,#1,#2)",
                           "(&&,#1,#2)",
                           "(&/,#1,+3,#2)",
                           "(/,r,_,#1)",
                           "(\\,r,#1,_)",
                           "(--,<a ==> #1>)",
                           "a",
                           "^go",
                           "{a}",
                           "<#1 --> a>",
                           "<#1 <-> a>",
                           "<(*,{SELF},#1) --> ^go>",
                           "(&&,<a ==> b>,<b ==> #1>)"})
    CHECK(patterns(table, text).empty());
}
