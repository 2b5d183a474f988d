// SPDX-License-Identifier: MIT
// Tests of local_attention against attention.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/index/memory_index.hpp"
#include "core/numbers/random.hpp"
#include "core/numbers/ranking.hpp"
#include "tests/core/random_memory.hpp"
#include "tests/core/recalled.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

using samples::random_memory;
using samples::recalled;
using samples::some_cue;

TEST_CASE("nearest statements have exact scores, and the bound holds for all others", "[core][retrieval]") {
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

TEST_CASE("local_attention with a sparse map equals attention bit by bit", "[core][retrievers]") {
  Rng rng(2, "local attention");
  for (int trial = 0; trial < 12; ++trial) {
    Memory memory = random_memory(rng, 150);
    const MemoryIndex readings(memory);
    const Cue cue = some_cue(rng, memory, 150);
    for (const double beta : {0.01, 1.0, 8.0, 50.0})  // from all statements to one
      for (const char* map : {"sparsemax", "entmax", "argmax", "budget", "normmax"})
        for (const double alpha : {1.5, 2.0, 3.0}) {
          INFO(map << ' ' << beta << ' ' << alpha);
          const Options options{{"beta", beta}, {"map", map}, {"alpha", alpha}};
          const Recall whole = recalled("attention", options, readings, cue),
                       local = recalled("local_attention", options, readings, cue);
          const bool by_roots = std::string(map) == "normmax" || (std::string(map) == "entmax" && alpha == 3);
          CHECK_FALSE(local.left_out);
          if (!by_roots && std::string(map) != "budget") {
            CHECK(local.statements == whole.statements);
            CHECK(local.concepts == whole.concepts);
          } else {
            CHECK(samples::distance(local.statements, whole.statements) < 1e-9);
            CHECK(samples::distance(local.concepts, whole.concepts) < 1e-8);
          }
        }
  }
}

TEST_CASE("local_attention with softmax bounds the omitted weight and certifies the best statements",
          "[core][retrievers]") {
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

TEST_CASE("local_attention does not read the statements of a hub that cannot matter", "[core][retrievers]") {
  Memory memory;
  for (int i = 0; i < 3000; ++i)
    samples::say(memory, "<(*,a" + std::to_string(i) + ",b" + std::to_string(i) + ") --> likes>.");
  const MemoryIndex readings(memory);
  NearestStatements near(
      readings, readings.query(cue_for(memory, samples::term(memory, "<(*,a7,?1) --> likes>")).activation));
  REQUIRE(near.score_next());
  CHECK(near.scored().size() == 1);
  CHECK(near.nth_best(1) > near.upper_bound());
  CHECK(near.most_unscored() == 2999);
}

}  // namespace
}  // namespace engram::core
