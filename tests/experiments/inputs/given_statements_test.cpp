// SPDX-License-Identifier: MIT
#include "experiments/inputs/given_statements.hpp"

#include <algorithm>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace engram;
using namespace engram::experiments;

TEST_CASE("a gate lets as many through as it has room for, and no worse than its share",
          "[experiments][inputs]") {
  core::Vector scores(5);
  scores << 0.1, 1, 0, 0.5, 0.4;
  const std::vector<core::StatementId> ranked{1, 3, 4, 0};  // 2 scores nothing
  const auto given = [&](const Gate& gate, std::size_t needed) {
    const auto span = let_through(gate, needed, ranked, scores);
    return std::vector<core::StatementId>(span.begin(), span.end());
  };
  CHECK(given({3}, 1) == std::vector<core::StatementId>{1, 3, 4});
  CHECK(given({9}, 1) == ranked);
  CHECK(given({2, true}, 1) == std::vector<core::StatementId>{1, 3});
  CHECK(given({2, true}, 0).empty());
  CHECK(given({9, false, 0.5}, 1) == std::vector<core::StatementId>{1, 3});  // half of the best is enough
  CHECK(given({9, false, 1}, 1) == std::vector<core::StatementId>{1});
  CHECK(Gate{18}.name() == "18");
  CHECK(Gate{3, true}.name() == "3x");
  CHECK(Gate{18, false, 0.3}.name() == "18 above 0.3");
}

TEST_CASE("a proof is given whole where one of those that are known is", "[experiments][inputs]") {
  const std::vector<Question::Proof> proofs{{1, 2}, {3}};
  const auto measured = [&](std::vector<core::StatementId> given) {
    const GivenProof proof = given_proof(given, proofs);
    return std::pair(proof.kept, proof.whole);
  };
  CHECK(measured({}) == std::pair(0.0, false));
  CHECK(measured({1, 4}) == std::pair(0.5, false));
  CHECK(measured({2, 1}) == std::pair(1.0, true));
  CHECK(measured({3}) == std::pair(0.0, true));
  CHECK_THROWS_AS(given_proof({}, {}), std::invalid_argument);
}

TEST_CASE("the order of ties holds each statement once, and is the seed's", "[experiments][inputs]") {
  std::vector<core::StatementId> order = order_of_ties(50, 3);
  CHECK(order == order_of_ties(50, 3));
  CHECK(order != order_of_ties(50, 4));
  std::ranges::sort(order);
  for (core::StatementId id = 0; id < 50; ++id) CHECK(order[id] == id);
}
