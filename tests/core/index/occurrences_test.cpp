// SPDX-License-Identifier: MIT
#include "core/index/occurrences.hpp"

#include <tuple>

#include "core/session/session.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

// A statement, the number of a leaf among its indexed leaves, the name of the leaf, and its position.
using NamedLeaf = std::tuple<StatementId, std::size_t, ConceptId, Position>;

// Leaves of the statements, computed from the terms.
std::vector<NamedLeaf> leaves_of_terms(const MemoryIndex& memory) {
  std::vector<NamedLeaf> found_leaves;
  for (StatementId e = 0; e < memory.statements(); ++e) {
    if (std::ranges::count(memory.rules(), e) > 0) continue;
    std::size_t number = 0;
    for (const Leaf& leaf : leaves(memory.statement_term(e)))
      for (ConceptId id = 0; id < memory.concepts(); ++id)
        if (memory.term(id) == leaf.term && std::ranges::count(memory.episode(e), id) > 0)
          found_leaves.emplace_back(e, number++, id, leaf.position);
  }
  return found_leaves;
}

// Leaves of the statements, as the index has them.
std::vector<NamedLeaf> leaves_by_index(const MemoryIndex& memory) {
  const Occurrences& occurrences = memory.occurrences();
  std::vector<NamedLeaf> found_leaves;
  for (StatementId e = 0; e < memory.statements(); ++e)
    for (std::uint32_t o = occurrences.begin_of(e); o < occurrences.begin_of(e + 1); ++o) {
      const Occurrence& found = occurrences[o];
      found_leaves.emplace_back(e, o - occurrences.begin_of(e), found.id, occurrences.position(found.place));
    }
  return found_leaves;
}

// A random line: a statement, a rule, or a statement without names. Some statements have a name twice, for example at
// the same place of the subject and of the predicate.
std::string random_line(Rng& rng) {
  const auto name = [&] { return "n" + std::to_string(rng.below(9)); };
  switch (rng.below(6)) {
    case 0:
      return "<(" + name() + " * " + name() + ") --> " + name() + ">.";
    case 1:
      return "<" + name() + " <-> {" + name() + "}>.";
    case 2:
      return "<(&&, <" + name() + " --> x>, <" + name() + " --> x>) ==> <" + name() + " --> y>>.";
    case 3:
      return "<(&/, " + name() + ", ^" + name() + ") =/> " + name() + ">.";
    case 4:
      return "<<$1 --> " + name() + "> ==> <$1 --> " + name() + ">>.";
    default:
      return "<$1 --> $2>.";
  }
}

TEST_CASE("occurrences list the leaves of every statement except rules, by statement and by name",
          "[occurrences]") {
  Rng rng(7, "occurrences");
  Memory memory;
  for (int size : {0, 1, 5, 40, 120}) {
    while (memory.statements().size() < static_cast<std::size_t>(size)) say(memory, random_line(rng));
    const MemoryIndex index(memory);
    std::vector<NamedLeaf> expected = leaves_of_terms(index);
    CHECK(leaves_by_index(index) == expected);

    const Occurrences& occurrences = index.occurrences();
    // Sorted by name, position, statement, leaf.
    std::ranges::sort(expected, {}, [](const NamedLeaf& leaf_of) {
      const auto& [e, leaf, id, position] = leaf_of;
      return std::tuple(id, position, e, leaf);
    });
    std::vector<NamedLeaf> by_name;
    for (ConceptId id = 0; id < index.concepts(); ++id) {
      std::vector<Mention> of_name;
      for (const PlaceOfName& at : occurrences.places_of(id))
        for (const Mention& mention : occurrences.mentions(at)) {
          of_name.push_back(mention);
          by_name.emplace_back(mention.statement,
                               mention.occurrence - occurrences.begin_of(mention.statement), id,
                               occurrences.position(at.place));
          const Occurrence& own = occurrences[mention.occurrence];
          const auto of_statement = occurrences.of_statement(mention.statement);
          const auto first = std::ranges::find_if(of_statement, [&](const Occurrence& other) {
            return other.id == id && other.place == at.place;
          });
          CHECK(&occurrences[own.first] == &*first);
        }
      CHECK(occurrences.count_of(id) == of_name.size());
      const bool repeated = std::ranges::any_of(of_name, [&](const Mention& a) {
        return std::ranges::count(of_name, a.statement, &Mention::statement) > 1;
      });
      CHECK(occurrences.is_repeated(id) == repeated);
      CHECK(occurrences.is_operator(id) == (index.term(id).kind() == narsese::TermKind::op));
    }
    CHECK(by_name == expected);
  }
}

TEST_CASE("a session that learns between recalls has the same occurrences as a new one", "[occurrences]") {
  Rng rng(8, "occurrences kept");
  std::string said = "<(n0 * n1) --> r>.\n<(n1 * n2) --> r>.\n";
  Session session;
  for (int round = 0; round < 6; ++round) {
    const ConfiguredMethod method("bidirectional_spreading");
    if (round == 0) session.input(said);
    const Recall kept = session.recall(method, *session.cue("<(n0 * n2) --> ?1>"));
    Session fresh;
    fresh.input(said);
    CHECK(kept.statements == fresh.recall(method, *fresh.cue("<(n0 * n2) --> ?1>")).statements);
    CHECK(leaves_by_index(session.index()) == leaves_by_index(fresh.index()));

    std::string more;
    for (int i = 0; i < 5; ++i) more += random_line(rng) + "\n";
    said += more;
    session.input(more);
  }
}

TEST_CASE("occurrences reserve their memory first, and are discarded if the limit is too low",
          "[occurrences]") {
  Memory memory;
  for (int i = 0; i < 200; ++i) say(memory, "<(a" + std::to_string(i) + " * b) --> r>.");
  const MemoryIndex index(memory);
  const std::size_t before = index.kept_bytes();
  {
    const WorkBudget work({.bytes = 200 * 3 * (sizeof(Occurrence) + sizeof(Mention))});
    CHECK_THROWS_AS(index.occurrences(), WorkStopped);
  }
  CHECK(index.kept_bytes() == before);
  const WorkBudget work({.bytes = 400'000});
  CHECK(index.occurrences().size() == 600);
  CHECK(index.kept_bytes() == before + index.occurrences().bytes());
}

}  // namespace
}  // namespace engram::core
