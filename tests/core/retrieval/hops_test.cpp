// SPDX-License-Identifier: MIT
#include "core/retrieval/hops.hpp"

#include <map>
#include <set>
#include <string>

#include "core/retrieval/memory_index.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

const char* kind_name(StepKind kind) {
  switch (kind) {
    case StepKind::inheritance:
      return "inheritance";
    case StepKind::similarity:
      return "similarity";
    case StepKind::implication:
      return "implication";
    case StepKind::relation:
      return "relation";
    case StepKind::other:
      return "other";
  }
  return "?";
}

// "a inheritance b", "b back inheritance a": what each name leads to.
std::multiset<std::string> hops_of(const std::string& line) {
  const Memory memory = samples::told({line});
  const MemoryIndex readings(memory);
  std::multiset<std::string> found;
  const auto name = [&](ConceptId id) { return std::string(readings.term(id).name()); };
  for (ConceptId from = 0; from < readings.terms().size(); ++from)
    for (const Hop& hop : readings.hops().from(from)) {
      CHECK(hop.statement == 0);
      found.insert(name(from) + (hop.back ? " back " : " ") + kind_name(hop.kind) +
                   (hop.kind == StepKind::relation ? " " + name(hop.relation) : "") + " " + name(hop.to));
    }
  return found;
}

}  // namespace

TEST_CASE("statements are steps between names, each way, of the kind that they say", "[core][retrieval]") {
  using Found = std::multiset<std::string>;
  const Found on{"a inheritance b", "b back inheritance a"}, alike{"a similarity b", "b similarity a"},
      causes{"a implication b", "b back implication a"}, related{"a relation r b", "b back relation r a"},
      joined{"a other b", "b back other a"}, none;
  const std::map<std::string, Found> expected{
      {"<a --> b>.", on},
      {"<{a} --> [b]>.", on},
      {"<{a} --> b>.", on},
      {"<a --> b>. %0;0.9%", on},  // what is denied is a step as well; its truth is a feature
      {"<a <-> b>.", alike},
      {"<a <=> b>.", alike},
      {"<a </> b>.", alike},
      {"<a ==> b>.", causes},
      {"<a =/> b>.", causes},
      {"<(&/,a,^go) =/> b>.", causes},
      {"<(&/,^go,a,+3) =/> {b}>.", causes},
      {"<(*,a,b) --> r>.", related},
      {"<(*,{a},b) --> [r]>.", related},
      {"<<$1 --> a> ==> <$1 --> b>>.", causes},
      {"<(<$1 --> a> && <$1 --> c>) ==> <$1 --> b>>.",
       {"a implication b", "b back implication a", "c implication b", "b back implication c"}},
      {"<(<$1 --> a> && <(*,$1,c) --> r>) ==> <$1 --> b>>.", causes},
      {"<<$1 --> a> <=> <$1 --> b>>.", none},                // two readings
      {"<<(*,$1,$2) --> a> ==> <(*,$2,$1) --> b>>.", none},  // its premise is not about a class
      {"<a --> $1>.", none},
      {"<a --> a>.", none},
      {"(&&,a,b).", joined},
      {"<(&,a,b) --> [a]>.", joined},
      {"<(&/,a,b) =/> a>.", joined},
      {"<(*,a,b) --> (&,r,r)>.", {"a relation r b", "b back relation r a"}},
      {"<(*,a,b,c) --> r>.",
       {"a other b", "b back other a", "a other c", "c back other a", "a other r", "r back other a",
        "b other c", "c back other b", "b other r", "r back other b", "c other r", "r back other c"}}};
  for (const auto& [line, hops] : expected) {
    INFO(line);
    CHECK(hops_of(line) == hops);
  }
  CHECK(hops_of("(&&,a,b,c,d,e,f,g,h).").size() == 8 * 7);
  CHECK(hops_of("(&&,a,b,c,d,e,f,g,h,i).").empty());
}

}  // namespace engram::core
