// SPDX-License-Identifier: MIT
#include "narsese/truth_value.hpp"

#include <cstring>
#include <limits>

#include "narsese/budget_value.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using engram::narsese::testing::Random;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

TruthValue random_truth(Random& random) {
  // One in eight is an edge: no evidence, all evidence, certainty.
  const auto share = [&] { return random.one_in(8) ? static_cast<double>(random.below(2)) : random.unit(); };
  const double frequency = share();
  return {frequency, share()};
}

bool same_bits(TruthValue a, TruthValue b) {
  return std::memcmp(&a.frequency, &b.frequency, sizeof(double)) == 0 &&
         std::memcmp(&a.confidence, &b.confidence, sizeof(double)) == 0;
}

bool in_unit_interval(double x) { return x >= 0 && x <= 1; }  // false for NaN

}  // namespace

TEST_CASE("defaults are those of ONA, OpenNARS and PyNARS", "[narsese][truth_value]") {
  CHECK(TruthValue{} == TruthValue{1.0, 0.9});
  CHECK(BudgetValue{} == BudgetValue{0.8, 0.5, 0.95});
  CHECK_FALSE(TruthValue{1.0, 0.9} == TruthValue{1.0, 0.8});
  CHECK_FALSE(TruthValue{1.0, 0.9} == TruthValue{0.9, 0.9});
}

TEST_CASE("confidence one half is one piece of evidence", "[narsese][truth_value]") {
  const Evidence evidence = to_evidence({0.25, 0.5});
  CHECK(evidence.total == 1.0);  // k = 1
  CHECK(evidence.positive == 0.25);
}

TEST_CASE("confidence above 0.99 counts as 0.99", "[narsese][truth_value]") {
  for (const double confidence : {0.99, 0.995, 1.0}) {
    const Evidence evidence = to_evidence({1.0, confidence});
    CHECK(evidence.total == Approx(99.0).epsilon(1e-12));  // 1 - 0.99 is not exact in binary
    CHECK(to_truth(evidence).confidence == Approx(0.99).epsilon(1e-15));
  }
  CHECK(to_evidence({1.0, 0.98}).total < to_evidence({1.0, 0.99}).total);
}

TEST_CASE("no evidence is frequency one half with confidence zero", "[narsese][truth_value]") {
  CHECK(to_truth({0, 0}) == TruthValue{0.5, 0.0});
  CHECK(to_evidence({0.7, 0.0}).total == 0.0);
  CHECK(revise({0.7, 0.0}, {0.2, 0.0}) == TruthValue{0.5, 0.0});
}

TEST_CASE("revision adds evidence: known values", "[narsese][truth_value]") {
  // w = 9 + 9, c = 18/19
  const TruthValue twice = revise({1.0, 0.9}, {1.0, 0.9});
  CHECK(twice.frequency == Approx(1.0).epsilon(4 * epsilon));
  CHECK(twice.confidence == Approx(18.0 / 19.0).epsilon(1e-14));  // 1 - 0.9 is not exact in binary
  // w = 1 + 1, w+ = 1 + 0
  CHECK(revise({1.0, 0.5}, {0.0, 0.5}) == TruthValue{0.5, 2.0 / 3.0});
  // w = 9 + 1, w+ = 9 + 0
  const TruthValue mostly = revise({1.0, 0.9}, {0.0, 0.5});
  CHECK(mostly.frequency == Approx(0.9).epsilon(1e-14));
  CHECK(mostly.confidence == Approx(10.0 / 11.0).epsilon(1e-14));
}

TEST_CASE("revision with no evidence changes nothing", "[narsese][truth_value]") {
  const TruthValue revised = revise({0.3, 0.6}, {0.9, 0.0});
  CHECK(revised.frequency == Approx(0.3).epsilon(4 * epsilon));
  CHECK(revised.confidence == Approx(0.6).epsilon(4 * epsilon));
}

TEST_CASE("revision is commutative to the last bit", "[narsese][truth_value]") {
  Random random(1);
  std::size_t different = 0;
  for (int i = 0; i < 100000; ++i) {
    const TruthValue a = random_truth(random), b = random_truth(random);
    different += !same_bits(revise(a, b), revise(b, a));
  }
  CHECK(different == 0);
}

TEST_CASE("revision stays between its arguments and gains confidence", "[narsese][truth_value]") {
  Random random(2);
  std::size_t outside = 0, less_confident = 0;
  for (int i = 0; i < 100000; ++i) {
    const TruthValue a = random_truth(random), b = random_truth(random), r = revise(a, b);
    if (a.confidence > 0 && b.confidence > 0) {
      // Products, a sum and a quotient are each rounded once: a few epsilon of the larger frequency.
      const double low = std::min(a.frequency, b.frequency), high = std::max(a.frequency, b.frequency);
      outside += r.frequency < low - 4 * epsilon || r.frequency > high + 4 * epsilon;
    }
    const double most = std::min(std::max(a.confidence, b.confidence), max_confidence);
    less_confident += r.confidence < most - 4 * epsilon;
    outside += !in_unit_interval(r.frequency) || !in_unit_interval(r.confidence);
  }
  CHECK(outside == 0);
  CHECK(less_confident == 0);
}

TEST_CASE("truth values survive the way to evidence and back", "[narsese][truth_value]") {
  // w carries 1.5 epsilon of relative error from 1-c and the quotient, c = w/(w+1) damps it by w/(1+w)^2 <=
  // 1/4 and rounds twice; f w / w rounds twice. So 4 epsilon is ample.
  Random random(3);
  double worst = 0;
  for (int i = 0; i < 100000; ++i) {
    const TruthValue truth{random.unit(), 1e-9 + random.unit() * (max_confidence - 1e-9)};
    const TruthValue back = to_truth(to_evidence(truth));
    worst = std::max(
        {worst, std::abs(back.frequency - truth.frequency), std::abs(back.confidence - truth.confidence)});
  }
  CHECK(worst <= 4 * epsilon);
  CHECK(worst >= 0);  // not NaN
}

TEST_CASE("evidence survives the way to truth and back", "[narsese][truth_value]") {
  // dw = (1+w)^2 dc: up to w = 50 the rounding of c is magnified 2601 times.
  Random random(4);
  double worst = 0;
  for (int i = 0; i < 100000; ++i) {
    const double total = 50 * random.unit() + 1e-6;
    const Evidence back = to_evidence(to_truth({total * random.unit(), total}));
    worst = std::max(worst, std::abs(back.total - total));
  }
  CHECK(worst <= 2601 * 4 * epsilon);
}

TEST_CASE("expectation moves from one half to the frequency as confidence grows", "[narsese][truth_value]") {
  CHECK(expectation({1.0, 0.0}) == 0.5);
  CHECK(expectation({1.0, 0.9}) == Approx(0.95).epsilon(epsilon));
  CHECK(expectation({0.0, 0.9}) == Approx(0.05).epsilon(4 * epsilon));
  CHECK(expectation({0.25, 1.0}) == 0.25);
  CHECK(expectation({0.5, 0.7}) == 0.5);
  Random random(5);
  std::size_t outside = 0;
  for (int i = 0; i < 100000; ++i) outside += !in_unit_interval(expectation(random_truth(random)));
  CHECK(outside == 0);
}
