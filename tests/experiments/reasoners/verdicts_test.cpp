// SPDX-License-Identifier: MIT
#include "experiments/reasoners/verdicts.hpp"

#include "experiments/reasoners/reasoner.hpp"
#include "tests/support/catch.hpp"

using namespace engram::experiments;

namespace {

Answer truly(double frequency, double confidence, const std::string& term = "<a --> c>") {
  return {term, {frequency, confidence}};
}

}  // namespace

TEST_CASE("a verdict compares an answer's term, side, confidence and frequency with the oracle's",
          "[experiments][reasoners]") {
  const Answer oracle = truly(1, 0.8);
  CHECK(verdict_on(std::nullopt, oracle) == Verdict::none);
  CHECK(verdict_on(oracle, oracle) == Verdict::answered);
  CHECK(verdict_on(truly(1, 0.99), oracle) == Verdict::answered);
  CHECK(verdict_on(truly(1, 0.76), oracle) == Verdict::answered);  // 95 % of the oracle's
  CHECK(verdict_on(truly(1, 0.7599), oracle) == Verdict::weaker);
  CHECK(verdict_on(truly(0.95, 0.8), oracle) == Verdict::answered);
  CHECK(verdict_on(truly(0.9499, 0.8), oracle) == Verdict::weaker);
  CHECK(verdict_on(truly(0.5, 0.8), oracle) == Verdict::wrong);
  CHECK(verdict_on(truly(0, 0.8), oracle) == Verdict::wrong);
  CHECK(verdict_on(truly(1, 0.8, "<a --> d>"), oracle) == Verdict::wrong);
  CHECK(verdict_on(truly(0.1, 0.8), truly(0.1, 0.8)) == Verdict::answered);
  CHECK(verdict_on(truly(0.6, 0.8), truly(0.4, 0.8)) == Verdict::wrong);
}

TEST_CASE("support is the expectation of an answer, and one half without an answer",
          "[experiments][reasoners]") {
  CHECK(support(std::nullopt) == 0.5);
  CHECK(support(truly(1, 0.8)) == Approx(0.9));
  CHECK(support(truly(0, 0.8)) == Approx(0.1));
  CHECK(support(truly(0.75, 0.4)) == Approx(0.6));
}

TEST_CASE("best_answer chooses by NAL's choice rule", "[experiments][reasoners]") {
  CHECK(!best_answer({}, false));
  const Answer sure = truly(0, 0.9), likely = truly(1, 0.6, "<a --> b>");
  CHECK(best_answer({likely, sure}, false) == sure);
  CHECK(best_answer({likely, sure}, true) == likely);
  CHECK(best_answer({sure, truly(0.5, 0.9)}, false) == sure);
}
