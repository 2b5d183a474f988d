// SPDX-License-Identifier: MIT
#include "core/retrieval/memory_index.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

using samples::concept_of;
using samples::say;
using samples::term;

// Sentences of two to six out of twelve atoms, some said again, time passing in between.
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

TEST_CASE("links and activity are A'DA: dense matrices", "[core][readings]") {
  Rng rng(1, "memory_index_test links");
  for (const double decay : {0.0, 0.05}) {
    MemoryOptions options;
    options.decay = decay;
    Memory memory(options);
    tell_random(memory, rng, 60);
    const MemoryIndex readings(memory);
    const Matrix a = samples::dense(readings.episodes());
    REQUIRE(readings.statements() == static_cast<Index>(memory.statements().size()));
    REQUIRE(readings.concepts() == static_cast<Index>(memory.graph().size()));
    for (Index e = 0; e < readings.statements(); ++e) {
      const Statement& statement = memory.statements()[static_cast<std::size_t>(e)];
      CHECK(a.row(e).sum() == static_cast<double>(statement.active.size()));
      for (const ConceptId id : statement.active) CHECK(a(e, id) == 1);
      CHECK(readings.evidence(e) == memory.evidence(statement));
    }
    Matrix w = a.transpose() * readings.evidence().asDiagonal() * a;
    // Sixty roundings of sums below 60.
    CHECK(samples::distance(readings.activity(), Vector(w.diagonal())) < 1e-12);
    w.diagonal().setZero();
    const Matrix links = samples::dense(readings.links());
    CHECK(samples::distance(links, w) < 1e-12);
    CHECK(links == Matrix(links.transpose()));
    CHECK(std::abs(readings.total() - readings.evidence().sum()) < 1e-12);
    CHECK(readings.total() == memory.total_evidence());
  }
}

TEST_CASE("keys are rows of A by idf, of length 1", "[core][readings]") {
  Rng rng(2, "memory_index_test keys");
  Memory memory;
  tell_random(memory, rng, 40);
  say(memory, "<$1 --> $2>.");  // activates nothing: a key of length 0
  const MemoryIndex readings(memory);
  const Matrix a = samples::dense(readings.episodes()), keys = samples::dense(readings.keys());
  for (Index i = 0; i < readings.concepts(); ++i) {
    const double activity = readings.activity(i);
    const double expected = activity > 0 ? std::log(1 + readings.total() / activity) : 0;
    CHECK(std::abs(readings.idf(i) - expected) <= 1e-15 * 4);  // roundings of numbers up to 4
  }
  for (Index e = 0; e < readings.statements(); ++e) {
    const Vector weighted = a.row(e).transpose().cwiseProduct(readings.idf());
    if (e + 1 == readings.statements()) {
      CHECK(keys.row(e).isZero(0));
      continue;
    }
    CHECK(std::abs(keys.row(e).norm() - 1) < 1e-15 * 4);
    CHECK(samples::distance(Vector(keys.row(e).transpose()), Vector(weighted / weighted.norm())) < 1e-15 * 4);
  }
}

TEST_CASE("statements score by cosine, rare concepts weighing more: by hand", "[core][readings]") {
  Memory memory;
  say(memory, "<tim --> cat>. %1.0;0.5%");
  say(memory, "<tom --> cat>. %1.0;0.5%");
  const MemoryIndex readings(memory);
  // Evidence 1/2 + 1/2: cat has all of it, tim and tom half each.
  const double cat = std::log(2.0), tim = std::log(3.0);
  CHECK(std::abs(readings.idf(concept_of(memory, "cat")) - cat) < 1e-15);
  CHECK(std::abs(readings.idf(concept_of(memory, "tim")) - tim) < 1e-15 * 2);
  CHECK(readings.idf(concept_of(memory, "<tim --> cat>")) == 0);

  const Vector ask_tim = readings.statement_scores(cue_for(memory, term(memory, "<tim --> ?1>")));
  CHECK(std::abs(ask_tim[0] - tim / std::hypot(tim, cat)) < 1e-15 * 4);
  CHECK(ask_tim[1] == 0);
  const Vector ask_cat = readings.statement_scores(cue_for(memory, term(memory, "cat")));
  CHECK(std::abs(ask_cat[0] - cat / std::hypot(tim, cat)) < 1e-15 * 4);
  CHECK(ask_cat[1] == ask_cat[0]);
  const Vector ask_both = readings.statement_scores(cue_for(memory, term(memory, "<tim --> cat>")));
  CHECK(std::abs(ask_both[0] - 1) < 1e-15 * 4);
  CHECK(std::abs(ask_both[1] - cat * cat / (cat * cat + tim * tim)) < 1e-15 * 4);
  // The length of an activation does not count.
  const Vector cue = cue_for(memory, term(memory, "tim"));
  CHECK(samples::distance(readings.statement_scores(cue * 0.125), readings.statement_scores(cue)) == 0);
  CHECK(std::abs(readings.query(cue * 0.3).whole().norm() - 1) < 1e-15 * 4);
  CHECK(readings.query(Vector::Zero(readings.concepts())).whole().isZero(0));
  CHECK_THROWS_AS(readings.query(Vector::Ones(readings.concepts() + 1)), std::invalid_argument);
}

