// SPDX-License-Identifier: MIT
// Tests of the local walks and local_concept_attention against the exact methods.
#include <set>
#include <string>
#include <vector>

#include "core/numbers/ranking.hpp"
#include "tests/core/random_memory.hpp"
#include "tests/core/recalled.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

using samples::random_memory;
using samples::recalled;
using samples::some_cue;

std::set<ConceptId> best_concepts(const Recall& recall, std::size_t count) {
  const auto ids = rank(recall.concepts, count);
  return {ids.begin(), ids.end()};
}

Options with(Options options, const char* name, OptionValue value) {
  options[name] = std::move(value);
  return options;
}

TEST_CASE("local walks give lower bounds, the missing weight and certain best items", "[core][retrievers]") {
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
          if (threshold < 1e-8) CHECK(samples::distance(local.statements, whole.statements) < 1e-4);
          ++recalls;
          sure += certain > 0 ? 1 : 0;
        }
      }
  }
  CHECK(sure > recalls / 2);  // the certificate must usually be useful
}

TEST_CASE("local_concept_attention with a sparse map equals concept_attention bit by bit",
          "[core][retrievers]") {
  Rng rng(2, "local concept attention");
  std::size_t sparse = 0;
  for (int trial = 0; trial < 12; ++trial) {
    Memory memory = random_memory(rng, 150);
    const MemoryIndex readings(memory);
    const Cue cue = some_cue(rng, memory, 150);
    for (const double beta : {0.01, 1.0, 8.0, 50.0})  // from all concepts to one
      for (const char* map : {"sparsemax", "entmax", "argmax", "budget", "normmax"})
        for (const double alpha : {1.5, 2.0, 3.0}) {
          INFO(map << ' ' << beta << ' ' << alpha);
          const Options options{{"beta", beta}, {"map", map}, {"alpha", alpha}};
          const Recall whole = recalled("concept_attention", options, readings, cue),
                       local = recalled("local_concept_attention", options, readings, cue);
          CHECK_FALSE(local.left_out);
          const bool all_hold = static_cast<Index>(readings.active_concepts().size()) == readings.concepts();
          const bool by_roots = std::string(map) == "normmax" || (std::string(map) == "entmax" && alpha == 3);
          if (all_hold && !by_roots && std::string(map) != "budget")
            CHECK(local.concepts == whole.concepts);
          else
            CHECK(samples::distance(local.concepts, whole.concepts) < 1e-9);
          sparse += local.concepts.held() < static_cast<std::size_t>(readings.concepts()) / 4 ? 1 : 0;
        }
  }
  CHECK(sparse > 100);
}

TEST_CASE("local_concept_attention with softmax bounds the omitted weight", "[core][retrievers]") {
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

TEST_CASE("with an index, few concepts are all found and keep their weights", "[core][retrievers]") {
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
        local["neighbours"] = local["looks"] = 1000.0;  // more than there are
        CHECK(samples::distance(recalled("local_concept_attention", local, readings, cue).concepts,
                                whole.concepts) < 1e-12);
        local["neighbours"] = 4.0;
        CHECK(recalled("local_concept_attention", local, readings, cue).concepts.held() <= 4);
      }
  }
}

}  // namespace
}  // namespace engram::core
