// SPDX-License-Identifier: MIT
#include "narsese/truth.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "narsese/sentence.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using engram::narsese::testing::Random;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

TruthValue random_truth(Random& random) {
  // One number in eight is 0 or 1, to test truth values without evidence, with evidence of one kind, and with
  // certainty.
  const auto share = [&] { return random.one_in(8) ? static_cast<double>(random.below(2)) : random.unit(); };
  const double frequency = share();
  return {frequency, share()};
}

bool same_bits(TruthValue a, TruthValue b) {
  return std::memcmp(&a.frequency, &b.frequency, sizeof(double)) == 0 &&
         std::memcmp(&a.confidence, &b.confidence, sizeof(double)) == 0;
}

bool in_unit_interval(double x) { return x >= 0 && x <= 1; }  // false for NaN
bool in_range(TruthValue truth) {
  return in_unit_interval(truth.frequency) && in_unit_interval(truth.confidence);
}

}  // namespace

TEST_CASE("defaults are those of ONA, OpenNARS and PyNARS", "[narsese][truth_value]") {
  CHECK(TruthValue{} == TruthValue{1.0, 0.9});
  CHECK(BudgetValue{} == BudgetValue{0.8, 0.5, 0.95});
  CHECK_FALSE(TruthValue{1.0, 0.9} == TruthValue{1.0, 0.8});
  CHECK_FALSE(TruthValue{1.0, 0.9} == TruthValue{0.9, 0.9});
}

TEST_CASE("confidence 1/2 is one unit of evidence", "[narsese][truth_value]") {
  const Evidence evidence = to_evidence({0.25, 0.5});
  CHECK(evidence.total == 1.0);  // k = 1
  CHECK(evidence.positive == 0.25);
}

TEST_CASE("confidence is capped at 0.99", "[narsese][truth_value]") {
  for (const double confidence : {0.99, 0.995, 1.0}) {
    const Evidence evidence = to_evidence({1.0, confidence});
    CHECK(evidence.total == Approx(99.0).epsilon(1e-12));  // 1 - 0.99 is inexact in binary
    CHECK(to_truth(evidence).confidence == Approx(0.99).epsilon(1e-15));
  }
  CHECK(to_evidence({1.0, 0.98}).total < to_evidence({1.0, 0.99}).total);
}

TEST_CASE("no evidence gives frequency 1/2 and confidence 0", "[narsese][truth_value]") {
  CHECK(to_truth({0, 0}) == TruthValue{0.5, 0.0});
  CHECK(to_evidence({0.7, 0.0}).total == 0.0);
  CHECK(revise({0.7, 0.0}, {0.2, 0.0}) == TruthValue{0.5, 0.0});
}

TEST_CASE("revision adds evidence", "[narsese][truth_value]") {
  // The evidence is w = 9 + 9, so c = 18/19.
  const TruthValue twice = revise({1.0, 0.9}, {1.0, 0.9});
  CHECK(twice.frequency == Approx(1.0).epsilon(4 * epsilon));
  CHECK(twice.confidence == Approx(18.0 / 19.0).epsilon(1e-14));  // 1 - 0.9 is inexact in binary
  // The evidence is w = 1 + 1, and the positive evidence w+ = 1 + 0.
  CHECK(revise({1.0, 0.5}, {0.0, 0.5}) == TruthValue{0.5, 2.0 / 3.0});
  // The evidence is w = 9 + 1, and the positive evidence w+ = 9 + 0.
  const TruthValue mostly = revise({1.0, 0.9}, {0.0, 0.5});
  CHECK(mostly.frequency == Approx(0.9).epsilon(1e-14));
  CHECK(mostly.confidence == Approx(10.0 / 11.0).epsilon(1e-14));
}

TEST_CASE("revision with no evidence is the identity", "[narsese][truth_value]") {
  const TruthValue revised = revise({0.3, 0.6}, {0.9, 0.0});
  CHECK(revised.frequency == Approx(0.3).epsilon(4 * epsilon));
  CHECK(revised.confidence == Approx(0.6).epsilon(4 * epsilon));
}

