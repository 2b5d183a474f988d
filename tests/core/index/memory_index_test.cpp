// SPDX-License-Identifier: MIT
#include "core/index/memory_index.hpp"

#include "core/methods/method.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// Inputs random sentences about two to six of twelve atoms, some of them repeated, with pauses.
void tell_random(Memory& memory, Rng& rng, int sentences) {
  for (int i = 0; i < sentences; ++i) {
    std::string product = "(*";
    const auto count = 1 + rng.below(5);
    for (std::uint64_t k = 0; k < count; ++k) product += ",a" + std::to_string(rng.below(12));
    const auto confidence = std::to_string(0.1 + 0.8 * rng.uniform());
    say(memory, "<" + product + ") --> r" + std::to_string(rng.below(3)) + ">. %1.0;" + confidence + "%");
    memory.advance(rng.below(3));
  }
}

TEST_CASE("links and activity equal A'DA by dense matrices", "[index]") {
  Rng rng(1, "memory_index_test links");
  for (const double decay : {0.0, 0.05}) {
    Memory memory(with_decay(decay));
    tell_random(memory, rng, 60);
    const MemoryIndex index(memory);
    const Matrix a = dense(index.episodes());
    REQUIRE(index.statements() == static_cast<Index>(memory.statements().size()));
    REQUIRE(index.concepts() == static_cast<Index>(memory.graph().size()));
    for (Index e = 0; e < index.statements(); ++e) {
      const Statement& statement = memory.statements()[static_cast<std::size_t>(e)];
      CHECK(a.row(e).sum() == static_cast<double>(statement.active.size()));
      for (const ConceptId id : statement.active) CHECK(a(e, id) == 1);
      CHECK(index.evidence(e) == memory.evidence(statement));
    }
    Matrix w = a.transpose() * index.evidence().asDiagonal() * a;
    // Tolerance for 60 roundings of sums below 60.
    CHECK(distance(index.activity(), Vector(w.diagonal())) < 1e-12);
    w.diagonal().setZero();
    const Matrix links = dense(index.links());
    CHECK(distance(links, w) < 1e-12);
    CHECK(links == Matrix(links.transpose()));
    CHECK(std::abs(index.total() - index.evidence().sum()) < 1e-12);
    CHECK(index.total() == memory.total_evidence());
  }
}

TEST_CASE("keys are rows of A weighted by idf, of length 1", "[index]") {
  Rng rng(2, "memory_index_test keys");
  Memory memory;
  tell_random(memory, rng, 40);
  say(memory, "<$1 --> $2>.");  // activates no concept, so its key has length 0
  const MemoryIndex index(memory);
  const Matrix a = dense(index.episodes()), keys = dense(index.keys());
  for (Index i = 0; i < index.concepts(); ++i) {
    const double activity = index.activity(i);
    const double expected = activity > 0 ? std::log(1 + index.total() / activity) : 0;
    CHECK(std::abs(index.idf(i) - expected) <= 1e-15 * 4);  // roundings of numbers up to 4
  }
  for (Index e = 0; e < index.statements(); ++e) {
    const Vector weighted = a.row(e).transpose().cwiseProduct(index.idf());
    if (e + 1 == index.statements()) {
      CHECK(keys.row(e).isZero(0));
      continue;
    }
    CHECK(std::abs(keys.row(e).norm() - 1) < 1e-15 * 4);
    CHECK(distance(Vector(keys.row(e).transpose()), Vector(weighted / weighted.norm())) < 1e-15 * 4);
  }
}

