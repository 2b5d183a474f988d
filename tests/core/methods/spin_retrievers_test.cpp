// SPDX-License-Identifier: MIT
#include "core/hopfield/dense_memory.hpp"
#include "core/methods/method.hpp"
#include "tests/core/recalled.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

const std::vector<std::string> pets{
    "<tim --> cat>. %1.0;0.91%", "<tom --> cat>. %1.0;0.72%",  "<rex --> dog>. %1.0;0.83%",
    "<cat --> pet>. %1.0;0.64%", "<dog --> pet>. %1.0;0.55%",  "<(*,tim,tom) --> friend>. %1.0;0.37%",
    "<sun --> star>.",           "<(*,sun,star) --> bright>.",
};

struct Pets {
  Memory memory = told(pets);
  const MemoryIndex readings{memory};
};

// Checks that the energy fell, and that statement scores are cosines with the concepts.
void check_recall(const MemoryIndex& readings, const Recall& recall) {
  REQUIRE(recall.energies.size() == static_cast<std::size_t>(recall.iterations) + 1);
  CHECK(never_rises(recall.energies, 1e-12));
  CHECK(recall.statements == readings.statement_scores(recall.concepts));
}

TEST_CASE("graph_spins matches hand-computed shares of links", "[spin_retrievers]") {
  Memory memory = told({"<a --> b>.", "<b --> c>.", "<(*,d,e) --> c>."});
  const MemoryIndex readings(memory);
  const Vector cue = cue_for(memory, term(memory, "a")).activation;
  // Counted by statements, b has one of its two links to a, and c has one of its three links to b. d and e have one of
  // two links to c and the other to each other.
  Options options{{"threshold", 0.4}, {"links", "hebb"}};
  Recall recall = recalled("graph_spins", options, readings, cue);
  CHECK(recall.concepts[concept_of(memory, "a")] == 1);
  CHECK(std::abs(recall.concepts[concept_of(memory, "b")] - 0.5) < 1e-15 * 4);
  for (const char* silent : {"c", "d", "e"}) CHECK(recall.concepts[concept_of(memory, silent)] == 0);
  check_recall(readings, recall);
  CHECK_FALSE(recall.period);
  // Now c follows b, and d and e follow c, because 1/3 and 1/2 exceed the threshold.
  options["threshold"] = 0.3;
  recall = recalled("graph_spins", options, readings, cue);
  for (const char* active : {"b", "c", "d", "e"})
    CHECK(std::abs(recall.concepts[concept_of(memory, active)] - 1) < 1e-15 * 4);
  options["dynamics"] = "sync";
  const Recall at_once = recalled("graph_spins", options, readings, cue);
  CHECK(at_once.concepts == recall.concepts);
  CHECK(at_once.period == 1);
}

TEST_CASE("synchronous spins report two alternating states", "[spin_retrievers]") {
  Memory memory = told({"<a --> b>."});
  const MemoryIndex readings(memory);
  const auto run = [&](const char* dynamics) {
    return ConfiguredMethod("graph_spins", {{"dynamics", dynamics}, {"cue_strength", 0.0}, {"links", "hebb"}})
        .recall(readings, cue_for(memory, term(memory, "a")));
  };
  CHECK(run("sync").period == 2);
  CHECK_FALSE(run("sync").converged);
  CHECK_FALSE(run("async").period);
  CHECK(run("async").converged);
  CHECK_FALSE(run("glauber").period);
}

TEST_CASE_METHOD(Pets, "a cued concept without evidence stays inactive", "[spin_retrievers]") {
  Vector cue = cue_for(memory, term(memory, "tim")).activation;
  const auto compound = concept_of(memory, "<tim --> cat>");
  REQUIRE(readings.activity(compound) == 0);
  cue[compound] = 1;
  for (const char* method : {"graph_spins", "dense_memory"}) {
    const Recall recall = ConfiguredMethod(method).recall(readings, Cue(cue));
    CHECK(recall.concepts[compound] == 0);
    CHECK(recall.concepts[concept_of(memory, "tim")] > 0);
    check_recall(readings, recall);
  }
}

TEST_CASE_METHOD(Pets, "spins at a temperature depend on the seed, and their shares on the temperature",
                 "[spin_retrievers]") {
  const Vector cue = cue_for(memory, term(memory, "tim")).activation;
  const auto run = [&](double temperature, double seed) {
    return ConfiguredMethod(
               "graph_spins",
               {{"dynamics", "glauber"}, {"threshold", 0.7}, {"temperature", temperature}, {"seed", seed}})
        .recall(readings, Cue(cue))
        .concepts;
  };
  CHECK(run(0.5, 1) == run(0.5, 1));
  CHECK(run(0.5, 1) != run(0.5, 2));
  const Vector warm = run(0.4, 1);
  CHECK(warm.maxCoeff() <= 1);
  CHECK(warm[concept_of(memory, "cat")] > warm[concept_of(memory, "star")]);
  for (const auto i : readings.active_concepts())
    CHECK(std::abs(run(1e5, 1)[i] - 0.5) < 0.01);  // all spins are random
}

TEST_CASE_METHOD(Pets, "dense_memory completes a statement with every separation", "[spin_retrievers]") {
  for (const char* separation : {"rectified", "exponential"}) {
    const Recall recall = ConfiguredMethod("dense_memory", {{"separation", separation}})
                              .recall(readings, cue_for(memory, term(memory, "(*,sun,bright)")));
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

TEST_CASE_METHOD(Pets, "the activations of dense_memory are costs divided by the largest",
                 "[spin_retrievers]") {
  const Vector cue = cue_for(memory, term(memory, "(*,tim,tom)")).activation;
  const DenseEpisodesRecall trace = recall_dense_episodes(readings.episodes(), readings.evidence(), cue);
  const Recall recall = recalled("dense_memory", {}, readings, cue);
  REQUIRE(trace.active.size() > 1);
  CHECK((recall.concepts.whole().array() > 0).count() == static_cast<Index>(trace.active.size()));
  for (std::size_t j = 0; j < trace.active.size(); ++j)
    CHECK(recall.concepts[trace.active[j]] == trace.costs[static_cast<Index>(j)] / trace.costs.maxCoeff());
  CHECK(recall.energies == trace.energies);
}

}  // namespace
}  // namespace engram::core