TEST_CASE("revision is bitwise commutative", "[narsese][truth_value]") {
  Random random(1);
  std::size_t different = 0;
  for (int i = 0; i < 100000; ++i) {
    const TruthValue a = random_truth(random), b = random_truth(random);
    different += !same_bits(revise(a, b), revise(b, a));
  }
  CHECK(different == 0);
}

TEST_CASE("revision lies between its arguments and gains confidence", "[narsese][truth_value]") {
  Random random(2);
  std::size_t outside = 0, less_confident = 0;
  for (int i = 0; i < 100000; ++i) {
    const TruthValue a = random_truth(random), b = random_truth(random), r = revise(a, b);
    if (a.confidence > 0 && b.confidence > 0) {
      // Each product, sum and quotient rounds once, so the result may leave the range by a few epsilon of the larger
      // frequency.
      const double low = std::min(a.frequency, b.frequency), high = std::max(a.frequency, b.frequency);
      outside += r.frequency < low - 4 * epsilon || r.frequency > high + 4 * epsilon;
    }
    const double most = std::min(std::max(a.confidence, b.confidence), max_confidence);
    less_confident += r.confidence < most - 4 * epsilon;
    outside += !in_range(r);
  }
  CHECK(outside == 0);
  CHECK(less_confident == 0);
}

