// SPDX-License-Identifier: MIT
#include "core/reasoner/term_making.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "narsese/term_queries.hpp"
#include "tests/core/reasoner/reading.hpp"
#include "tests/support/catch.hpp"

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

TEST_CASE("terms in normal form stay as they are", "[core][reasoner][term_making]") {
  Making making;
  for (const std::string text :
       {"<a --> b>",       "<a <-> b>",  "<a ==> b>",   "<a <=> b>",        "(&,a,b)",  "(|,a,b)",
        "(-,a,b)",         "(~,a,b)",    "(*,a,b)",     "(*,(*,a,b),c)",    "{a,b}",    "[a]",
        "(/,r,_,b)",       "(\\,r,a,_)", "(--,a)",      "(&&,a,b)",         "(||,a,b)", "(&/,a,b)",
        "(&&,(||,a,b),c)", "(&,{a},b)",  "(-,{a},[a])", "(/,(*,a,b,c),_,b)"}) {
    INFO(text);
    CHECK(making.made(text) == making.as_read(text));
  }
}

TEST_CASE("nested compounds are flattened unless they have an order in time",
          "[core][reasoner][term_making]") {
  Making making;
  for (const std::string connector : {"&&", "||", "&", "|", "&|"}) {
    INFO(connector);
    const auto of = [&](const std::string& inner) { return "(" + connector + "," + inner + ")"; };
    CHECK(making.made(of(of("a,b") + ",c")) == making.as_read(of("a,b,c")));
    CHECK(making.made(of("a," + of("b,c"))) == making.as_read(of("a,b,c")));
    CHECK(making.made(of(of("a,b") + "," + of("c,b"))) == making.as_read(of("a,b,c")));
  }
  CHECK(making.made("(&/,(&/,a,b),c)") == making.as_read("(&/,(&/,a,b),c)"));
  CHECK(making.made("(&&,(||,a,b),(||,c,d))") == making.as_read("(&&,(||,a,b),(||,c,d))"));
}

TEST_CASE("double negation is removed", "[core][reasoner][term_making]") {
  Making making;
  CHECK(making.made("(--,(--,a))") == "a");
  CHECK(making.made("(--,(--,(--,a)))") == making.as_read("(--,a)"));
}

TEST_CASE("sets are united, intersected and subtracted", "[core][reasoner][term_making]") {
  Making making;
  CHECK(making.made("(|,{a},{b})") == making.as_read("{a,b}"));
  CHECK(making.made("(|,{a,b},{b,c})") == making.as_read("{a,b,c}"));
  CHECK(making.made("(&,[a],[b])") == making.as_read("[a,b]"));
  CHECK(making.made("(&,{a,b},{b,c})") == making.as_read("{b}"));
  CHECK(making.made("(&,{a,b,c},{b,c,d},{c,e})") == making.as_read("{c}"));
  CHECK(making.made("(|,[a,b],[b,c])") == making.as_read("[b]"));
  CHECK(making.made("(-,{a,b},{b})") == making.as_read("{a}"));
  CHECK(making.made("(~,[a,b,c],[b])") == making.as_read("[a,c]"));
  // make_term returns nothing for an empty set.
  CHECK(making.made("(&,{a},{b})") == "none");
  CHECK(making.made("(|,[a],[b])") == "none");
  CHECK(making.made("(-,{a},{a,b})") == "none");
  CHECK(making.made("(~,[b],[a,b])") == "none");
  // Extensional and intensional sets are not combined.
  CHECK(making.made("(|,{a},[b])") == making.as_read("(|,{a},[b])"));
  CHECK(making.made("(-,[a,b],[b])") == making.as_read("(-,[a,b],[b])"));
}

TEST_CASE("make_term rejects the difference of a term and itself", "[core][reasoner][term_making]") {
  Making making;
  CHECK(making.made("(-,a,a)") == "none");
  CHECK(making.made("(~,(&,a,b),(&,b,a))") == "none");
}

