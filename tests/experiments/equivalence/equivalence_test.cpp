// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "experiments/equivalence/identity.hpp"
#include "experiments/spec/experiment.hpp"
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

TEST_CASE("every identity holds at every size", "[experiments][equivalence]") {
  std::size_t all = 0;
  for (const auto part :
       {attention_identities(), hopfield_identities(), graph_identities(), nal_identities()})
    for (const Identity& identity : part)
      for (const Index size : {1, 2, 3, 5, 12})
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
          CAPTURE(identity.name, size, seed);
          Rng rng(seed, identity.name, static_cast<std::uint64_t>(size));
          const double deviation = identity.deviation(size, rng);
          CHECK(deviation >= 0);
          CHECK(deviation <= equal_within);
          ++all;
        }
  CHECK(all >= 30 * 25);
}

TEST_CASE("every counterexample deviates", "[experiments][equivalence]") {
  for (const auto part : {partings(), nal_partings()})
    for (const Identity& setting : part) {
      CAPTURE(setting.name);
      double largest = 0;
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Rng rng(seed, setting.name);
        largest = std::max(largest, setting.deviation(24, rng));
      }
      CHECK(largest > 1e-4);
    }
}

Json row(const char* identity, const Json& deviation) {
  return {{"trial", 0}, {"seed", 1}, {"identity", identity}, {"size", 2}, {"deviation", deviation}};
}

TEST_CASE("deviations beyond rounding and NaN are reported", "[experiments][equivalence]") {
  const Spec spec = resolve_spec({{"experiment", "equivalence"}, {"seeds", {1}}, {"sizes", {2}}}, "");
  std::vector<Json> rows;
  for (const auto part : {attention_identities(), hopfield_identities(), graph_identities(), nal_identities(),
                          partings(), nal_partings()})
    for (const Identity& identity : part) rows.push_back(row(identity.name, 1e-15));
  const std::string good = spec.experiment->conclude(spec, rows).answer;
  CHECK(good.find("not in") == std::string::npos);
  CHECK(good.find("1.0e-15") != std::string::npos);
  for (const Json& bad : {Json(2e-12), Json("not a number")}) {
    rows[1]["deviation"] = bad;
    const Conclusion conclusion = spec.experiment->conclude(spec, rows);
    CHECK(conclusion.answer.find("not in sparse attention is a sparse hopfield step") != std::string::npos);
    CHECK(conclusion.tables.front().rows[1][3].text == "does not");
    CHECK(conclusion.tables.front().rows[0][3].text == "agrees");
    // The largest deviation counts only identities that hold.
    CHECK(conclusion.answer.find("(largest deviation 1.0e-15)") != std::string::npos);
  }
  // All settings are equal in these rows, so there is no least distance.
  CHECK(good.find("settings that look alike they part.") != std::string::npos);
}

}  // namespace