TEST_CASE("truth values survive conversion to evidence and back", "[narsese][truth_value]") {
  // The evidence w has a relative error of 1.5 epsilon from 1-c and the quotient. The confidence c = w/(w+1) scales the
  // error by w/(1+w)^2 <= 1/4 and rounds twice. The frequency f w / w rounds twice. 4 epsilon is ample.
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

TEST_CASE("evidence survives conversion to truth and back", "[narsese][truth_value]") {
  // The error of w is dw = (1+w)^2 dc, so up to w = 50 the rounding of c is magnified 2601 times.
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

namespace engram::narsese::truth_functions_tests {
namespace {

using Number = long double;

// The result of a definition: a truth value, or amounts of evidence.
struct Expected {
  Number frequency, confidence;
  bool any_frequency = false;  // without evidence the frequency is undefined
};

Expected exact(Number frequency, Number confidence) { return {frequency, confidence}; }
Expected of_evidence(Number positive, Number total) {
  if (total == 0) return {0, 0, true};
  return {positive / total, total / (total + 1)};
}

// The numbers of both premises, and terms that several definitions share.
struct Given {
  Number f1, c1, f2, c2;
  Number both() const { return c1 * c2; }
  Number either() const { return f1 + f2 - f1 * f2; }
};

struct OfTwo {
  const char* name;
  TruthValue (*function)(TruthValue, TruthValue);
  Expected (*definition)(const Given&);
};

struct OfOne {
  const char* name;
  TruthValue (*function)(TruthValue);
  Expected (*definition)(Number f, Number c);
};

constexpr Number reliance = 0.9L;

const OfTwo of_two[] = {
    {"deduction", deduction, [](const Given& g) { return exact(g.f1 * g.f2, g.f1 * g.f2 * g.both()); }},
    {"abduction", abduction,
     [](const Given& g) { return of_evidence(g.f1 * g.f2 * g.both(), g.f1 * g.both()); }},
    {"induction", induction,
     [](const Given& g) { return of_evidence(g.f1 * g.f2 * g.both(), g.f2 * g.both()); }},
    {"exemplification", exemplification,
     [](const Given& g) { return of_evidence(g.f1 * g.f2 * g.both(), g.f1 * g.f2 * g.both()); }},
    {"comparison", comparison,
     [](const Given& g) { return of_evidence(g.f1 * g.f2 * g.both(), g.either() * g.both()); }},
    {"analogy", analogy, [](const Given& g) { return exact(g.f1 * g.f2, g.f2 * g.both()); }},
    {"resemblance", resemblance, [](const Given& g) { return exact(g.f1 * g.f2, g.either() * g.both()); }},
    {"intersection", intersection, [](const Given& g) { return exact(g.f1 * g.f2, g.both()); }},
    {"set_union", set_union, [](const Given& g) { return exact(g.either(), g.both()); }},
    {"difference", difference, [](const Given& g) { return exact(g.f1 - g.f1 * g.f2, g.both()); }},
    // Decompositions conclude about one part of a compound, as far as the other part cannot explain the compound's
    // truth.
    {"reduced_conjunction", reduced_conjunction,
     [](const Given& g) {
       const Number fails = g.f2 - g.f1 * g.f2;
       return exact(1 - fails, fails * g.both());
     }},
    {"reduced_disjunction", reduced_disjunction,
     [](const Given& g) {
       const Number holds = g.f1 - g.f1 * g.f2;
       return exact(holds, holds * g.both());
     }},
    {"reduced_difference", reduced_difference,
     [](const Given& g) {
       const Number holds = g.f2 - g.f1 * g.f2;
       return exact(holds, holds * g.both());
     }},
    {"reduced_remainder", reduced_remainder,
     [](const Given& g) {
       const Number fails = 1 - g.either();
       return exact(1 - fails, fails * g.both());
     }},
    {"anonymous_analogy", anonymous_analogy,
     [](const Given& g) { return exact(g.f1 * g.f2, g.f1 * g.c2 * g.c1 / (g.c1 + 1)); }},
    {"desire_deduction", desire_deduction, [](const Given& g) { return exact(g.f1 * g.f2, g.both()); }},
    {"desire_induction", desire_induction,
     [](const Given& g) { return of_evidence(g.f1 * g.f2 * g.both(), g.f1 * g.both()); }},
    {"desire_strong", desire_strong, [](const Given& g) { return exact(g.f1 * g.f2, g.f2 * g.both()); }},
};

const OfOne of_one[] = {
    {"identity", identity, [](Number f, Number c) { return exact(f, c); }},
    {"negation", negation, [](Number f, Number c) { return exact(1 - f, c); }},
    {"conversion", conversion, [](Number f, Number c) { return of_evidence(f * c, f * c); }},
    {"contraposition", contraposition, [](Number f, Number c) { return of_evidence(0, c - f * c); }},
    {"sure_deduction", sure_deduction, [](Number f, Number c) { return exact(f, f * c); }},
    {"sure_abduction", sure_abduction, [](Number f, Number c) { return of_evidence(f * c, c); }},
    {"structural_deduction", structural_deduction,
     [](Number f, Number c) { return exact(f, f * c * reliance); }},
    {"structural_exclusion", structural_exclusion,
     [](Number f, Number c) { return exact(1 - f, f * c * reliance); }},
    {"structural_similarity", structural_similarity,
     [](Number f, Number c) { return exact(f, f * f * c * reliance); }},
    {"eternalization", eternalization, [](Number f, Number c) { return of_evidence(f * c, c); }},
};

constexpr std::array frequencies{0.0, 0.1, 0.5, 0.9, 1.0};
constexpr std::array confidences{0.1, 0.5, 0.9, 0.99};

std::vector<TruthValue> grid() {
  std::vector<TruthValue> all;
  for (const double f : frequencies)
    for (const double c : confidences) all.push_back({f, c});
  return all;
}

bool agree(TruthValue got, const Expected& wanted) {
  // The comparisons are false for NaN, so NaN does not agree with any number.
  return (wanted.any_frequency || std::abs(got.frequency - wanted.frequency) <= 1e-12L) &&
         std::abs(got.confidence - wanted.confidence) <= 1e-12L;
}

// A truth value as systems print it.
std::string two_digits(TruthValue truth) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f %.2f", truth.frequency, truth.confidence);
  return text;
}

}  // namespace

TEST_CASE("truth functions of two premises match their definitions", "[narsese][truth_functions]") {
  for (const OfTwo& one : of_two) {
    INFO(one.name);
    std::size_t wrong = 0, outside = 0;
    for (const TruthValue a : grid())
      for (const TruthValue b : grid()) {
        const TruthValue got = one.function(a, b);
        wrong += !agree(got, one.definition({a.frequency, a.confidence, b.frequency, b.confidence}));
        outside += !in_range(got);
      }
    CHECK(wrong == 0);
    CHECK(outside == 0);
  }
}

TEST_CASE("truth functions of one premise match their definitions", "[narsese][truth_functions]") {
  for (const OfOne& one : of_one) {
    INFO(one.name);
    std::size_t wrong = 0, outside = 0;
    for (const TruthValue a : grid()) {
      const TruthValue got = one.function(a);
      wrong += !agree(got, one.definition(a.frequency, a.confidence));
      outside += !in_range(got);
    }
    CHECK(wrong == 0);
    CHECK(outside == 0);
  }
}

TEST_CASE("truth functions stay in range for certain and empty premises", "[narsese][truth_functions]") {
  for (const OfTwo& one : of_two) {
    INFO(one.name);
    for (const double f1 : {0.0, 1.0})
      for (const double c1 : {0.0, 1.0})
        for (const double f2 : {0.0, 1.0})
          for (const double c2 : {0.0, 1.0}) CHECK(in_range(one.function({f1, c1}, {f2, c2})));
  }
}

TEST_CASE("truth functions give the values that systems print", "[narsese][truth_functions]") {
  const TruthValue sure{1, 0.9};
  CHECK(two_digits(deduction(sure, sure)) == "1.00 0.81");
  CHECK(two_digits(abduction(sure, sure)) == "1.00 0.45");
  CHECK(two_digits(induction(sure, sure)) == "1.00 0.45");
  CHECK(two_digits(exemplification(sure, sure)) == "1.00 0.45");
  CHECK(two_digits(comparison(sure, sure)) == "1.00 0.45");
  CHECK(comparison(sure, sure).confidence == Approx(0.4475).margin(5e-5));
  CHECK(two_digits(analogy(sure, sure)) == "1.00 0.81");
  CHECK(two_digits(conversion(sure)) == "1.00 0.47");
  CHECK(two_digits(contraposition({0.1, 0.9})) == "0.00 0.45");
  CHECK(two_digits(reduced_conjunction({0, 0.9}, sure)) == "0.00 0.81");
  CHECK(two_digits(reduced_disjunction(sure, {0, 0.9})) == "1.00 0.81");
  CHECK(two_digits(anonymous_analogy(sure, {0.9, 0.9})) == "0.90 0.43");
  CHECK(two_digits(structural_deduction({0.9, 0.9})) == "0.90 0.73");
}

TEST_CASE("premises of truth functions are not exchanged", "[narsese][truth_functions]") {
  // The expected digits were computed by hand.
  const TruthValue often{0.9, 0.9}, rarely{0.2, 0.8};
  CHECK(two_digits(abduction(often, rarely)) == "0.20 0.39");  // the evidence w is .648
  CHECK(two_digits(induction(often, rarely)) == "0.90 0.13");  // the evidence w is .144
  CHECK(two_digits(analogy(often, rarely)) == "0.18 0.14");
  CHECK(two_digits(difference(often, rarely)) == "0.72 0.72");
  CHECK(two_digits(reduced_difference(rarely, often)) == "0.72 0.52");
  CHECK(two_digits(reduced_remainder({0, 0.9}, {0, 0.9})) == "0.00 0.81");
}

TEST_CASE("a comparison of two frequencies of 0 has no evidence", "[narsese][truth_functions]") {
  CHECK(comparison({0, 0.9}, {0, 0.9}) == TruthValue{0, 0});
}

TEST_CASE("either and confidence_of match known values", "[narsese][truth_functions]") {
  CHECK(either(0.5, 0.5) == 0.75);
  CHECK(either(0, 0.25) == 0.25);
  CHECK(either(1, 0.25) == 1);
  CHECK(confidence_of(0) == 0);
  CHECK(confidence_of(1) == 0.5);
  CHECK(confidence_of(9) == Approx(0.9).epsilon(1e-15));
}

}  // namespace engram::narsese::truth_functions_tests
