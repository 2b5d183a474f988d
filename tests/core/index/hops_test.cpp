// SPDX-License-Identifier: MIT
#include "core/index/hops.hpp"

#include "core/index/memory_index.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

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

// The hops of a statement as texts, such as "a inheritance b" and "b back inheritance a".
std::multiset<std::string> hops_of(const std::string& line) {
  const Memory memory = told({line});
  const MemoryIndex index(memory);
  std::multiset<std::string> found;
  const auto name = [&](ConceptId id) { return std::string(index.term(id).name()); };
  for (ConceptId from = 0; from < index.terms().size(); ++from)
    for (const Hop& hop : index.hops().from(from)) {
      CHECK(hop.statement == 0);
      found.insert(name(from) + (hop.back ? " back " : " ") + kind_name(hop.kind) +
                   (hop.kind == StepKind::relation ? " " + name(hop.relation) : "") + " " + name(hop.to));
    }
  return found;
}

}  // namespace

TEST_CASE("statements are steps between names in both directions, by kind", "[hops]") {
  using Found = std::multiset<std::string>;
  const Found on{"a inheritance b", "b back inheritance a"}, alike{"a similarity b", "b similarity a"},
      causes{"a implication b", "b back implication a"}, related{"a relation r b", "b back relation r a"},
      joined{"a other b", "b back other a"}, none;
  const std::map<std::string, Found> expected{
      {"<a --> b>.", on},
      {"<{a} --> [b]>.", on},
      {"<{a} --> b>.", on},
      {"<a --> b>. %0;0.9%", on},  // a denied statement has hops as well; its truth is a feature
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
      {"<<$1 --> a> <=> <$1 --> b>>.", none},  // no hops, because an equivalence has two directions
      // No hops, because the premise is not about a class.
      {"<<(*,$1,$2) --> a> ==> <(*,$2,$1) --> b>>.", none},
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

TEST_CASE("role keys are the keys, split by the roles of names", "[hops]") {
  Memory memory;
  for (const char* line :
       {"<(*,a,b) --> r>.", "<{c} --> [d]>.",
        "<(<($1 * #2) --> r> && <(#2 * $3) --> s>) ==> <($1 * $3) --> s>>.", "<(&&,a,b,c) --> d>."})
    say(memory, line);
  const MemoryIndex index(memory);
  const RoleKeys& split = index.role_keys();
  const auto entry = [&](StatementId e, NameRole role, const char* name) {
    const auto column = static_cast<std::uint32_t>(role) * static_cast<std::uint32_t>(index.concepts()) +
                        concept_of(memory, name);
    const auto columns = split.keys.columns_of(e);
    const auto at = std::ranges::find(columns, column);
    return at == columns.end() ? 0.0
                               : split.keys.values_of(e)[static_cast<std::size_t>(at - columns.begin())];
  };
  const auto key = [&](StatementId e, const char* name) {
    const auto columns = index.keys().columns_of(e);
    const auto at = std::ranges::find(columns, concept_of(memory, name));
    REQUIRE(at != columns.end());
    return index.keys().values_of(e)[static_cast<std::size_t>(at - columns.begin())];
  };
  CHECK(entry(0, NameRole::first, "a") == key(0, "a"));
  CHECK(entry(0, NameRole::second, "b") == key(0, "b"));
  CHECK(entry(0, NameRole::relation, "r") == key(0, "r"));
  CHECK(entry(1, NameRole::first, "c") == key(1, "c"));
  CHECK(entry(1, NameRole::second, "d") == key(1, "d"));
  CHECK(entry(2, NameRole::conclusion, "s") == key(2, "s"));
  CHECK(entry(2, NameRole::other, "s") == key(2, "s"));  // s also occurs in a premise
  CHECK(entry(2, NameRole::other, "r") == key(2, "r"));
  CHECK(entry(2, NameRole::conclusion, "r") == 0);
  for (const char* name : {"a", "b", "c", "d"}) CHECK(entry(3, NameRole::other, name) == key(3, name));
  CHECK(split.keys.columns_of(0).size() == 3);
  CHECK(split.keys.columns_of(2).size() == 3);
  CHECK(split.kinds[0] == StepKind::relation);
  CHECK(split.kinds[1] == StepKind::inheritance);
  CHECK(split.kinds[2] == StepKind::other);
}

}  // namespace engram::core
