// SPDX-License-Identifier: MIT
#include "core/reasoner/unifier.hpp"

#include "narsese/term_queries.hpp"
#include "tests/core/reasoner/reading.hpp"

namespace engram::core::unifier_tests {
namespace {

using narsese::Term;
using narsese::VariableKind;
using testing::Reading;

constexpr Bindable all_kinds{true, Bindable::Dependent::own, true};

// Unifies two terms after renaming the second apart. Returns the text of the result, or "-".
std::string unified(const std::string& first, const std::string& second, Bindable bindable = {}) {
  Reading reading;
  const Term a = reading.term(first), b = rename_apart(reading.table, reading.term(second));
  Unifier unifier(reading.table);
  unifier.begin(bindable);
  if (!unifier.unify(a, b)) return "-";
  const Term x = unifier.substitute(a, {}), y = unifier.substitute(b, {});
  if (!x || !y) return "too large";
  if (x != y) return "not one: " + narsese::print(x) + " and " + narsese::print(y);
  return narsese::print(narsese::number_variables(reading.table, x));
}

struct Unifying {
  Unifying() { unifier.begin({}); }

  Term term(const std::string& text) { return reading.term(text); }
  bool unify(const std::string& a, const std::string& b) { return unifier.unify(term(a), term(b)); }
  Term substitute(const std::string& text, const TermLimits& limits = {}) {
    return unifier.substitute(term(text), limits);
  }
  // Replaces v1 and v2 by $1 and $2. The parser would renumber variables.
  Term with_variables(const std::string& text) {
    return narsese::with_leaves(reading.table, term(text), [&](Term leaf) {
      const bool variable = leaf.name().size() == 2 && leaf.name()[0] == 'v';
      return variable ? reading.table.variable(VariableKind::independent, leaf.name()[1] - '0') : leaf;
    });
  }

