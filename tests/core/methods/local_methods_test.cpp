// SPDX-License-Identifier: MIT
// Tests of the local methods against the exact ones.

#include "core/index/memory_index.hpp"
#include "core/numbers/ranking.hpp"
#include "tests/core/random_memory.hpp"
#include "tests/core/recalled.hpp"

namespace engram::core {
namespace {

using namespace samples;

std::set<ConceptId> best_concepts(const Recall& recall, std::size_t count) {
  const auto ids = rank(recall.concepts, count);
  return {ids.begin(), ids.end()};
}

Options with(Options options, const char* name, OptionValue value) {
  options[name] = std::move(value);
  return options;
}

TEST_CASE("nearest statements have exact scores, and the bound holds for all others", "[retrieval]") {
  Rng rng(1, "near statements");
  for (int trial = 0; trial < 20; ++trial) {
    Memory memory = random_memory(rng, 120);
    const MemoryIndex readings(memory);
    const SparseVector state = readings.query(some_cue(rng, memory, 120).activation);
    const Vector all = readings.keys().multiply(state);
    NearestStatements near(readings, state);
    do {
      std::set<StatementId> seen;
      for (const auto& [e, score] : near.scored()) {
        CHECK(score == all[e]);
        seen.insert(e);
      }
      CHECK(seen.size() == near.scored().size());
      std::uint64_t any = 0;
      for (Index e = 0; e < all.size(); ++e) {
        if (seen.contains(static_cast<StatementId>(e))) continue;
        CHECK(all[e] <= near.upper_bound());
        any += all[e] > 0 ? 1 : 0;
      }
      CHECK(any <= near.most_unscored());
      for (const std::size_t n : {std::size_t{1}, std::size_t{3}})
        if (near.upper_bound() == 0 && near.scored().size() >= n) {
          std::vector<double> sorted(all.begin(), all.end());
          std::ranges::sort(sorted, std::greater<>());
          CHECK(near.nth_best(n) == sorted[n - 1]);
        }
    } while (near.score_next());
    CHECK(near.upper_bound() == 0);
    CHECK(near.most_unscored() == 0);
  }
}

// Compares a method with its local version for random memories, cues and sparse maps. Calls check(index, whole, local,
// exact): `exact` is false for maps whose thresholds have rounding errors.
template <class Check>
void compare_sparse_maps(const std::string& method, const Check& check) {
  Rng rng(2, "local " + method);
  for (int trial = 0; trial < 12; ++trial) {
    Memory memory = random_memory(rng, 150);
    const MemoryIndex readings(memory);
    const Cue cue = some_cue(rng, memory, 150);
    for (const double beta : {0.01, 1.0, 8.0, 50.0})  // from weights for all items to a weight for one
      for (const std::string map : {"sparsemax", "entmax", "argmax", "budget", "normmax"})
        for (const double alpha : {1.5, 2.0, 3.0}) {
          INFO(map << ' ' << beta << ' ' << alpha);
          const Options options{{"beta", beta}, {"map", map}, {"alpha", alpha}};
          const Recall whole = recalled(method, options, readings, cue),
                       local = recalled("local_" + method, options, readings, cue);
          CHECK_FALSE(local.left_out);
          check(readings, whole, local,
                map != "normmax" && map != "budget" && (map != "entmax" || alpha != 3));
        }
  }
}

TEST_CASE("local_attention with a sparse map equals attention bit by bit", "[retrievers]") {
  compare_sparse_maps("attention",
                      [](const MemoryIndex&, const Recall& whole, const Recall& local, bool exact) {
                        if (exact) {
                          CHECK(local.statements == whole.statements);
                          CHECK(local.concepts == whole.concepts);
                        } else {
                          CHECK(distance(local.statements, whole.statements) < 1e-9);
                          CHECK(distance(local.concepts, whole.concepts) < 1e-8);
                        }
                      });
}

TEST_CASE("local_concept_attention with a sparse map equals concept_attention bit by bit", "[retrievers]") {
  std::size_t sparse = 0;
  compare_sparse_maps("concept_attention", [&](const MemoryIndex& readings, const Recall& whole,
                                               const Recall& local, bool exact) {
    const bool all_hold = static_cast<Index>(readings.active_concepts().size()) == readings.concepts();
    if (all_hold && exact)
      CHECK(local.concepts == whole.concepts);
    else
      CHECK(distance(local.concepts, whole.concepts) < 1e-9);
    sparse += local.concepts.held() < static_cast<std::size_t>(readings.concepts()) / 4 ? 1 : 0;
  });
  CHECK(sparse > 100);
}

TEST_CASE("local_attention with softmax bounds the omitted weight and certifies the best statements",
          "[retrievers]") {
  Rng rng(3, "local attention softmax");
  std::size_t sure = 0, recalls = 0;
  for (int trial = 0; trial < 25; ++trial) {
    Memory memory = random_memory(rng, 200);
    const MemoryIndex readings(memory);
    const Cue cue = some_cue(rng, memory, 200);
    for (const double steps : {1.0, 2.0, 3.0})
      for (const double beta : {2.0, 8.0, 25.0, 60.0, 1e6})
        for (const auto& [kept, looks] : {std::pair(2.0, 1e9), {6.0, 40.0}, {40.0, 1.0}, {40.0, 1e9}}) {
          INFO(steps << ' ' << beta << ' ' << kept << ' ' << looks);
          const Recall whole = recalled("attention", {{"beta", beta}, {"steps", steps}}, readings, cue);
          const Recall local =
              recalled("local_attention",
                       {{"beta", beta}, {"steps", steps}, {"kept", kept}, {"looks", looks}}, readings, cue);
          REQUIRE(local.left_out);
          ++recalls;
          sure += local.left_out->certain > 0 ? 1 : 0;
          const auto best = [&](const Recall& recall) {
            const auto ids = rank(recall.statements, local.left_out->certain);
            return std::set<StatementId>(ids.begin(), ids.end());
          };
          CHECK(best(local) == best(whole));
          double left = 1;
          local.statements.each([&](StatementId e, double) { left -= whole.statements[e]; });
          CHECK(left <= local.left_out->weight + 1e-12);
          if (steps == 1 && local.left_out->certain > 0)
            local.statements.each(
                [&](StatementId e, double p) { CHECK(p <= whole.statements[e] * (1 + 1e-12)); });
        }
  }
  CHECK(sure > recalls / 2);  // the certificate must usually be useful
}

TEST_CASE("local_attention does not read the statements of a hub that cannot matter", "[retrievers]") {
  Memory memory;
  for (int i = 0; i < 3000; ++i)
    say(memory, "<(*,a" + std::to_string(i) + ",b" + std::to_string(i) + ") --> likes>.");
  const MemoryIndex readings(memory);
  NearestStatements near(readings,
                         readings.query(cue_for(memory, term(memory, "<(*,a7,?1) --> likes>")).activation));
  REQUIRE(near.score_next());
  CHECK(near.scored().size() == 1);
  CHECK(near.nth_best(1) > near.upper_bound());
  CHECK(near.most_unscored() == 2999);
}

TEST_CASE("local walks give lower bounds, the missing weight and certain best items", "[retrievers]") {
  Rng rng(1, "local walks");
  const std::vector<std::pair<std::string, std::vector<Options>>> walks{
      {"pagerank", {{}, {{"damping", 0.5}}, {{"links", "correlation"}}, {{"links", "covariance"}}}},
      {"linear_ecan", {{}, {{"rent", 0.6}, {"spread", 0.9}}, {{"links", "cosine"}}}}};
  std::size_t sure = 0, recalls = 0;
  for (int trial = 0; trial < 10; ++trial) {
    Memory memory = random_memory(rng, 150);
    const MemoryIndex readings(memory);
    const Cue cue = some_cue(rng, memory, 150);
    for (const auto& [name, all_options] : walks)
      for (const Options& options : all_options) {
        const Recall whole = recalled(name, options, readings, cue);
        for (const double threshold : {1.0, 1e-2, 1e-3, 1e-4, 1e-6, 1e-9}) {
          INFO(name << ' ' << threshold);
          const Recall local =
              recalled("local_" + name, with(options, "threshold", threshold), readings, cue);
          REQUIRE(local.left_out);
          const Vector lacks = whole.concepts.whole() - local.concepts.whole();
          CHECK(lacks.minCoeff() > -1e-11);  // the exact methods stop at changes of 1e-12
          CHECK(std::abs(lacks.sum() - local.left_out->weight) < 1e-10);
          const std::size_t certain = local.left_out->certain;
          CHECK(best_concepts(local, certain) == best_concepts(whole, certain));
          CHECK(local.statements == readings.statement_scores(local.concepts));
          if (threshold < 1e-8) CHECK(distance(local.statements, whole.statements) < 1e-4);
          ++recalls;
          sure += certain > 0 ? 1 : 0;
        }
      }
  }
  CHECK(sure > recalls / 2);  // the certificate must usually be useful
}

TEST_CASE("local_concept_attention with softmax bounds the omitted weight", "[retrievers]") {
  Rng rng(3, "local concept attention softmax");
  for (int trial = 0; trial < 20; ++trial) {
    Memory memory = random_memory(rng, 200);
    const MemoryIndex readings(memory);
    const Cue cue = some_cue(rng, memory, 200);
    for (const double beta : {0.5, 8.0, 60.0}) {
      const Recall whole = recalled("concept_attention", {{"beta", beta}}, readings, cue),
                   local = recalled("local_concept_attention", {{"beta", beta}}, readings, cue);
      REQUIRE(local.left_out);
      double left = 1;
      local.concepts.each([&](ConceptId i, double p) {
        CHECK(p <= whole.concepts[i] * (1 + 1e-12));
        left -= whole.concepts[i];
      });
      CHECK(left <= local.left_out->weight + 1e-12);
      CHECK(local.left_out->certain > 0);
      CHECK(best_concepts(local, local.left_out->certain) == best_concepts(whole, local.left_out->certain));
    }
  }
}

TEST_CASE("with an index, few concepts are all found and keep their weights", "[retrievers]") {
  Rng rng(4, "local concept attention index");
  for (int trial = 0; trial < 5; ++trial) {
    Memory memory = random_memory(rng, 200);
    const MemoryIndex readings(memory);
    const Cue cue = some_cue(rng, memory, 200);
    for (const char* embedding : {"random_indexing", "svd"})
      for (const char* map : {"sparsemax", "entmax", "argmax"}) {
        const Options options{{"embedding", embedding}, {"dimensions", 32.0}, {"map", map}};
        const Recall whole = recalled("concept_attention", options, readings, cue);
        Options local = options;
        local["neighbours"] = local["looks"] = 1000.0;  // more neighbours and looks than concepts
        CHECK(distance(recalled("local_concept_attention", local, readings, cue).concepts, whole.concepts) <
              1e-12);
        local["neighbours"] = 4.0;
        CHECK(recalled("local_concept_attention", local, readings, cue).concepts.held() <= 4);
      }
  }
}

}  // namespace
}  // namespace engram::core
