// SPDX-License-Identifier: MIT
// MemoryIndex that have followed a memory through a random history, beside readings made of it at one go.
#include <string>
#include <vector>

#include "core/methods/methods.hpp"
#include "core/retrieval/memory_index.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

// Facts, rules, denials and events over few names, so that most say again, or against, what was said.
std::string history_line(Rng& rng) {
  const auto name = [&] { return "n" + std::to_string(rng.below(12)); };
  const auto relation = [&] { return "r" + std::to_string(rng.below(3)); };
  const std::string truth =
      rng.below(3) == 0 ? " %" + std::to_string(static_cast<double>(rng.below(10)) / 9) + ";0.7%" : "";
  switch (rng.below(9)) {
    case 0:
      return "<" + name() + " --> " + name() + ">." + truth;
    case 1:
      return "<" + name() + " <-> " + name() + ">." + truth;
    case 2:
      return "<(<(*,$1,#2) --> " + relation() + "> && <(*,#2,$3) --> " + relation() +
             ">) ==> <(*,$1,$3) --> " + relation() + ">>." + truth;
    case 3:
      return "<<$1 --> " + name() + "> ==> <$1 --> " + name() + ">>.";
    case 4:
      return "<(&/," + name() + ",^" + name() + ") =/> " + name() + ">. :|:";
    case 5:
      return "<<$1 --> " + name() + "> ==> <$1 --> " + name() + ">>. %1;0.000000001%";
    default:
      return "<(*," + name() + "," + name() + ") --> " + relation() + ">." + truth;
  }
}

void check_same(const SparseRows& a, const SparseRows& b) {
  REQUIRE(a.rows() == b.rows());
  REQUIRE(a.columns() == b.columns());
  for (Index i = 0; i < a.rows(); ++i) {
    CHECK(std::ranges::equal(a.columns_of(i), b.columns_of(i)));
    CHECK(std::ranges::equal(std::as_const(a).values_of(i), std::as_const(b).values_of(i)));
  }
}

std::vector<std::vector<std::uint32_t>> numbers_of(const HopIndex& hops, Index concepts) {
  std::vector<std::vector<std::uint32_t>> all;
  for (ConceptId id = 0; id < concepts; ++id)
    for (const Hop& hop : hops.from(id))
      all.push_back({id, hop.statement, hop.to, hop.relation, static_cast<std::uint32_t>(hop.kind),
                     hop.back ? 1U : 0U});
  return all;
}

std::vector<std::vector<std::uint64_t>> numbers_of(const Occurrences& occurrences, Index concepts) {
  std::vector<std::vector<std::uint64_t>> all;
  for (std::uint32_t o = 0; o < occurrences.size(); ++o)
    all.push_back({occurrences[o].id, occurrences.position(occurrences[o].place), occurrences[o].first});
  for (ConceptId id = 0; id < concepts; ++id)
    for (const PlaceOfName& at : occurrences.places_of(id))
      for (const Mention& mention : occurrences.mentions(at))
        all.push_back({id, occurrences.position(at.place), mention.statement, mention.occurrence,
                       occurrences.is_repeated(id) ? 1U : 0U, occurrences.is_operator(id) ? 1U : 0U});
  return all;
}

void check_same(const ProofRules& a, const ProofRules& b) {
  REQUIRE(a.size() == b.size());
  for (std::uint32_t rule = 0; rule < a.size(); ++rule) {
    CHECK(a[rule].statement == b[rule].statement);
    CHECK((a[rule].conclusion == b[rule].conclusion && a[rule].premises == b[rule].premises));
  }
  CHECK(a.bytes() == b.bytes());
}

// All that can be read of a memory, to the last bit.
void check_same(const MemoryIndex& a, const MemoryIndex& b) {
  REQUIRE(a.concepts() == b.concepts());
  REQUIRE(a.statements() == b.statements());
  for (Index i = 0; i < a.concepts(); ++i) CHECK(std::ranges::equal(a.mentions(i), b.mentions(i)));
  CHECK(a.rules() == b.rules());
  check_same(a.keys(), b.keys());
  check_same(a.links(), b.links());
  check_same(a.mentions(), b.mentions());
  CHECK(a.evidence() == b.evidence());
  CHECK(a.expectation() == b.expectation());
  CHECK(a.last_said() == b.last_said());
  CHECK(a.idf() == b.idf());
  CHECK(a.terms() == b.terms());
  CHECK(a.statement_terms() == b.statement_terms());
  CHECK(numbers_of(a.hops(), a.concepts()) == numbers_of(b.hops(), b.concepts()));
  CHECK(numbers_of(a.occurrences(), a.concepts()) == numbers_of(b.occurrences(), b.concepts()));
  check_same(a.proof_rules(), b.proof_rules());
}

// What is read of single concepts and statements, beside the matrices.
void check_numbers(const MemoryIndex& readings) {
  const Matrix links = samples::dense(readings.links());
  for (Index i = 0; i < readings.concepts(); ++i) {
    CHECK(std::ranges::equal(readings.mentions(i), readings.mentions().columns_of(i)));
    CHECK(readings.activity(i) == readings.activity()[i]);
    CHECK(readings.idf(i) == readings.idf()[i]);
    Vector row = Vector::Zero(readings.concepts());
    for (const auto& [j, weight] : readings.links_of(i)) row[j] = weight;
    CHECK(row == links.row(i).transpose());
    for (Index j = 0; j < readings.concepts(); ++j)
      if (i != j) CHECK(readings.link(i, j) == links(i, j));
  }
}

}  // namespace

TEST_CASE("readings that follow a memory are those made of it at one go", "[core][readings]") {
  for (std::uint64_t trial = 0; trial < 12; ++trial) {
    Rng rng(11, "histories", trial);
    MemoryOptions options;
    options.decay = trial % 3 == 0 ? 0 : trial % 3 == 1 ? 0.01 : 0.5;
    Memory memory(options);
    MemoryIndex followed(memory);
    for (int round = 0; round < 12; ++round) {
      for (std::size_t lines = rng.below(round == 5 ? 60 : 6); lines > 0; --lines)
        samples::say(memory, history_line(rng));
      if (rng.below(4) == 0) memory.advance(rng.below(2) == 0 ? 3 : 3000);  // forgotten, to the last digit
      followed.catch_up();
      CHECK(followed.is_up_to_date());
      check_same(followed, MemoryIndex(memory));
    }
    check_numbers(followed);
  }
}

TEST_CASE("every method recalls by readings that follow what it recalls by new ones", "[core][readings]") {
  for (std::uint64_t trial = 0; trial < 4; ++trial) {
    Rng rng(12, "histories of recalls", trial);
    MemoryOptions options;
    options.decay = trial % 2 == 0 ? 0 : 0.01;
    Memory memory(options);
    MemoryIndex followed(memory);
    for (int round = 0; round < 4; ++round) {
      for (int lines = 0; lines < 12; ++lines) samples::say(memory, history_line(rng));
      const Cue cue = cue_for(memory, samples::term(memory, "<(*,n1,n2) --> r1>"));
      followed.catch_up();
      const MemoryIndex fresh(memory);
      for (const Method& method : methods()) {
        INFO(method.name);
        const AnyRetriever retriever = make_retriever(method);
        const Recall a = retriever(followed, cue), b = retriever(fresh, cue);
        CHECK(a.statements == b.statements);
        CHECK(a.concepts == b.concepts);
      }
    }
  }
}

}  // namespace engram::core
