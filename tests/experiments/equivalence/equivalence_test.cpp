// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/equivalence/equivalence.hpp"
#include "tests/support/catch.hpp"

using namespace engram::experiments;
using namespace engram::experiments::equivalence;
using engram::core::Index;
using engram::core::Matrix;
using engram::core::Rng;
using engram::core::Vector;

namespace {

TEST_CASE("a deviation is relative above 1, absolute below, and NaN for non-finite values",
          "[experiments][equivalence]") {
  CHECK(deviation_of(1.0, 1.0) == 0);
  CHECK(deviation_of(0.25, 0.5) == 0.25);
  CHECK(deviation_of(100.0, 101.0) == 1.0 / 101);
  CHECK(std::isnan(deviation_of(std::nan(""), 1.0)));
  CHECK(std::isnan(
      deviation_of(std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity())));
  CHECK(deviation_of(Vector{{1, 2, 3}}, Vector{{1, 2.5, 3}}) == 0.5 / 3);
  CHECK_THROWS_AS(deviation_of(Vector::Zero(2).eval(), Vector::Zero(3).eval()), std::invalid_argument);
}

TEST_CASE("every identity holds, and every counterexample differs", "[experiments][equivalence]") {
  std::size_t identities = 0;
  for (const Claim& claim : all_claims()) {
    CAPTURE(claim.name);
    if (claim.sides == Sides::equal) {
      ++identities;
      for (const Index size : {1, 2, 3, 5, 12})
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
          CAPTURE(size, seed);
          Rng rng(seed, claim.name, static_cast<std::uint64_t>(size));
          const double deviation = claim.deviation(size, rng);
          CHECK(deviation >= 0);
          CHECK(deviation <= equal_within);
        }
    } else {
      double largest = 0;
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Rng rng(seed, claim.name);
        largest = std::max(largest, claim.deviation(24, rng));
      }
      CHECK(largest > 1e-4);
    }
  }
  CHECK(identities >= 30);
}

TEST_CASE("the answer and the table name an identity that does not hold", "[experiments][equivalence]") {
  const Spec spec = resolve_spec({{"experiment", "equivalence"}, {"seeds", {1}}, {"sizes", {2}}}, "");
  std::vector<Json> rows;
  for (const Claim& claim : all_claims())
    rows.push_back({{"trial", 0}, {"seed", 1}, {"identity", claim.name}, {"size", 2}, {"deviation", 1e-15}});
  const std::string good = spec.experiment->conclude(spec, rows).answer;
  CHECK(good.find("do not hold") == std::string::npos);
  CHECK(good.find("1.0e-15") != std::string::npos);
  // In these rows both sides of each counterexample deviate by only 1e-15, so no smallest difference is reported.
  CHECK(good.ends_with("Both sides differ in 0 of 18 counterexamples."));
  for (const Json& bad : {Json(2e-12), Json("not a number")}) {
    rows[1]["deviation"] = bad;
    const Conclusion conclusion = spec.experiment->conclude(spec, rows);
    CHECK(conclusion.answer.find("these do not hold: sparse attention is a sparse hopfield step.") !=
          std::string::npos);
    CHECK(conclusion.tables.front().rows[1][3].text == "differs");
    CHECK(conclusion.tables.front().rows[0][3].text == "agrees");
    // The largest deviation is computed over the identities that hold.
    CHECK(conclusion.answer.find("(largest deviation 1.0e-15)") != std::string::npos);
  }
}

TEST_CASE("the table has the largest deviation of an identity and the size of that case",
          "[experiments][equivalence]") {
  const Spec spec = resolve_spec({{"experiment", "equivalence"}, {"seeds", {1}}, {"sizes", {2, 3, 4}}}, "");
  std::vector<Json> rows;
  for (const Claim& claim : all_claims())
    for (const auto& [size, deviation] : {std::pair(2, 1e-15), std::pair(3, 4e-13), std::pair(4, 2e-14)})
      rows.push_back(
          {{"trial", 0}, {"seed", 1}, {"identity", claim.name}, {"size", size}, {"deviation", deviation}});
  const Conclusion conclusion = spec.experiment->conclude(spec, rows);
  const auto identities = std::ranges::find(conclusion.tables, "identities", &Table::name);
  REQUIRE(identities != conclusion.tables.end());
  const std::vector<Cell>& first = identities->rows.front();
  REQUIRE(first.size() == 7);
  CHECK(first[3].text == "4.0e-13");
  CHECK(first[4].text == "3");
  CHECK(first[5].text == "agrees");
}

}  // namespace