TEST_CASE("an image of a product is a component of the product", "[core][reasoner][term_making]") {
  Making making;
  CHECK(making.made("(/,(*,a,b),_,b)") == "a");
  CHECK(making.made("(/,(*,a,b),a,_)") == "b");
  CHECK(making.made("(\\,(*,a,b),_,b)") == "a");
  CHECK(making.made("(/,(*,a,b,c),a,_,c)") == "b");
  CHECK(making.made("(/,(*,a,b),_,c)") == making.as_read("(/,(*,a,b),_,c)"));
  CHECK(making.made("(/,(*,a,b,c),_,c,b)") == making.as_read("(/,(*,a,b,c),_,c,b)"));
}

TEST_CASE("trivial statements are no terms", "[core][reasoner][term_making]") {
  Making making;
  for (const std::string copula : {"-->", "<->", "==>", "<=>"}) {
    INFO(copula);
    const auto of = [&](const std::string& a, const std::string& b) {
      return "<" + a + " " + copula + " " + b + ">";
    };
    CHECK(making.made(of("a", "a")) == "none");
    CHECK(making.made(of("(&&,a,b)", "(&&,b,a)")) == "none");
    CHECK(making.made(of("a", "(&&,a,b)")) == "none");
    CHECK(making.made(of("(||,(&&,a,b),c)", "a")) == "none");
    CHECK(making.made(of("(--,a)", "a")) == "none");
    CHECK(making.made(of("a", "(*,a,b)")) == making.as_read(of("a", "(*,a,b)")));
    CHECK(making.made(of("a", "(/,r,_,a)")) == making.as_read(of("a", "(/,r,_,a)")));
  }
  CHECK(making.made("<a --> {a}>") == "none");
}

TEST_CASE("terms past the limits are not made", "[core][reasoner][term_making]") {
  Making making;
  CHECK(making.made("(*,a,b,c)", {.max_complexity = 4}) == making.as_read("(*,a,b,c)"));
  CHECK(making.made("(*,a,b,c)", {.max_complexity = 3}) == "none");
  CHECK(making.made("<(*,(*,a,b),c) --> d>", {.max_depth = 4}) != "none");
  CHECK(making.made("<(*,(*,a,b),c) --> d>", {.max_depth = 3}) == "none");
  CHECK(making.made("(/,r,_,a)", {.max_complexity = 2}) == "none");
}

TEST_CASE("an informative judgment uses each independent variable twice", "[core][reasoner][term_making]") {
  Making making;
  CHECK(making.informs("<a --> b>"));
  CHECK(making.informs("<#1 --> b>"));
  CHECK(making.informs("(&&,<#1 --> a>,<#1 --> b>)"));
  CHECK(making.informs("<<$1 --> a> ==> <$1 --> b>>"));
  CHECK(making.informs("(&&,<#1 --> c>,<<$1 --> a> ==> <$1 --> (*,b,#1)>>)"));
  CHECK_FALSE(making.informs("<$1 --> b>"));
  CHECK_FALSE(making.informs("(&&,<$1 --> a>,<$1 --> b>)"));
  CHECK_FALSE(making.informs("<<$1 --> a> ==> <b --> c>>"));
  CHECK_FALSE(making.informs("<<$1 --> (*,$2,a)> ==> <$1 --> c>>"));
  CHECK_FALSE(making.informs("<a --> ?1>"));
  CHECK_FALSE(making.informs("<<$1 --> a> ==> <$1 --> ?1>>"));
}