  Reading reading;
  Unifier unifier{reading.table};
};

std::string printed(const std::string& text) {
  Reading reading;
  return narsese::print(reading.term(text));
}

}  // namespace

TEST_CASE("terms without variables unify only with themselves", "[reasoner][unifier]") {
  CHECK(unified("<a --> b>", "<a --> b>") == printed("<a --> b>"));
  CHECK(unified("<a --> b>", "<b --> a>") == "-");
  CHECK(unified("<a <-> b>", "<b <-> a>") == printed("<a <-> b>"));
}

TEST_CASE("a variable is bound to the same term in all places", "[reasoner][unifier]") {
  CHECK(unified("<$1 --> b>", "<a --> b>") == printed("<a --> b>"));
  CHECK(unified("<a --> b>", "<$1 --> b>") == printed("<a --> b>"));
  CHECK(unified("<$1 --> (*,$1,b)>", "<a --> (*,a,b)>") == printed("<a --> (*,a,b)>"));
  CHECK(unified("<$1 --> (*,$1,b)>", "<a --> (*,c,b)>") == "-");
  CHECK(unified("<$1 --> (/,r,_,$2)>", "<{a} --> (/,r,_,[b])>") == printed("<{a} --> (/,r,_,[b])>"));
  CHECK(unified("<$1 --> (/,r,_,$2)>", "<{a} --> (/,r,[b],_)>") == "-");
  CHECK(unified("(*,$1,$2)", "(*,a,b,c)") == "-");
  CHECK(unified("<$1 --> b>", "<$1 <-> b>") == "-");
}

TEST_CASE("equal numbers in two sentences are different variables", "[reasoner][unifier]") {
  // A shared $1 would need to be both a and b.
  CHECK(unified("(*,$1,b)", "(*,a,$1)") == printed("(*,a,b)"));
  CHECK(unified("(*,$1,$2,$1)", "(*,$1,$1,a)") == printed("(*,a,a,a)"));
  CHECK(unified("(*,$1,$2)", "(*,$1,$1)") == printed("(*,$1,$1)"));
}

TEST_CASE("only variables of bindable kinds are bound", "[reasoner][unifier]") {
  for (const bool independent : {false, true})
    for (const bool dependent : {false, true})
      for (const bool query : {false, true}) {
        const Bindable some{independent, dependent ? Bindable::Dependent::own : Bindable::Dependent::none,
                            query};
        CHECK((unified("<$1 --> b>", "<a --> b>", some) != "-") == independent);
        CHECK((unified("<#1 --> b>", "<a --> b>", some) != "-") == dependent);
        CHECK((unified("<?1 --> b>", "<a --> b>", some) != "-") == query);
      }
  // A variable that is not bindable acts as a name.
  CHECK(unified("<$1 --> b>", "<#1 --> b>") == printed("<#1 --> b>"));
}

TEST_CASE_METHOD(Unifying, "binds_dependent reports a bound dependent variable", "[reasoner][unifier]") {
  unifier.begin(all_kinds);
  CHECK(!unifier.binds_dependent());
  REQUIRE(unify("<$1 --> b>", "<a --> b>"));
  CHECK(!unifier.binds_dependent());
  REQUIRE(unify("<#1 --> b>", "<a --> b>"));
  CHECK(unifier.binds_dependent());
  unifier.begin(all_kinds);
  CHECK(!unifier.binds_dependent());
}

TEST_CASE_METHOD(Unifying, "a variable does not unify with a term that contains it", "[reasoner][unifier]") {
  const auto unify = [&](const char* a, const char* b) {
    unifier.begin({});
    return unifier.unify(with_variables(a), with_variables(b));
  };
  CHECK(!unify("v1", "(*,v1,a)"));
  CHECK(!unify("(*,v1,a)", "v1"));
  CHECK(unify("v1", "v1"));
  // Two variables must not contain each other, either.
  CHECK(!unify("(*,v1,v2)", "(*,(*,v2,a),(*,v1,a))"));
  CHECK(!unify("(*,v1,v2,v1)", "(*,v2,(*,v3,a),v3)"));
  CHECK(unify("(*,v1,v2)", "(*,(*,v2,a),(*,b,a))"));
}

TEST_CASE("commutative components unify in some order", "[reasoner][unifier]") {
  CHECK(unified("{$1,b}", "{a,b}") == printed("{a,b}"));
  CHECK(unified("<$1 <-> b>", "<b <-> a>") == printed("<a <-> b>"));
  CHECK(unified("<$1 <-> z>", "<b <-> z>") == printed("<b <-> z>"));
  CHECK(unified("(&&,<$1 --> a>,<$2 --> b>)", "(&&,<x --> b>,<y --> a>)") ==
        printed("(&&,<x --> b>,<y --> a>)"));
  // The first order of components fails, because $1 must be y in all of them.
  CHECK(unified("(&,(*,$1,a),(*,$1,b),(*,$1,c))", "(&,(*,y,c),(*,y,a),(*,y,b))") ==
        printed("(&,(*,y,c),(*,y,a),(*,y,b))"));
  CHECK(unified("(&,(*,$1,a),(*,$1,b))", "(&,(*,y,a),(*,x,b))") == "-");
  CHECK(unified("(&,(*,$1,p),(*,p,$2),$3,q)", "(&,q,a,(*,b,p),(*,p,c))") != "-");
  CHECK(unified("{$1,b}", "{a,b,c}") == "-");
}

TEST_CASE_METHOD(Unifying, "more than four components are tried in one order only", "[reasoner][unifier]") {
  // Components are compared in their canonical order, in which b meets a.
  CHECK(!unify("(&,(*,$1,a),b,c,d,e)", "(&,(*,x,a),a,c,d,e)"));
  CHECK(unifier.size() == 0);
  unifier.begin({});
  CHECK(unify("(&,(*,$1,a),b,c,d,e)", "(&,(*,x,a),b,c,d,e)"));
  CHECK(unifier.size() == 1);
}

TEST_CASE_METHOD(Unifying, "go_back removes the newest bindings", "[reasoner][unifier]") {
  REQUIRE(unify("<$1 --> b>", "<a --> b>"));
  const std::size_t before = unifier.size();
  CHECK(before == 1);
  REQUIRE(unifier.unify(with_variables("(*,v2,v3)"), term("(*,c,d)")));
  CHECK(unifier.size() == 3);
  unifier.go_back(before);
  CHECK(unifier.size() == before);
  const Term triple = term("(*,$1,$2,$1)");
  CHECK(narsese::print(narsese::number_variables(reading.table, unifier.substitute(triple, {}))) ==
        printed("(*,a,$1,a)"));
  // After go_back(), the second variable can be bound again.
  const Term second = reading.table.variable(VariableKind::independent, 2);
  REQUIRE(unifier.unify(second, term("e")));
  CHECK(unifier.substitute(second, {}) == term("e"));
  unifier.go_back(0);
  CHECK(unifier.substitute(triple, {}) == triple);
}

TEST_CASE_METHOD(Unifying, "go_back removes the bindings of a failed attempt", "[reasoner][unifier]") {
  const std::size_t before = unifier.size();
  CHECK(!unify("(*,$1,$2,b)", "(*,a,a,c)"));
  unifier.go_back(before);
  CHECK(unify("(*,$1,$2)", "(*,d,e)"));
}

TEST_CASE_METHOD(Unifying, "bindings hold for the next pair of terms", "[reasoner][unifier]") {
  REQUIRE(unify("<$1 --> b>", "<a --> b>"));
  CHECK(unify("<$1 --> c>", "<a --> c>"));
  CHECK(!unify("<$1 --> c>", "<d --> c>"));
}

TEST_CASE_METHOD(Unifying, "substitution normalizes terms and respects limits", "[reasoner][unifier]") {
  REQUIRE(unify("<$1 --> z>", "<(&,a,b) --> z>"));
  CHECK(substitute("<(&,$1,c) --> d>") == term("<(&,a,b,c) --> d>"));
  // Trivial statements and terms past the limits give no term.
  CHECK(!substitute("<$1 --> (&,a,b)>"));
  CHECK(!substitute("<(*,$1,c) --> d>", {.max_complexity = 6}));
  CHECK(substitute("<(*,$1,c) --> d>", {.max_complexity = 7}));
  CHECK(!substitute("<(*,$1,c) --> d>", {.max_depth = 3}));
  CHECK(substitute("<(*,$1,c) --> d>", {.max_depth = 4}));
}

TEST_CASE_METHOD(Unifying, "substitution follows chains of bindings up to the limits",
                 "[reasoner][unifier]") {
  const auto variable = [&](int number) { return reading.table.variable(VariableKind::independent, number); };
  // Each variable is a pair of the next one, so the expanded term has 2^60 leaves.
  for (int i = 1; i <= 60; ++i) {
    const Term next = variable(i + 1);
    REQUIRE(unifier.unify(variable(i),
                          reading.table.compound(narsese::Connector::product, std::array{next, next})));
  }
  CHECK(!unifier.substitute(variable(1), {}));
  CHECK(unifier.substitute(variable(58), {}));
}

TEST_CASE_METHOD(Unifying, "unification fails after max_steps", "[reasoner][unifier]") {
  // No inner component unifies with another, in any of 24 inner and 24 outer orders.
  const auto of = [&](const std::string& last) {
    std::string text = "(||";
    for (const char* outer : {"1", "2", "3", "4"}) {
      text += ",(&";
      for (const char* inner : {"1", "2", "3"}) text += std::string(",(*,$") + outer + inner + ",p)";
      text += std::string(",(*,$") + outer + "4," + last + "))";
    }
    return term(text + ")");
  };
  const Term a = of("q"), b = rename_apart(reading.table, of("r"));
  CHECK(!unifier.unify(a, b));
  // The number of attempts is used up, so all later calls fail until begin().
  CHECK(!unify("<$1 --> b>", "<a --> b>"));
  unifier.begin({});
  CHECK(unify("<$1 --> b>", "<a --> b>"));
}

TEST_CASE("the first order that unifies a commutative part stays", "[reasoner][unifier]") {
  CHECK(unified("<(&,$1,$2) --> (*,$1,$2)>", "<(&,a,b) --> (*,a,b)>") != "-");
  // $1 would need to be b, but the first order that unifies the intersections binds a.
  CHECK(unified("<(&,$1,$2) --> (*,$1,$2)>", "<(&,a,b) --> (*,b,a)>") == "-");
}

TEST_CASE_METHOD(Unifying, "a renamed term shares no variable with the original", "[reasoner][unifier]") {
  const Term rule = term("<<$1 --> a> ==> (&&,<#1 --> (*,$1,b)>,<#2 --> c>)>");
  const Term renamed = rename_apart(reading.table, rule);
  CHECK(renamed != rule);
  CHECK(narsese::number_variables(reading.table, renamed) == rule);
  CHECK(rename_apart(reading.table, term("<a --> b>")) == term("<a --> b>"));
  CHECK(rename_apart(reading.table, term("$1")).number() == 1 + renamed_from);
  CHECK(rename_apart(reading.table, term("#1")).variable_kind() == VariableKind::dependent);
}

}  // namespace engram::core::unifier_tests
