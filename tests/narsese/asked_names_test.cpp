// SPDX-License-Identifier: MIT
#include "narsese/asked_names.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "narsese/parser.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;

namespace {

/// Of these questions, the names for which there is no answer as long as nothing states them, in order.
std::string unanswerable(const std::vector<std::string>& questions) {
  TermTable table;
  std::vector<AskedName> all;
  for (const std::string& question : questions) {
    const auto term = parse_term(question, table);
    REQUIRE(term);
    for (const AskedName& name : asked_names(*term)) {
      const auto known = std::ranges::find(all, name.atom, &AskedName::atom);
      if (known == all.end())
        all.push_back(name);
      else
        known->ways |= name.ways;
    }
  }
  std::vector<std::string> names;
  for (const AskedName& name : all)
    if (!may_be_answered(name.ways)) names.emplace_back(name.atom.name());
  std::ranges::sort(names);
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : " ") + name;
  return out;
}

}  // namespace

TEST_CASE("a name on one side of a first-order statement must be stated", "[narsese][asked_names]") {
  CHECK(unanswerable({"a"}) == "a");
  CHECK(unanswerable({"<a --> b>"}) == "a b");
  CHECK(unanswerable({"<a <-> b>"}) == "a b");
  CHECK(unanswerable({"<{a} |-> [b]>"}) == "a b");
  CHECK(unanswerable({"(--,<{a} --> [b]>)"}) == "a b");
  CHECK(unanswerable({"<(*,{a},b,a) --> r>"}) == "a b r");
  CHECK(unanswerable({"<(*,a,(*,b,c)) --> r>"}) == "a b c r");
  CHECK(unanswerable({"<a --> (/,r,_,b)>"}) == "a b r");
  CHECK(unanswerable({"<(\\,r,_,b) --> a>"}) == "a b r");
  CHECK(unanswerable({"<?x --> a>", "<a --> ?x>", "<{?x} --> b>", "<{b} --> [?x]>"}) == "a b");
  CHECK(unanswerable({"<(*,a,?x) --> r>"}) == "a r");
  CHECK(unanswerable({"<a --> (/,r,_,?x)>"}) == "a r");
}

TEST_CASE("a name is free where a rule may take it from the question", "[narsese][asked_names]") {
  // OpenNARS's nal4.6: <bird --> animal>. gives <(*,bird,plant) --> (*,animal,plant)>
  CHECK(unanswerable({"<(*,bird,plant) --> ?x>"}) == "");
  CHECK(unanswerable({"<(/,neutralization,_,base) --> ?x>"}) == "");  // nal4.8
  CHECK(unanswerable({"<(*,a,b) --> (*,c,?x)>"}) == "c");  // <(*,a,b) --> (*,c,b)>; c is on one side
  CHECK(unanswerable({"<a --> (/,?x,_,b)>"}) == "");       // the same question as <(*,a,b) --> ?x>
  CHECK(unanswerable({"<(\\,?x,_,b) --> a>"}) == "");
  CHECK(unanswerable({"<a --> a>"}) == "");
  CHECK(unanswerable({"<(*,a,b) --> (*,c,b)>"}) == "a c");
  CHECK(unanswerable({"<a --> (/,a,_,b)>"}) == "b");
  CHECK(unanswerable({"<(&,a,b) --> c>"}) == "c");
  CHECK(unanswerable({"<(|,a,b) --> c>"}) == "c");
  CHECK(unanswerable({"<(-,a,b) --> c>"}) == "c");
  CHECK(unanswerable({"<{a,b} --> c>"}) == "c");
  CHECK(unanswerable({"<c --> [a,b]>"}) == "c");
  CHECK(unanswerable({"(&&,a,b)"}) == "");
  CHECK(unanswerable({"(||,a,b)"}) == "");
  CHECK(unanswerable({"(*,a,b)"}) == "");
  CHECK(unanswerable({"<a ==> b>"}) == "");
  CHECK(unanswerable({"<<a --> b> =/> <c --> d>>"}) == "");
  CHECK(unanswerable({"<(*,a,<b --> c>) --> know>"}) == "a know");
  CHECK(unanswerable({"<(\\,r,_,b) --> (/,s,_,a)>"}) == "");
}

TEST_CASE("what one question lets in may answer another one", "[narsese][asked_names]") {
  CHECK(unanswerable({"<a --> c>", "<(&,a,b) --> c>"}) == "c");
  CHECK(unanswerable({"<(*,a,b) --> c>", "<a --> d>"}) == "a b c d");
  CHECK(unanswerable({"<(*,a,b) --> c>", "<a --> ?x>"}) == "b c");  // <a --> (/,(*,d,b),_,b)> from <a --> d>
  CHECK(unanswerable({"<a --> ?x>", "<(*,a,b) --> c>"}) == "b c");
}

TEST_CASE("operators are no names of a question: a system tries them out", "[narsese][asked_names]") {
  CHECK(unanswerable({"^go"}) == "");
  CHECK(unanswerable({"<(*,{SELF},a) --> ^go>"}) == "SELF a");
}

TEST_CASE("names that systems have from elsewhere, or change, need not be told", "[narsese][asked_names]") {
  for (const std::string_view name :
       {"tim", "Tim", "a", "_x", "ü", "鸟", "a_b", "a-b", "a.b", "x1", "a_name_of_thirty_one_bytes_size"}) {
    CAPTURE(name);
    CHECK(must_be_told(name));
  }
  for (const std::string_view name :
       {"SELF", "Self", "satisfied", "BUSY", "true", "5", "10_20", "-5", "3.14", "a|b", "a/1b", "\"a b\"",
        "M1[0.5]", "a=b", ".a", "a_name_of_thirty_two_bytes_sizes"}) {
    CAPTURE(name);
    CHECK_FALSE(must_be_told(name));
  }
}
