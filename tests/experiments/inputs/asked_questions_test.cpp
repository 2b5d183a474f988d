// SPDX-License-Identifier: MIT
#include "experiments/inputs/asked_questions.hpp"

#include <algorithm>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::experiments;

TEST_CASE("a gate selects at most its capacity and nothing below its share of the best",
          "[experiments][inputs]") {
  core::Vector scores(5);
  scores << 0.1, 1, 0, 0.5, 0.4;
  const std::vector<core::StatementId> ranked{1, 3, 4, 0};  // without statement 2, which has score 0
  const auto given = [&](const Gate& gate, std::size_t needed) {
    const auto span = selected_statements(gate, needed, ranked, scores);
    return std::vector<core::StatementId>(span.begin(), span.end());
  };
  CHECK(given({3}, 1) == std::vector<core::StatementId>{1, 3, 4});
  CHECK(given({9}, 1) == ranked);
  CHECK(given({2, true}, 1) == std::vector<core::StatementId>{1, 3});
  CHECK(given({2, true}, 0).empty());
  // Statements with at least half of the best score.
  CHECK(given({9, false, 0.5}, 1) == std::vector<core::StatementId>{1, 3});
  CHECK(given({9, false, 1}, 1) == std::vector<core::StatementId>{1});
  CHECK(Gate{18}.name() == "18");
  CHECK(Gate{3, true}.name() == "3x");
  CHECK(Gate{18, false, 0.3}.name() == "18 above 0.3");
}

TEST_CASE("a proof counts as whole if one of the known proofs is selected completely",
          "[experiments][inputs]") {
  const std::vector<Question::Proof> proofs{{1, 2}, {3}};
  const auto measured = [&](std::vector<core::StatementId> given) {
    const ProofCoverage proof = proof_coverage(given, proofs);
    return std::pair(proof.kept, proof.whole);
  };
  CHECK(measured({}) == std::pair(0.0, 0.0));
  CHECK(measured({1, 4}) == std::pair(0.5, 0.0));
  CHECK(measured({2, 1}) == std::pair(1.0, 1.0));
  CHECK(measured({3}) == std::pair(0.0, 1.0));
  CHECK_THROWS_AS(proof_coverage({}, {}), std::invalid_argument);
}

TEST_CASE("with tied scores the selected part of a proof is an expectation over all orders",
          "[experiments][inputs]") {
  // The reference takes the mean over all orders of the ties. Statement 0 ranks above six tied statements, and
  // statement 7 has score 0.
  core::Vector scores(8);
  scores << 2, 1, 1, 1, 1, 1, 1, 0;
  std::vector<core::StatementId> tied{1, 2, 3, 4, 5, 6};
  const auto counted = [&](std::size_t amount, const std::vector<Question::Proof>& proofs) {
    std::ranges::sort(tied);
    ProofCoverage sum;
    double orders = 0;
    do {
      std::vector<core::StatementId> ranked{0};
      ranked.insert(ranked.end(), tied.begin(), tied.end());
      const ProofCoverage one = proof_coverage(selected_statements({amount}, 1, ranked, scores), proofs);
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
      const ProofCoverage found =
          expected_coverage(selected_statements({amount}, 1, ranked, scores), scores, proofs);
      const auto [kept, whole] = counted(amount, proofs);
      CAPTURE(amount, proofs);
      CHECK(found.kept == Approx(kept).margin(1e-12));
      CHECK(found.whole == Approx(whole).margin(1e-12));
    }
  CHECK(expected_coverage({}, scores, {{0}}).kept == 0);
  CHECK_THROWS_AS(expected_coverage({}, scores, {}), std::invalid_argument);
}

TEST_CASE("with many tied proofs the expectation is estimated by sampling", "[experiments][inputs]") {
  // All 20 statements are proofs of one statement, and 5 of 40 tied statements are selected. The selection contains a
  // proof with probability 1 - C(20, 5) / C(40, 5).
  const core::Vector scores = core::Vector::Ones(40);
  std::vector<Question::Proof> proofs;
  for (core::StatementId id = 0; id < 20; ++id) proofs.push_back({id});
  const std::vector<core::StatementId> given{30, 31, 32, 33, 34};
  const double none = 15504.0 / 658008.0;
  CHECK(expected_coverage(given, scores, proofs).whole == Approx(1 - none).margin(0.01));
  CHECK(expected_coverage(given, scores, proofs).whole == expected_coverage(given, scores, proofs).whole);
}

TEST_CASE("the order of ties is a permutation that depends on the seed", "[experiments][inputs]") {
  std::vector<core::StatementId> order = order_of_ties(50, 3);
  CHECK(order == order_of_ties(50, 3));
  CHECK(order != order_of_ties(50, 4));
  std::ranges::sort(order);
  for (core::StatementId id = 0; id < 50; ++id) CHECK(order[id] == id);
}
