// SPDX-License-Identifier: MIT
#include "narsese/lint_analysis.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "narsese/parser.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;

namespace {

/// The sorted names of the questions that cannot occur in an answer unless the input has them.
std::string unanswerable(const std::vector<std::string>& questions) {
  TermTable table;
  std::vector<QuestionName> all;
  for (const std::string& question : questions) {
    const auto term = parse_term(question, table);
    REQUIRE(term);
    for (const QuestionName& name : question_names(*term)) {
      const auto known = std::ranges::find(all, name.atom, &QuestionName::atom);
      if (known == all.end())
        all.push_back(name);
      else
        known->positions |= name.positions;
    }
  }
  std::vector<std::string> names;
  for (const QuestionName& name : all)
    if (!may_enter_answers(name.positions)) names.emplace_back(name.atom.name());
  std::ranges::sort(names);
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : " ") + name;
  return out;
}

}  // namespace

TEST_CASE("a name on one side of a first-order statement cannot enter answers", "[narsese][asked_names]") {
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

TEST_CASE("a name may enter answers if a rule can take it from the question", "[narsese][asked_names]") {
  // A rule can take all names of these questions from the question. For example, nal4.6 of OpenNARS derives
  // <(*,bird,plant) --> (*,animal,plant)> from <bird --> animal>., and nal4.8 does the same for images. <a -->
  // (/,?x,_,b)> is the same question as <(*,a,b) --> ?x>.
  for (const char* question :
       {"<(*,bird,plant) --> ?x>", "<(/,neutralization,_,base) --> ?x>", "<a --> (/,?x,_,b)>",
        "<(\\,?x,_,b) --> a>", "<a --> a>", "(&&,a,b)", "(||,a,b)", "(*,a,b)", "<a ==> b>",
        "<<a --> b> =/> <c --> d>>", "<(\\,r,_,b) --> (/,s,_,a)>"}) {
    CAPTURE(question);
    CHECK(unanswerable({question}) == "");
  }
  // In these questions c is on one side only. A conclusion such as <(*,a,b) --> (*,c,b)> takes a and b from the
  // question, but not c.
  for (const char* question : {"<(*,a,b) --> (*,c,?x)>", "<(&,a,b) --> c>", "<(|,a,b) --> c>",
                               "<(-,a,b) --> c>", "<{a,b} --> c>", "<c --> [a,b]>"}) {
    CAPTURE(question);
    CHECK(unanswerable({question}) == "c");
  }
  CHECK(unanswerable({"<(*,a,b) --> (*,c,b)>"}) == "a c");
  CHECK(unanswerable({"<a --> (/,a,_,b)>"}) == "b");
  CHECK(unanswerable({"<(*,a,<b --> c>) --> know>"}) == "a know");
}

TEST_CASE("the positions of all questions count", "[narsese][asked_names]") {
  CHECK(unanswerable({"<a --> c>", "<(&,a,b) --> c>"}) == "c");
  CHECK(unanswerable({"<(*,a,b) --> c>", "<a --> d>"}) == "a b c d");
  // <a --> d> gives <a --> (/,(*,d,b),_,b)>, so a may enter answers.
  CHECK(unanswerable({"<(*,a,b) --> c>", "<a --> ?x>"}) == "b c");
  CHECK(unanswerable({"<a --> ?x>", "<(*,a,b) --> c>"}) == "b c");
}

TEST_CASE("operators are not question names", "[narsese][asked_names]") {
  CHECK(unanswerable({"^go"}) == "");
  CHECK(unanswerable({"<(*,{SELF},a) --> ^go>"}) == "SELF a");
}

TEST_CASE("names that systems define or change need no input", "[narsese][asked_names]") {
  for (const std::string_view name :
       {"tim", "Tim", "a", "_x", "ü", "鸟", "a_b", "a-b", "a.b", "x1", "a_name_of_thirty_one_bytes_size"}) {
    CAPTURE(name);
    CHECK(comes_only_from_input(name));
  }
  for (const std::string_view name :
       {"SELF", "Self", "satisfied", "BUSY", "true", "5", "10_20", "-5", "3.14", "a|b", "a/1b", "\"a b\"",
        "M1[0.5]", "a=b", ".a", "a_name_of_thirty_two_bytes_sizes"}) {
    CAPTURE(name);
    CHECK_FALSE(comes_only_from_input(name));
  }
}

namespace {

using Numbers = std::vector<std::int64_t>;

IndependentVariables of(const std::string& text) {
  TermTable table;
  const auto term = parse_term(text, table);
  REQUIRE(term);
  return IndependentVariables(*term);
}

}  // namespace

TEST_CASE("a variable on one side only is unbound", "[narsese][independent_variables]") {
  struct Case {
    std::string text;
    Numbers unbound;
    bool may_generalise;
  };
  for (const auto& [text, unbound, may_generalise] : std::vector<Case>{
           {"<a --> b>", {}, false},
           {"<#1 --> b>", {}, false},
           {"<?1 --> b>", {}, false},
           {"<<$1 --> a> ==> <$1 --> b>>", {}, false},
           {"<<$1 --> a> <=> <$1 --> b>>", {}, false},
           {"<<$1 --> a> =/> <$1 --> b>>", {}, false},
           {"<<a --> $1> ==> <b --> $1>>", {}, false},
           {"<$1 ==> $1>", {}, false},
           {"<$1 --> b>", {1}, true},
           {"(&&,<$1 --> a>,<$1 --> b>)", {1}, true},
           {"<<$1 --> a> ==> b>", {1}, true},
           {"<a ==> <$1 --> b>>", {1}, true},
           {"<a ==> (&&,<$1 --> b>,<$1 --> c>)>", {1}, true},
           {"<<$1 --> a> ==> <$2 --> b>>", {1, 2}, true},
           {"<<(*,$1,$2) --> a> ==> <$1 --> b>>", {2}, true},
           {"<<$1 --> b> ==> <(*,$1,$2) --> a>>", {2}, true},
           // $2 occurs twice, but on one side only. #2 would mean the same, and it is not an error.
           {"<(&/,<(*,$1,$2) --> on>,<(*,SELF,$2) --> at>) =|> <(*,SELF,$1) --> reachable>>", {}, true},
           {"<<$1 --> a> ==> <<$1 --> b> ==> <$1 --> c>>>", {}, false},
           {"<a ==> <<$1 --> b> ==> <$1 --> c>>>", {}, false},
           {"<<$1 --> a> ==> <<$2 --> b> ==> <(*,$1,$2) --> c>>>", {}, false},
           {"(&&,<<$1 --> a> ==> <$1 --> b>>,c)", {}, false},
           {"(&/,<<$1 --> a> ==> <$1 --> b>>,<$1 --> c>)", {}, true},
       }) {
    CAPTURE(text);
    const IndependentVariables variables = of(text);
    CHECK(variables.unbound == unbound);
    CHECK(variables.may_generalise == may_generalise);
  }
}

TEST_CASE("written_variables finds each variable once, at its first place",
          "[narsese][independent_variables]") {
  using Written = std::vector<std::pair<std::string_view, std::size_t>>;
  CHECK(written_variables("<<$x-->a> ==> <(*,$y_1,$x) --> b>>.", VariableKind::independent) ==
        Written{{"$x", 2}, {"$y_1", 18}});
  CHECK(written_variables("$0.5$ <$x --> a>?", VariableKind::independent, 5) == Written{{"$x", 7}});
  CHECK(written_variables("<?x --> a>? :|:", VariableKind::query) == Written{{"?x", 1}});
  CHECK(written_variables("<a$x --> $ü>.", VariableKind::independent) == Written{{"$ü", 9}});
  CHECK(written_variables("", VariableKind::dependent).empty());
}
