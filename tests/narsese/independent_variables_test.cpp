// SPDX-License-Identifier: MIT
#include "narsese/independent_variables.hpp"

#include <string>
#include <vector>

#include "narsese/parser.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;

namespace {

using Numbers = std::vector<std::int64_t>;

IndependentVariables of(const std::string& text) {
  TermTable table;
  const auto term = parse_term(text, table);
  REQUIRE(term);
  return IndependentVariables(*term);
}

}  // namespace

TEST_CASE("a variable that is not on both sides links nothing", "[narsese][independent_variables]") {
  struct Case {
    std::string text;
    Numbers idle;
    bool open;
  };
  for (const auto& [text, idle, open] : std::vector<Case>{
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
           // twice on one side: no more than #2 would say, but no slip
           {"<(&/,<(*,$1,$2) --> on>,<(*,SELF,$2) --> at>) =|> <(*,SELF,$1) --> reachable>>", {}, true},
           {"<<$1 --> a> ==> <<$1 --> b> ==> <$1 --> c>>>", {}, false},
           {"<a ==> <<$1 --> b> ==> <$1 --> c>>>", {}, false},
           {"<<$1 --> a> ==> <<$2 --> b> ==> <(*,$1,$2) --> c>>>", {}, false},
           {"(&&,<<$1 --> a> ==> <$1 --> b>>,c)", {}, false},
           {"(&/,<<$1 --> a> ==> <$1 --> b>>,<$1 --> c>)", {}, true},
       }) {
    CAPTURE(text);
    const IndependentVariables variables = of(text);
    CHECK(variables.idle == idle);
    CHECK(variables.open == open);
  }
}

TEST_CASE("variables are found as written, each once, at its first place",
          "[narsese][independent_variables]") {
  using Written = std::vector<std::pair<std::string_view, std::size_t>>;
  CHECK(written_variables("<<$x-->a> ==> <(*,$y_1,$x) --> b>>.", VariableKind::independent) ==
        Written{{"$x", 2}, {"$y_1", 18}});
  CHECK(written_variables("$0.5$ <$x --> a>?", VariableKind::independent, 5) == Written{{"$x", 7}});
  CHECK(written_variables("<?x --> a>? :|:", VariableKind::query) == Written{{"?x", 1}});
  CHECK(written_variables("<a$x --> $ü>.", VariableKind::independent) == Written{{"$ü", 9}});
  CHECK(written_variables("", VariableKind::dependent).empty());
}