TEST_CASE("statement scores are cosines weighted by idf, computed by hand", "[index]") {
  Memory memory = told({"<tim --> cat>. %1.0;0.5%", "<tom --> cat>. %1.0;0.5%"});
  const MemoryIndex index(memory);
  // The total evidence is 1. All of it is about cat, and half each about tim and tom, so the idfs are log 2 and log 3.
  const double cat = std::log(2.0), tim = std::log(3.0);
  CHECK(std::abs(index.idf(concept_of(memory, "cat")) - cat) < 1e-15);
  CHECK(std::abs(index.idf(concept_of(memory, "tim")) - tim) < 1e-15 * 2);
  CHECK(index.idf(concept_of(memory, "<tim --> cat>")) == 0);

  const Vector ask_tim = index.statement_scores(cue_for(memory, term(memory, "<tim --> ?1>")).activation);
  CHECK(std::abs(ask_tim[0] - tim / std::hypot(tim, cat)) < 1e-15 * 4);
  CHECK(ask_tim[1] == 0);
  const Vector ask_cat = index.statement_scores(cue_for(memory, term(memory, "cat")).activation);
  CHECK(std::abs(ask_cat[0] - cat / std::hypot(tim, cat)) < 1e-15 * 4);
  CHECK(ask_cat[1] == ask_cat[0]);
  const Vector ask_both = index.statement_scores(cue_for(memory, term(memory, "<tim --> cat>")).activation);
  CHECK(std::abs(ask_both[0] - 1) < 1e-15 * 4);
  CHECK(std::abs(ask_both[1] - cat * cat / (cat * cat + tim * tim)) < 1e-15 * 4);
  // The length of an activation does not matter.
  const Vector tim_only = cue_for(memory, term(memory, "tim")).activation;
  CHECK(distance(index.statement_scores(tim_only * 0.125), index.statement_scores(tim_only)) == 0);
  CHECK(std::abs(index.query(tim_only * 0.3).whole().norm() - 1) < 1e-15 * 4);
  CHECK(index.query(Vector::Zero(index.concepts())).whole().isZero(0));
  CHECK_INVALID(index.query(Vector::Ones(index.concepts() + 1)));
}

TEST_CASE("statement scores equal dense cosines for random activations", "[index]") {
  Rng rng(3, "memory_index_test cosine");
  Memory memory;
  tell_random(memory, rng, 30);
  const MemoryIndex index(memory);
  const Matrix a = dense(index.episodes());
  for (int trial = 0; trial < 20; ++trial) {
    Vector activation(index.concepts());
    for (double& x : activation) x = rng.below(2) == 0 ? rng.uniform() : 0.0;
    const Vector query = activation.cwiseProduct(index.idf());
    const Vector scores = index.statement_scores(activation);
    for (Index e = 0; e < index.statements(); ++e) {
      const Vector key = a.row(e).transpose().cwiseProduct(index.idf());
      CHECK(std::abs(scores[e] - key.dot(query) / key.norm() / query.norm()) < 1e-14);  // a dozen roundings
      CHECK(scores[e] >= 0);
      CHECK(scores[e] <= 1 + 1e-15 * 4);
    }
  }
}

TEST_CASE("concept scores sum the weights of the statements that mention a concept", "[index]") {
  Memory memory = told({"<tim --> cat>.", "<tom --> cat>."});
  const MemoryIndex index(memory);
  const Vector scores = index.concept_scores(vector({0.25, 0.5}));
  CHECK(scores[concept_of(memory, "tim")] == 0.25);
  CHECK(scores[concept_of(memory, "tom")] == 0.5);
  CHECK(scores[concept_of(memory, "cat")] == 0.75);
  CHECK(scores[concept_of(memory, "<tim --> cat>")] == 0);
  CHECK(index.mean_episode_size() == 2);
}

TEST_CASE("active concepts are those with positive activity", "[index]") {
  Memory memory = told({"<{tim} --> cat>.", "<{tim} --> [SELF]>. %1.0;0.0%"});
  const MemoryIndex index(memory);
  const ConceptId tim = concept_of(memory, "tim"), cat = concept_of(memory, "cat");
  CHECK(index.active_concepts() == std::vector<ConceptId>{std::min(tim, cat), std::max(tim, cat)});
  Vector marks(index.concepts());
  for (Index i = 0; i < marks.size(); ++i) marks[i] = static_cast<double>(i);
  CHECK(index.over_active_concepts(marks) ==
        vector({static_cast<double>(std::min(tim, cat)), static_cast<double>(std::max(tim, cat))}));
}

TEST_CASE("a cue activates the known concepts with positive activity", "[index]") {
  Memory memory = told({"<tim --> cat>."});
  say(memory, "<doubt --> nothing>. %1.0;0.0%");  // no evidence: concepts without activity
  const Vector activation = cue_for(memory, term(memory, "(*,tim,stranger,doubt,tim)")).activation;
  CHECK(activation.sum() == 1);
  CHECK(activation[concept_of(memory, "tim")] == 1);
  CHECK(cue_for(memory, term(memory, "?1")).activation.whole().isZero(0));
}

TEST_CASE("an index detects changes of the memory and catches up", "[index]") {
  Memory memory = told({"<tim --> cat>."});
  MemoryIndex index(memory);
  CHECK(index.links().values_of(0)[0] == 0.9);
  for (const char* line : {"<tim --> cat>.", "<tom --> dog>.", "<(*,tim,cat) --> associated>. %1;0.5%"}) {
    CHECK(index.is_up_to_date());
    say(memory, line);
    CHECK(!index.is_up_to_date());
    index.catch_up();
  }
  memory.advance(3);
  CHECK(!index.is_up_to_date());
  index.catch_up();
  CHECK(index.statements() == static_cast<Index>(memory.statements().size()));
  CHECK(index.total() == memory.total_evidence());
  CHECK(index.links().values_of(0)[0] > 1.8);
}

