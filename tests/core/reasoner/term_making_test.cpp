// SPDX-License-Identifier: MIT
#include "core/reasoner/term_making.hpp"

#include "narsese/term_queries.hpp"
#include "tests/core/reasoner/reading.hpp"

namespace engram::core::term_making_tests {
namespace {

using narsese::Connector;
using narsese::Copula;
using narsese::Term;
using narsese::TermKind;
using narsese::TermLabel;
using testing::Reading;

// Calls make_term with the label and the components of a parsed term.
struct Making {
  Reading reading;

  std::string made(const std::string& text, const TermLimits& limits = {}) {
    const Term plain = reading.term(text);
    const Term term = make_term(reading.table, plain.label(), plain.components(), limits);
    return term ? narsese::print(term) : "none";
  }
  std::string as_read(const std::string& text) { return narsese::print(reading.term(text)); }
  // The results of introduce_variables with their numbers of variables: "2 <..>".
  std::vector<std::string> introduced(const std::string& text, const TermLimits& limits = {}) {
    std::vector<std::string> all;
    const Term term = reading.term(text);
    for (const Generalization& one :
         introduce_variables(reading.table, term.label(), term.components(), limits))
      all.push_back(std::to_string(one.variables) + " " +
                    narsese::print(narsese::number_variables(reading.table, one.term)));
    std::ranges::sort(all);
    return all;
  }
  std::vector<std::string> expected(std::vector<std::pair<int, std::string>> terms) {
    std::vector<std::string> all;
    for (const auto& [variables, text] : terms)
      all.push_back(std::to_string(variables) + " " + as_read(text));
    std::ranges::sort(all);
    return all;
  }
  bool informs(const std::string& text) { return is_informative(reading.term(text)); }
};

}  // namespace

TEST_CASE_METHOD(Making, "terms in normal form stay as they are", "[reasoner][term_making]") {
  for (const std::string text :
       {"<a --> b>",       "<a <-> b>",  "<a ==> b>",   "<a <=> b>",        "(&,a,b)",  "(|,a,b)",
        "(-,a,b)",         "(~,a,b)",    "(*,a,b)",     "(*,(*,a,b),c)",    "{a,b}",    "[a]",
        "(/,r,_,b)",       "(\\,r,a,_)", "(--,a)",      "(&&,a,b)",         "(||,a,b)", "(&/,a,b)",
        "(&&,(||,a,b),c)", "(&,{a},b)",  "(-,{a},[a])", "(/,(*,a,b,c),_,b)"}) {
    INFO(text);
    CHECK(made(text) == as_read(text));
  }
}

TEST_CASE_METHOD(Making, "nested compounds are flattened unless they have an order in time",
                 "[reasoner][term_making]") {
  for (const std::string connector : {"&&", "||", "&", "|", "&|"}) {
    INFO(connector);
    const auto of = [&](const std::string& inner) { return "(" + connector + "," + inner + ")"; };
    CHECK(made(of(of("a,b") + ",c")) == as_read(of("a,b,c")));
    CHECK(made(of("a," + of("b,c"))) == as_read(of("a,b,c")));
    CHECK(made(of(of("a,b") + "," + of("c,b"))) == as_read(of("a,b,c")));
  }
  CHECK(made("(&/,(&/,a,b),c)") == as_read("(&/,(&/,a,b),c)"));
  CHECK(made("(&&,(||,a,b),(||,c,d))") == as_read("(&&,(||,a,b),(||,c,d))"));
}

TEST_CASE_METHOD(Making, "double negation is removed", "[reasoner][term_making]") {
  CHECK(made("(--,(--,a))") == "a");
  CHECK(made("(--,(--,(--,a)))") == as_read("(--,a)"));
}

TEST_CASE_METHOD(Making, "sets are united, intersected and subtracted", "[reasoner][term_making]") {
  CHECK(made("(|,{a},{b})") == as_read("{a,b}"));
  CHECK(made("(|,{a,b},{b,c})") == as_read("{a,b,c}"));
  CHECK(made("(&,[a],[b])") == as_read("[a,b]"));
  CHECK(made("(&,{a,b},{b,c})") == as_read("{b}"));
  CHECK(made("(&,{a,b,c},{b,c,d},{c,e})") == as_read("{c}"));
  CHECK(made("(|,[a,b],[b,c])") == as_read("[b]"));
  CHECK(made("(-,{a,b},{b})") == as_read("{a}"));
  CHECK(made("(~,[a,b,c],[b])") == as_read("[a,c]"));
  // make_term returns nothing for an empty set.
  CHECK(made("(&,{a},{b})") == "none");
  CHECK(made("(|,[a],[b])") == "none");
  CHECK(made("(-,{a},{a,b})") == "none");
  CHECK(made("(~,[b],[a,b])") == "none");
  // Extensional and intensional sets are not combined.
  CHECK(made("(|,{a},[b])") == as_read("(|,{a},[b])"));
  CHECK(made("(-,[a,b],[b])") == as_read("(-,[a,b],[b])"));
}

TEST_CASE_METHOD(Making, "make_term rejects the difference of a term and itself", "[reasoner][term_making]") {
  CHECK(made("(-,a,a)") == "none");
  CHECK(made("(~,(&,a,b),(&,b,a))") == "none");
}

TEST_CASE_METHOD(Making, "an image of a product is a component of the product", "[reasoner][term_making]") {
  CHECK(made("(/,(*,a,b),_,b)") == "a");
  CHECK(made("(/,(*,a,b),a,_)") == "b");
  CHECK(made("(\\,(*,a,b),_,b)") == "a");
  CHECK(made("(/,(*,a,b,c),a,_,c)") == "b");
  CHECK(made("(/,(*,a,b),_,c)") == as_read("(/,(*,a,b),_,c)"));
  CHECK(made("(/,(*,a,b,c),_,c,b)") == as_read("(/,(*,a,b,c),_,c,b)"));
}

TEST_CASE_METHOD(Making, "trivial statements are no terms", "[reasoner][term_making]") {
  for (const std::string copula : {"-->", "<->", "==>", "<=>"}) {
    INFO(copula);
    const auto of = [&](const std::string& a, const std::string& b) {
      return "<" + a + " " + copula + " " + b + ">";
    };
    CHECK(made(of("a", "a")) == "none");
    CHECK(made(of("(&&,a,b)", "(&&,b,a)")) == "none");
    CHECK(made(of("a", "(&&,a,b)")) == "none");
    CHECK(made(of("(||,(&&,a,b),c)", "a")) == "none");
    CHECK(made(of("(--,a)", "a")) == "none");
    CHECK(made(of("a", "(*,a,b)")) == as_read(of("a", "(*,a,b)")));
    CHECK(made(of("a", "(/,r,_,a)")) == as_read(of("a", "(/,r,_,a)")));
  }
  CHECK(made("<a --> {a}>") == "none");
}

TEST_CASE_METHOD(Making, "terms past the limits are not made", "[reasoner][term_making]") {
  CHECK(made("(*,a,b,c)", {.max_complexity = 4}) == as_read("(*,a,b,c)"));
  CHECK(made("(*,a,b,c)", {.max_complexity = 3}) == "none");
  CHECK(made("<(*,(*,a,b),c) --> d>", {.max_depth = 4}) != "none");
  CHECK(made("<(*,(*,a,b),c) --> d>", {.max_depth = 3}) == "none");
  CHECK(made("(/,r,_,a)", {.max_complexity = 2}) == "none");
}

TEST_CASE_METHOD(Making, "an informative judgment uses each independent variable twice",
                 "[reasoner][term_making]") {
  CHECK(informs("<a --> b>"));
  CHECK(informs("<#1 --> b>"));
  CHECK(informs("(&&,<#1 --> a>,<#1 --> b>)"));
  CHECK(informs("<<$1 --> a> ==> <$1 --> b>>"));
  CHECK(informs("(&&,<#1 --> c>,<<$1 --> a> ==> <$1 --> (*,b,#1)>>)"));
  CHECK_FALSE(informs("<$1 --> b>"));
  CHECK_FALSE(informs("(&&,<$1 --> a>,<$1 --> b>)"));
  CHECK_FALSE(informs("<<$1 --> a> ==> <b --> c>>"));
  CHECK_FALSE(informs("<<$1 --> (*,$2,a)> ==> <$1 --> c>>"));
  CHECK_FALSE(informs("<a --> ?1>"));
  CHECK_FALSE(informs("<<$1 --> a> ==> <$1 --> ?1>>"));
}

TEST_CASE_METHOD(Making, "a shared term becomes a variable", "[reasoner][term_making]") {
  CHECK(introduced("<<tea --> leaf> ==> <tea --> drink>>") ==
        expected({{1, "<<$1 --> leaf> ==> <$1 --> drink>>"}}));
  CHECK(introduced("<<tea --> leaf> <=> <tea --> drink>>") ==
        expected({{1, "<<$1 --> leaf> <=> <$1 --> drink>>"}}));
  CHECK(introduced("(&&,<tea --> leaf>,<tea --> drink>)") ==
        expected({{1, "(&&,<#1 --> leaf>,<#1 --> drink>)"}}));
  CHECK(introduced("<<chair --> seat> ==> <stool --> seat>>") ==
        expected({{1, "<<chair --> $1> ==> <stool --> $1>>"}}));
  // Without a shared term there is no result.
  CHECK(introduced("<<tea --> leaf> ==> <milk --> drink>>").empty());
}

TEST_CASE_METHOD(Making, "several shared terms become variables, one by one and together",
                 "[reasoner][term_making]") {
  CHECK(introduced("<<ann --> (/,knows,_,bob)> ==> <ann --> (/,likes,_,bob)>>") ==
        expected({{1, "<<$1 --> (/,knows,_,bob)> ==> <$1 --> (/,likes,_,bob)>>"},
                  {1, "<<ann --> (/,knows,_,$1)> ==> <ann --> (/,likes,_,$1)>>"},
                  {2, "<<$1 --> (/,knows,_,$2)> ==> <$1 --> (/,likes,_,$2)>>"}}));
}

TEST_CASE_METHOD(Making, "the relation of an image does not become a variable", "[reasoner][term_making]") {
  CHECK(introduced("<<ann --> (/,knows,_,bob)> ==> <ida --> (/,knows,_,uwe)>>").empty());
  CHECK(introduced("<<ann --> (/,knows,_,bob)> ==> <ann --> (/,knows,_,uwe)>>") ==
        expected({{1, "<<$1 --> (/,knows,_,bob)> ==> <$1 --> (/,knows,_,uwe)>>"}}));
}

TEST_CASE_METHOD(Making, "at least one name stays in the statements", "[reasoner][term_making]") {
  // Replacing both shared terms would leave only variables.
  CHECK(introduced("<<a --> b> ==> <b --> a>>") ==
        expected({{1, "<<$1 --> b> ==> <b --> $1>>"}, {1, "<<a --> $1> ==> <$1 --> a>>"}}));
}

TEST_CASE_METHOD(Making, "only the largest shared term becomes a variable", "[reasoner][term_making]") {
  CHECK(introduced("<<(*,a,b) --> r> ==> <(*,a,b) --> s>>") ==
        expected({{1, "<<$1 --> r> ==> <$1 --> s>>"}}));
  // #1 is shared, but it is a variable already.
  CHECK(introduced("(&&,<#1 --> (*,a,b)>,<#1 --> c>)").empty());
}

TEST_CASE_METHOD(Making, "existing variables keep their places", "[reasoner][term_making]") {
  CHECK(introduced("(&&,<#1 --> hot>,<tea --> leaf>,<tea --> drink>)") ==
        expected({{1, "(&&,<#1 --> hot>,<#2 --> leaf>,<#2 --> drink>)"}}));
  CHECK(introduced("<(&&,<$1 --> (*,tea,hot)>,<tea --> leaf>) ==> <$1 --> drinker>>") ==
        expected({{1, "<(&&,<$1 --> (*,#1,hot)>,<#1 --> leaf>) ==> <$1 --> drinker>>"}}));
}

TEST_CASE_METHOD(Making, "at most three terms become variables", "[reasoner][term_making]") {
  const auto all = introduced("<<(*,a,b,c,d,x) --> r> ==> <(*,a,b,c,d,y) --> s>>");
  CHECK(all.size() == 7);
  CHECK(std::ranges::count_if(all, [](const std::string& one) { return one.starts_with("3 "); }) == 1);
  CHECK(std::ranges::count_if(all, [](const std::string& one) { return one.starts_with("2 "); }) == 3);
}

}  // namespace engram::core::term_making_tests
