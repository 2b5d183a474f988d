// SPDX-License-Identifier: MIT
#include "core/filters/nearest_questions.hpp"

#include "core/methods/explanation.hpp"
#include "tests/core/recalled.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

TEST_CASE("scores from solved questions match hand-computed values", "[nearest_questions]") {
  Memory memory = told({"<a --> b>.", "<b --> c>.", "<d --> e>.", "<e --> c>."});
  const MemoryIndex readings(memory);
  const auto id = [&](const char* name) { return concept_of(memory, name); };
  Cue cue = cue_for(memory, term(memory, "<a --> c>"));
  const double a = std::log(5.0), c = std::log(3.0);  // the idf of names in one and in two of four statements
  const Options cubes{{"power", 3.0}, {"proof_weight", 2.0}};
  const auto scores = [&](const Options& options) {
    return recalled("nearest_questions", options, readings, cue).statements;
  };
  const double near_a = a * a * a, near_c = c * c * c;
  CHECK(distance(scores(cubes), vector({near_a, near_c, 0, near_c})) < 1e-14);

  const std::vector<SolvedQuestion> solved{{{id("d"), id("c")}, {2, 3}},  // <d --> c>
                                           {{id("e"), id("d")}, {2}}};    // shares no name with the question
  cue.solved = solved;
  CHECK(distance(scores(cubes), vector({near_a, near_c, near_c, 2 * near_c})) < 1e-14);
  Options nearest = cubes;
  nearest["neighbours"] = 1.0;
  CHECK(distance(scores(nearest), vector({near_a, 0, 0, 0})) < 1e-14);
  nearest["neighbours"] = 2.0;  // ties with the second nearest are included
  CHECK(distance(scores(nearest), vector({near_a, near_c, near_c, 2 * near_c})) < 1e-14);

  const Recall recall = recalled("nearest_questions", cubes, readings, cue);
  const Explanation why =
      ConfiguredMethod("nearest_questions", cubes).explain(readings, cue, recall)->of_statement(3);
  REQUIRE(why.accounts.size() == 1);
  REQUIRE(why.accounts[0].parts.size() == 2);
  CHECK(std::abs(why.accounts[0].parts[0].amount - near_c) < 1e-14);
  CHECK(std::abs(why.accounts[0].parts[1].amount - near_c) < 1e-14);
  CHECK(why.accounts[0].parts[1].words == "in the proof of solved question 1, of 2 statements");
}

// Reference implementation on sets of names. An item is a neighbour if fewer than k items are nearer.
Vector by_definition(const MemoryIndex& memory, const Cue& cue, const NearestOptions& options) {
  const auto nearness = [&](const auto& names) {
    double sum = 0;
    for (const ConceptId name : std::set<ConceptId>(names.begin(), names.end()))
      sum += cue.activation[name] > 0 ? std::pow(memory.idf(name), options.power) : 0;
    return sum;
  };
  std::vector<double> all;
  for (Index e = 0; e < memory.statements(); ++e) all.push_back(nearness(memory.episode(e)));
  for (const SolvedQuestion& x : cue.solved) all.push_back(nearness(x.names));
  const auto if_neighbour = [&](double mine) {
    const auto nearer = std::ranges::count_if(all, [&](double x) { return x > mine; });
    return static_cast<std::size_t>(nearer) < options.neighbours ? mine : 0;
  };
  Vector scores(memory.statements());
  for (Index e = 0; e < scores.size(); ++e) {
    scores[e] = if_neighbour(all[static_cast<std::size_t>(e)]);
    for (const SolvedQuestion& x : cue.solved)
      if (std::ranges::count(x.proof, static_cast<StatementId>(e)) > 0)
        scores[e] +=
            options.proof_weight * if_neighbour(nearness(x.names)) / static_cast<double>(x.proof.size());
  }
  return scores;
}

TEST_CASE("nearest_questions equals a reference implementation on random questions", "[nearest_questions]") {
  Rng rng(9, "nearest_questions_test");
  int learnt = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Memory memory;
    const auto name = [&] { return "a" + std::to_string(rng.below(1 + rng.below(12))); };
    for (int i = 0; i < 20; ++i) say(memory, "<(*," + name() + "," + name() + ") --> " + name() + ">.");
    const MemoryIndex readings(memory);
    std::vector<SolvedQuestion> solved;
    for (std::uint64_t i = rng.below(12); i > 0; --i) {
      std::set<ConceptId> names;
      std::set<StatementId> proof;
      for (const ConceptId id : memory.known_concepts(term(memory, "(*," + name() + "," + name() + ")")))
        names.insert(id);
      for (std::uint64_t n = 1 + rng.below(4); n > 0; --n)
        proof.insert(static_cast<StatementId>(rng.below(memory.statements().size())));
      solved.push_back({{names.begin(), names.end()}, {proof.begin(), proof.end()}});
    }
    Cue cue = cue_for(memory, term(memory, "(*," + name() + "," + name() + ")"));
    const Vector alone = relevance(cue, nearest_to(readings, cue, {}), {});
    cue.solved = solved;
    for (const NearestOptions& options :
         {NearestOptions{}, NearestOptions{1, 2, 1}, NearestOptions{4, 6, 3}, NearestOptions{9, 0, 0.5}}) {
      const Vector found = relevance(cue, nearest_to(readings, cue, options), options);
      const Vector expected = by_definition(readings, cue, options);
      CHECK(distance(found, expected) <= 1e-13 * (1 + expected.maxCoeff()));
    }
    learnt += relevance(cue, nearest_to(readings, cue, {}), {}) != alone ? 1 : 0;
  }
  CHECK(learnt > 30);
}

}  // namespace
}  // namespace engram::core