TEST_CASE("a shared term becomes a variable", "[core][reasoner][term_making]") {
  Making making;
  CHECK(making.introduced("<<tea --> leaf> ==> <tea --> drink>>") ==
        making.expected({{1, "<<$1 --> leaf> ==> <$1 --> drink>>"}}));
  CHECK(making.introduced("<<tea --> leaf> <=> <tea --> drink>>") ==
        making.expected({{1, "<<$1 --> leaf> <=> <$1 --> drink>>"}}));
  CHECK(making.introduced("(&&,<tea --> leaf>,<tea --> drink>)") ==
        making.expected({{1, "(&&,<#1 --> leaf>,<#1 --> drink>)"}}));
  CHECK(making.introduced("<<chair --> seat> ==> <stool --> seat>>") ==
        making.expected({{1, "<<chair --> $1> ==> <stool --> $1>>"}}));
  // Without a shared term there is no result.
  CHECK(making.introduced("<<tea --> leaf> ==> <milk --> drink>>").empty());
}

TEST_CASE("several shared terms become variables, one by one and together", "[core][reasoner][term_making]") {
  Making making;
  CHECK(making.introduced("<<ann --> (/,knows,_,bob)> ==> <ann --> (/,likes,_,bob)>>") ==
        making.expected({{1, "<<$1 --> (/,knows,_,bob)> ==> <$1 --> (/,likes,_,bob)>>"},
                         {1, "<<ann --> (/,knows,_,$1)> ==> <ann --> (/,likes,_,$1)>>"},
                         {2, "<<$1 --> (/,knows,_,$2)> ==> <$1 --> (/,likes,_,$2)>>"}}));
}

TEST_CASE("the relation of an image does not become a variable", "[core][reasoner][term_making]") {
  Making making;
  CHECK(making.introduced("<<ann --> (/,knows,_,bob)> ==> <ida --> (/,knows,_,uwe)>>").empty());
  CHECK(making.introduced("<<ann --> (/,knows,_,bob)> ==> <ann --> (/,knows,_,uwe)>>") ==
        making.expected({{1, "<<$1 --> (/,knows,_,bob)> ==> <$1 --> (/,knows,_,uwe)>>"}}));
}

TEST_CASE("at least one name stays in the statements", "[core][reasoner][term_making]") {
  Making making;
  // Replacing both shared terms would leave only variables.
  CHECK(making.introduced("<<a --> b> ==> <b --> a>>") ==
        making.expected({{1, "<<$1 --> b> ==> <b --> $1>>"}, {1, "<<a --> $1> ==> <$1 --> a>>"}}));
}

TEST_CASE("only the largest shared term becomes a variable", "[core][reasoner][term_making]") {
  Making making;
  CHECK(making.introduced("<<(*,a,b) --> r> ==> <(*,a,b) --> s>>") ==
        making.expected({{1, "<<$1 --> r> ==> <$1 --> s>>"}}));
  // #1 is shared, but it is a variable already.
  CHECK(making.introduced("(&&,<#1 --> (*,a,b)>,<#1 --> c>)").empty());
}

TEST_CASE("existing variables keep their places", "[core][reasoner][term_making]") {
  Making making;
  CHECK(making.introduced("(&&,<#1 --> hot>,<tea --> leaf>,<tea --> drink>)") ==
        making.expected({{1, "(&&,<#1 --> hot>,<#2 --> leaf>,<#2 --> drink>)"}}));
  CHECK(making.introduced("<(&&,<$1 --> (*,tea,hot)>,<tea --> leaf>) ==> <$1 --> drinker>>") ==
        making.expected({{1, "<(&&,<$1 --> (*,#1,hot)>,<#1 --> leaf>) ==> <$1 --> drinker>>"}}));
}

TEST_CASE("at most three terms become variables", "[core][reasoner][term_making]") {
  Making making;
  const auto all = making.introduced("<<(*,a,b,c,d,x) --> r> ==> <(*,a,b,c,d,y) --> s>>");
  CHECK(all.size() == 7);
  CHECK(std::ranges::count_if(all, [](const std::string& one) { return one.starts_with("3 "); }) == 1);
  CHECK(std::ranges::count_if(all, [](const std::string& one) { return one.starts_with("2 "); }) == 3);
}

}  // namespace engram::core::term_making_tests
