// SPDX-License-Identifier: MIT
#include "experiments/inputs/given_statements.hpp"

#include <algorithm>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::experiments;

TEST_CASE("a gate selects at most its capacity and nothing below its share of the best",
          "[experiments][inputs]") {
  core::Vector scores(5);
  scores << 0.1, 1, 0, 0.5, 0.4;
  const std::vector<core::StatementId> ranked{1, 3, 4, 0};  // statement 2 scores 0
  const auto given = [&](const Gate& gate, std::size_t needed) {
    const auto span = let_through(gate, needed, ranked, scores);
    return std::vector<core::StatementId>(span.begin(), span.end());
  };
  CHECK(given({3}, 1) == std::vector<core::StatementId>{1, 3, 4});
  CHECK(given({9}, 1) == ranked);
  CHECK(given({2, true}, 1) == std::vector<core::StatementId>{1, 3});
  CHECK(given({2, true}, 0).empty());
  CHECK(given({9, false, 0.5}, 1) == std::vector<core::StatementId>{1, 3});  // at least half of the best
  CHECK(given({9, false, 1}, 1) == std::vector<core::StatementId>{1});
  CHECK(Gate{18}.name() == "18");
  CHECK(Gate{3, true}.name() == "3x");
  CHECK(Gate{18, false, 0.3}.name() == "18 above 0.3");
}

TEST_CASE("a proof counts as whole if one of the known proofs is selected completely",
          "[experiments][inputs]") {
  const std::vector<Question::Proof> proofs{{1, 2}, {3}};
  const auto measured = [&](std::vector<core::StatementId> given) {
    const GivenProof proof = given_proof(given, proofs);
    return std::pair(proof.kept, proof.whole);
  };
  CHECK(measured({}) == std::pair(0.0, 0.0));
  CHECK(measured({1, 4}) == std::pair(0.5, 0.0));
  CHECK(measured({2, 1}) == std::pair(1.0, 1.0));
  CHECK(measured({3}) == std::pair(0.0, 1.0));
  CHECK_THROWS_AS(given_proof({}, {}), std::invalid_argument);
}

TEST_CASE("with tied scores the selected part of a proof is an expectation over all orders",
          "[experiments][inputs]") {
  // Reference: all orders of the ties. Statement 0 is above six tied statements, statement 7 scores 0.
  core::Vector scores(8);
  scores << 2, 1, 1, 1, 1, 1, 1, 0;
  std::vector<core::StatementId> tied{1, 2, 3, 4, 5, 6};
  const auto counted = [&](std::size_t amount, const std::vector<Question::Proof>& proofs) {
    std::ranges::sort(tied);
    GivenProof sum;
    double orders = 0;
    do {
      std::vector<core::StatementId> ranked{0};
      ranked.insert(ranked.end(), tied.begin(), tied.end());
      const GivenProof one = given_proof(let_through({amount}, 1, ranked, scores), proofs);
      sum.kept += one.kept;
      sum.whole += one.whole;
      ++orders;
    } while (std::ranges::next_permutation(tied).found);
    return std::pair(sum.kept / orders, sum.whole / orders);
  };
  const std::vector<core::StatementId> ranked{0, 6, 5, 4, 3, 2, 1};
  const std::vector<std::vector<Question::Proof>> cases{{{0}},
                                                        {{1}},
                                                        {{7}},
                                                        {{0, 1}},
                                                        {{1, 2}},
                                                        {{0, 7}},
                                                        {{7}, {1, 2}},
                                                        {{99, 1}},
                                                        {{1, 2}, {3}},
                                                        {{1, 2}, {2, 3}},
                                                        {{1}, {1, 2}, {4, 5, 6}}};
  for (const auto& proofs : cases)
    for (const std::size_t amount : {1U, 2U, 3U, 5U, 7U, 9U}) {
      const GivenProof found = expected_proof(let_through({amount}, 1, ranked, scores), scores, proofs);
      const auto [kept, whole] = counted(amount, proofs);
      CAPTURE(amount, proofs);
      CHECK(found.kept == Approx(kept).margin(1e-12));
      CHECK(found.whole == Approx(whole).margin(1e-12));
    }
  CHECK(expected_proof({}, scores, {{0}}).kept == 0);
  CHECK_THROWS_AS(expected_proof({}, scores, {}), std::invalid_argument);
}

TEST_CASE("with many tied proofs the expectation is estimated by sampling", "[experiments][inputs]") {
  // Any one of twenty statements is a proof, and five of forty are selected: 1 - C(20, 5) / C(40, 5).
  const core::Vector scores = core::Vector::Ones(40);
  std::vector<Question::Proof> proofs;
  for (core::StatementId id = 0; id < 20; ++id) proofs.push_back({id});
  const std::vector<core::StatementId> given{30, 31, 32, 33, 34};
  const double none = 15504.0 / 658008.0;
  CHECK(expected_proof(given, scores, proofs).whole == Approx(1 - none).margin(0.01));
  CHECK(expected_proof(given, scores, proofs).whole == expected_proof(given, scores, proofs).whole);
}

TEST_CASE("the order of ties is a permutation that depends on the seed", "[experiments][inputs]") {
  std::vector<core::StatementId> order = order_of_ties(50, 3);
  CHECK(order == order_of_ties(50, 3));
  CHECK(order != order_of_ties(50, 4));
  std::ranges::sort(order);
  for (core::StatementId id = 0; id < 50; ++id) CHECK(order[id] == id);
}
