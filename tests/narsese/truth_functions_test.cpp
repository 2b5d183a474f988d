// SPDX-License-Identifier: MIT
#include "narsese/truth_functions.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace engram::narsese::truth_functions_tests {
namespace {

using Number = long double;

// What the definitions give: a truth value, or amounts of evidence.
struct Expected {
  Number frequency, confidence;
  bool any_frequency = false;  // where there is no evidence, its share is not defined
};

Expected exact(Number frequency, Number confidence) { return {frequency, confidence}; }
Expected of_evidence(Number positive, Number total) {
  if (total == 0) return {0, 0, true};
  return {positive / total, total / (total + 1)};
}

// Both premises and what the definitions are made of.
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
    // What is taken apart holds in so far as its other part cannot be what decides.
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
  // Not as a difference that is too large: NaN must not pass.
  return (wanted.any_frequency || std::abs(got.frequency - wanted.frequency) <= 1e-12L) &&
         std::abs(got.confidence - wanted.confidence) <= 1e-12L;
}

bool in_range(TruthValue truth) {
  return truth.frequency >= 0 && truth.frequency <= 1 && truth.confidence >= 0 && truth.confidence <= 1;
}

// As systems print it.
std::string two_digits(TruthValue truth) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f %.2f", truth.frequency, truth.confidence);
  return text;
}

}  // namespace

TEST_CASE("truth functions of two premises follow their definitions", "[narsese][truth_functions]") {
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

TEST_CASE("truth functions of one premise follow their definitions", "[narsese][truth_functions]") {
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

TEST_CASE("truth functions stay in range where premises are certain or empty", "[narsese][truth_functions]") {
  for (const OfTwo& one : of_two) {
    INFO(one.name);
    for (const double f1 : {0.0, 1.0})
      for (const double c1 : {0.0, 1.0})
        for (const double f2 : {0.0, 1.0})
          for (const double c2 : {0.0, 1.0}) CHECK(in_range(one.function({f1, c1}, {f2, c2})));
  }
}

TEST_CASE("truth functions give what systems print", "[narsese][truth_functions]") {
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

TEST_CASE("a truth function's premises are not exchanged", "[narsese][truth_functions]") {
  // Digits worked out by hand, of premises that differ.
  const TruthValue often{0.9, 0.9}, rarely{0.2, 0.8};
  CHECK(two_digits(abduction(often, rarely)) == "0.20 0.39");  // w = .648
  CHECK(two_digits(induction(often, rarely)) == "0.90 0.13");  // w = .144
  CHECK(two_digits(analogy(often, rarely)) == "0.18 0.14");
  CHECK(two_digits(difference(often, rarely)) == "0.72 0.72");
  CHECK(two_digits(reduced_difference(rarely, often)) == "0.72 0.52");
  CHECK(two_digits(reduced_remainder({0, 0.9}, {0, 0.9})) == "0.00 0.81");
}

TEST_CASE("a comparison of what never holds has no evidence", "[narsese][truth_functions]") {
  CHECK(comparison({0, 0.9}, {0, 0.9}) == TruthValue{0, 0});
}

TEST_CASE("or and the confidence of evidence", "[narsese][truth_functions]") {
  CHECK(either(0.5, 0.5) == 0.75);
  CHECK(either(0, 0.25) == 0.25);
  CHECK(either(1, 0.25) == 1);
  CHECK(confidence_of(0) == 0);
  CHECK(confidence_of(1) == 0.5);
  CHECK(confidence_of(9) == Approx(0.9).epsilon(1e-15));
}

}  // namespace engram::narsese::truth_functions_tests
