// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/hopfield/dense_episodes.hpp"
#include "core/methods/methods.hpp"
#include "tests/core/recalled.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

using samples::concept_of;
using samples::term;
using samples::told;

const std::vector<std::string> pets{
    "<tim --> cat>. %1.0;0.91%", "<tom --> cat>. %1.0;0.72%",  "<rex --> dog>. %1.0;0.83%",
    "<cat --> pet>. %1.0;0.64%", "<dog --> pet>. %1.0;0.55%",  "<(*,tim,tom) --> friend>. %1.0;0.37%",
    "<sun --> star>.",           "<(*,sun,star) --> bright>.",
};

// Energy fell, and the statements are scored by their cosine with the concepts.
void check_recall(const MemoryIndex& readings, const Recall& recall) {
  REQUIRE(recall.energies.size() == static_cast<std::size_t>(recall.iterations) + 1);
  for (std::size_t t = 1; t < recall.energies.size(); ++t)
    CHECK(recall.energies[t] <= recall.energies[t - 1] + 1e-12);
  CHECK(recall.statements == readings.statement_scores(recall.concepts));
}

TEST_CASE("spins activate a concept by its share of the links, by hand", "[core][spin_retrievers]") {
  Memory memory = told({"<a --> b>.", "<b --> c>.", "<(*,d,e) --> c>."});
  const MemoryIndex readings(memory);
  const Vector cue = cue_for(memory, term(memory, "a"));
  // By plain counts b has one of two links to a; c one of three to b; d and e one of two to c and to each
  // other.
  Options options{{"threshold", 0.4}, {"links", "hebb"}};
  Recall recall = samples::recalled("graph_spins", options, readings, cue);
  CHECK(recall.concepts[concept_of(memory, "a")] == 1);
  CHECK(std::abs(recall.concepts[concept_of(memory, "b")] - 0.5) < 1e-15 * 4);
  for (const char* silent : {"c", "d", "e"}) CHECK(recall.concepts[concept_of(memory, silent)] == 0);
  check_recall(readings, recall);
  CHECK_FALSE(recall.period);
  options["threshold"] = 0.3;  // then c follows b, and d and e follow c
  recall = samples::recalled("graph_spins", options, readings, cue);
  for (const char* active : {"b", "c", "d", "e"})
    CHECK(std::abs(recall.concepts[concept_of(memory, active)] - 1) < 1e-15 * 4);
  options["dynamics"] = "sync";
  const Recall at_once = samples::recalled("graph_spins", options, readings, cue);
  CHECK(at_once.concepts == recall.concepts);
  CHECK(at_once.period == 1);
}

TEST_CASE("spins all at once tell of two states that alternate", "[core][spin_retrievers]") {
  Memory memory = told({"<a --> b>."});
  const MemoryIndex readings(memory);
  const auto run = [&](const char* dynamics) {
    return make_retriever(*find_method("graph_spins"),
                          {{"dynamics", dynamics}, {"cue_strength", 0.0}, {"links", "hebb"}})(
        readings, cue_for(memory, term(memory, "a")));
  };
  CHECK(run("sync").period == 2);
  CHECK_FALSE(run("sync").converged);
  CHECK_FALSE(run("async").period);
  CHECK(run("async").converged);
  CHECK_FALSE(run("glauber").period);
}

TEST_CASE("a concept that holds nothing is not active, though it is cued", "[core][spin_retrievers]") {
  Memory memory = told(pets);
  const MemoryIndex readings(memory);
  Vector cue = cue_for(memory, term(memory, "tim"));
  const auto compound = concept_of(memory, "<tim --> cat>");
  REQUIRE(readings.activity(compound) == 0);
  cue[compound] = 1;
  for (const char* method : {"graph_spins", "dense_memory"}) {
    const Recall recall = make_retriever(*find_method(method))(readings, cue);
    CHECK(recall.concepts[compound] == 0);
    CHECK(recall.concepts[concept_of(memory, "tim")] > 0);
    check_recall(readings, recall);
  }
}

TEST_CASE("at a temperature spins are as likely as they are, and a seed is a draw",
          "[core][spin_retrievers]") {
  Memory memory = told(pets);
  const MemoryIndex readings(memory);
  const Vector cue = cue_for(memory, term(memory, "tim"));
  const auto run = [&](double temperature, double seed) {
    return make_retriever(
               *find_method("graph_spins"),
               {{"dynamics", "glauber"}, {"threshold", 0.7}, {"temperature", temperature}, {"seed", seed}})(
               readings, cue)
        .concepts;
  };
  CHECK(run(0.5, 1) == run(0.5, 1));
  CHECK(run(0.5, 1) != run(0.5, 2));
  const Vector warm = run(0.4, 1);
  CHECK(warm.maxCoeff() <= 1);
  CHECK(warm[concept_of(memory, "cat")] > warm[concept_of(memory, "star")]);
  for (const auto i : readings.holders()) CHECK(std::abs(run(1e5, 1)[i] - 0.5) < 0.01);  // all molten
}

TEST_CASE("dense memory recalls a statement from part of it, whatever the separation",
          "[core][spin_retrievers]") {
  Memory memory = told(pets);
  const MemoryIndex readings(memory);
  for (const char* separation : {"rectified", "exponential"}) {
    const Recall recall = make_retriever(*find_method("dense_memory"), {{"separation", separation}})(
        readings, cue_for(memory, term(memory, "(*,sun,bright)")));
    for (const char* active : {"sun", "star", "bright"})
      CHECK(recall.concepts[concept_of(memory, active)] > 0);
    CHECK((recall.concepts.whole().array() > 0).count() == 3);
    CHECK(recall.concepts.whole().maxCoeff() == 1);
    Index best = 0;
    recall.statements.whole().maxCoeff(&best);
    CHECK(best == 7);
    CHECK(recall.iterations == 1);
    check_recall(readings, recall);
  }
}

TEST_CASE("dense memory's activations are costs over the largest", "[core][spin_retrievers]") {
  Memory memory = told(pets);
  const MemoryIndex readings(memory);
  const Vector cue = cue_for(memory, term(memory, "(*,tim,tom)"));
  const DenseEpisodesRecall trace = recall_dense_episodes(readings.episodes(), readings.evidence(), cue);
  const Recall recall = samples::recalled("dense_memory", {}, readings, cue);
  REQUIRE(trace.active.size() > 1);
  CHECK((recall.concepts.whole().array() > 0).count() == static_cast<Index>(trace.active.size()));
  for (std::size_t j = 0; j < trace.active.size(); ++j)
    CHECK(recall.concepts[trace.active[j]] == trace.costs[static_cast<Index>(j)] / trace.costs.maxCoeff());
  CHECK(recall.energies == trace.energies);
}

}  // namespace
}  // namespace engram::core