TEST_CASE("the index of an empty memory is empty", "[index]") {
  Memory memory;
  const MemoryIndex index(memory);
  CHECK(index.concepts() == 0);
  CHECK(index.statements() == 0);
  CHECK(index.total() == 0);
  CHECK(index.links().rows() == 0);
  CHECK(index.mean_episode_size() == 0);
  CHECK(index.statement_scores(Vector()).size() == 0);
  CHECK(index.active_concepts().empty());
  CHECK(cue_for(memory, term(memory, "tim")).activation.size() == 0);
}

TEST_CASE("an index has the last cycle of each statement", "[index]") {
  Memory memory = told({"<a --> b>."});
  memory.advance(10);
  say(memory, "<b --> c>.");
  say(memory, "<c --> d>.");
  say(memory, "<a --> b>.");
  CHECK(MemoryIndex(memory).last_updated() == vector({14, 12, 13}));
}

// Random facts, rules, denials and events over few names, so that most repeat or contradict earlier ones.
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

// Compares two indexes bit by bit.
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
  CHECK(a.last_updated() == b.last_updated());
  CHECK(a.idf() == b.idf());
  CHECK(a.terms() == b.terms());
  CHECK(a.statement_terms() == b.statement_terms());
  CHECK(numbers_of(a.hops(), a.concepts()) == numbers_of(b.hops(), b.concepts()));
  CHECK(numbers_of(a.occurrences(), a.concepts()) == numbers_of(b.occurrences(), b.concepts()));
  check_same(a.proof_rules(), b.proof_rules());
}

// Compares functions of single concepts and statements with the matrices.
void check_numbers(const MemoryIndex& index) {
  const Matrix links = dense(index.links());
  for (Index i = 0; i < index.concepts(); ++i) {
    CHECK(std::ranges::equal(index.mentions(i), index.mentions().columns_of(i)));
    CHECK(index.activity(i) == index.activity()[i]);
    CHECK(index.idf(i) == index.idf()[i]);
    Vector row = Vector::Zero(index.concepts());
    for (const auto& [j, weight] : index.links_of(i)) row[j] = weight;
    CHECK(row == links.row(i).transpose());
    for (Index j = 0; j < index.concepts(); ++j)
      if (i != j) CHECK(index.link(i, j) == links(i, j));
  }
}

TEST_CASE("an index that follows a memory equals a new index of it", "[index]") {
  for (std::uint64_t trial = 0; trial < 12; ++trial) {
    Rng rng(11, "histories", trial);
    Memory memory(with_decay(trial % 3 == 0 ? 0 : trial % 3 == 1 ? 0.01 : 0.5));
    MemoryIndex followed(memory);
    for (int round = 0; round < 12; ++round) {
      for (std::size_t lines = rng.below(round == 5 ? 60 : 6); lines > 0; --lines)
        say(memory, history_line(rng));
      // Long pauses make evidence underflow.
      if (rng.below(4) == 0) memory.advance(rng.below(2) == 0 ? 3 : 3000);
      followed.catch_up();
      CHECK(followed.is_up_to_date());
      check_same(followed, MemoryIndex(memory));
    }
    check_numbers(followed);
  }
}

TEST_CASE("every method recalls the same over an index that follows a memory and over a new one", "[index]") {
  for (std::uint64_t trial = 0; trial < 4; ++trial) {
    Rng rng(12, "histories of recalls", trial);
    Memory memory(with_decay(trial % 2 == 0 ? 0 : 0.01));
    MemoryIndex followed(memory);
    for (int round = 0; round < 4; ++round) {
      for (int lines = 0; lines < 12; ++lines) say(memory, history_line(rng));
      const Cue cue = cue_for(memory, term(memory, "<(*,n1,n2) --> r1>"));
      followed.catch_up();
      const MemoryIndex fresh(memory);
      for (const Method& method : methods()) {
        INFO(method.name);
        const ConfiguredMethod configured(method);
        const Recall a = configured.recall(followed, cue), b = configured.recall(fresh, cue);
        CHECK(a.statements == b.statements);
        CHECK(a.concepts == b.concepts);
      }
    }
  }
}

}  // namespace
}  // namespace engram::core