TEST_CASE("statement scores are the dense cosine for any activation", "[core][readings]") {
  Rng rng(3, "memory_index_test cosine");
  Memory memory;
  tell_random(memory, rng, 30);
  const MemoryIndex readings(memory);
  const Matrix a = samples::dense(readings.episodes());
  for (int trial = 0; trial < 20; ++trial) {
    Vector activation(readings.concepts());
    for (double& x : activation) x = rng.below(2) == 0 ? rng.uniform() : 0.0;
    const Vector query = activation.cwiseProduct(readings.idf());
    const Vector scores = readings.statement_scores(activation);
    for (Index e = 0; e < readings.statements(); ++e) {
      const Vector key = a.row(e).transpose().cwiseProduct(readings.idf());
      CHECK(std::abs(scores[e] - key.dot(query) / key.norm() / query.norm()) < 1e-14);  // a dozen roundings
      CHECK(scores[e] >= 0);
      CHECK(scores[e] <= 1 + 1e-15 * 4);
    }
  }
}

TEST_CASE("weights on statements flow to the concepts they mention", "[core][readings]") {
  Memory memory;
  say(memory, "<tim --> cat>.");
  say(memory, "<tom --> cat>.");
  const MemoryIndex readings(memory);
  const Vector scores = readings.concept_scores(samples::vector({0.25, 0.5}));
  CHECK(scores[concept_of(memory, "tim")] == 0.25);
  CHECK(scores[concept_of(memory, "tom")] == 0.5);
  CHECK(scores[concept_of(memory, "cat")] == 0.75);
  CHECK(scores[concept_of(memory, "<tim --> cat>")] == 0);
  CHECK(readings.mean_episode_size() == 2);
}

TEST_CASE("holders are the concepts that hold activation", "[core][readings]") {
  Memory memory;
  say(memory, "<{tim} --> cat>.");
  say(memory, "<{tim} --> [SELF]>. %1.0;0.0%");
  const MemoryIndex readings(memory);
  const ConceptId tim = concept_of(memory, "tim"), cat = concept_of(memory, "cat");
  CHECK(readings.holders() == std::vector<ConceptId>{std::min(tim, cat), std::max(tim, cat)});
  Vector marks(readings.concepts());
  for (Index i = 0; i < marks.size(); ++i) marks[i] = static_cast<double>(i);
  CHECK(readings.of_holders(marks) ==
        samples::vector({static_cast<double>(std::min(tim, cat)), static_cast<double>(std::max(tim, cat))}));
}

TEST_CASE("a cue is 1 on what the memory knows and still holds", "[core][readings]") {
  Memory memory;
  say(memory, "<tim --> cat>.");
  say(memory, "<doubt --> nothing>. %1.0;0.0%");  // no evidence: concepts without activity
  const Vector cue = cue_for(memory, term(memory, "(*,tim,stranger,doubt,tim)"));
  CHECK(cue.sum() == 1);
  CHECK(cue[concept_of(memory, "tim")] == 1);
  CHECK(cue_for(memory, term(memory, "?1")).activation.whole().isZero(0));
}

TEST_CASE("readings know whether they are up to date, and catch up", "[core][readings]") {
  Memory memory;
  say(memory, "<tim --> cat>.");
  MemoryIndex readings(memory);
  CHECK(readings.links().values_of(0)[0] == 0.9);
  for (const char* line : {"<tim --> cat>.", "<tom --> dog>.", "<(*,tim,cat) --> associated>. %1;0.5%"}) {
    CHECK(readings.is_up_to_date());
    say(memory, line);
    CHECK(!readings.is_up_to_date());
    readings.catch_up();
  }
  memory.advance(3);
  CHECK(!readings.is_up_to_date());
  readings.catch_up();
  CHECK(readings.statements() == static_cast<Index>(memory.statements().size()));
  CHECK(readings.total() == memory.total_evidence());
  CHECK(readings.links().values_of(0)[0] > 1.8);
}

TEST_CASE("an empty memory reads as nothing", "[core][readings]") {
  Memory memory;
  const MemoryIndex readings(memory);
  CHECK(readings.concepts() == 0);
  CHECK(readings.statements() == 0);
  CHECK(readings.total() == 0);
  CHECK(readings.links().rows() == 0);
  CHECK(readings.mean_episode_size() == 0);
  CHECK(readings.statement_scores(Vector()).size() == 0);
  CHECK(readings.holders().empty());
  CHECK(cue_for(memory, term(memory, "tim")).activation.size() == 0);
}

TEST_CASE("readings tell when each statement was last said", "[core][readings]") {
  Memory memory;
  samples::say(memory, "<a --> b>.");
  memory.advance(10);
  samples::say(memory, "<b --> c>.");
  samples::say(memory, "<c --> d>.");
  samples::say(memory, "<a --> b>.");
  CHECK(MemoryIndex(memory).last_said() == samples::vector({14, 12, 13}));
}

}  // namespace
}  // namespace engram::core
