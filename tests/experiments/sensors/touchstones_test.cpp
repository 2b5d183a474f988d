// SPDX-License-Identifier: MIT
#include "experiments/sensors/touchstones.hpp"

#include <algorithm>
#include <stdexcept>

#include "tests/support/catch.hpp"

namespace engram::experiments::sensors {
namespace {

std::unique_ptr<Conditioner> trained(const std::string& theory, std::string_view design) {
  const auto found = std::ranges::find(theories(), theory, &Theory::name);
  REQUIRE(found != theories().end());
  std::unique_ptr<Conditioner> learner = found->make();
  train(*learner, design);
  return learner;
}
double response(const std::string& theory, std::string_view design, std::string_view stimuli) {
  return trained(theory, design)->response(stimuli);
}
// Strength of a phenomenon in a theory: the difference between the responses of group and control. It is positive
// if it has the same direction as in animals.
double difference(const std::string& theory, const std::string& name) {
  const auto found = std::ranges::find(touchstones(), name, &Touchstone::name);
  REQUIRE(found != touchstones().end());
  const double group = response(theory, found->design, found->tested);
  const double control = response(theory, found->control_design, found->control_tested);
  return found->stronger ? group - control : control - group;
}

TEST_CASE("the theories compute what their equations give by hand", "[experiments][sensors]") {
  // Computed by hand for Rescorla and Wagner: V is 0.2 after one trial and 0.2 + 0.2 (1 - 0.2) = 0.36 after two. In a compound,
  // both stimuli share the prediction error.
  CHECK(response("Rescorla and Wagner", "2 A+", "A") == Approx(0.36));
  CHECK(response("Rescorla and Wagner", "2 AB+", "A") == Approx(0.2 + 0.2 * (1 - 0.4)));
  CHECK(response("Rescorla and Wagner", "1 A+; 1 AX-", "X") == Approx(-0.2 * 0.2));
  CHECK(trained("Rescorla and Wagner", "5 A+")->attention('A') == 0);

  // Computed by hand for Mackintosh: in the first trial alpha is 0.5, so V = 0.1. A's error equals the error of all other stimuli,
  // so alpha falls to 0.49. In the second trial V = 0.1 + 0.2 0.49 0.9. A's error is now smaller than theirs by 0.1, so
  // alpha rises by 0.02.
  CHECK(response("Mackintosh", "1 A+", "A") == Approx(0.1));
  CHECK(trained("Mackintosh", "1 A+")->attention('A') == Approx(0.49));
  CHECK(response("Mackintosh", "2 A+", "A") == Approx(0.1882));
  CHECK(trained("Mackintosh", "2 A+")->attention('A') == Approx(0.51));
  // In the trial AB+, B has the error 1 and the other stimulus A has 1 - 0.1. So B's alpha falls by 0.02, and A's rises
  // by 0.02.
  CHECK(response("Mackintosh", "1 A+ AB+", "B") == Approx(0.1));
  CHECK(trained("Mackintosh", "1 A+ AB+")->attention('B') == Approx(0.48));
  CHECK(trained("Mackintosh", "1 A+ AB+")->attention('A') == Approx(0.51));

  // Computed by hand for Pearce and Hall: after each of three trials V is 0.2, 0.4 and 0.56. Alpha is then |1 - V|, with V from
  // before the trial: 1, 0.8 and 0.6. A trial without reinforcer adds 0.2 0.6 0.56 to the inhibition.
  CHECK(response("Pearce and Hall", "3 A+", "A") == Approx(0.56));
  CHECK(trained("Pearce and Hall", "3 A+")->attention('A') == Approx(0.6));
  CHECK(response("Pearce and Hall", "3 A+; 1 A-", "A") == Approx(0.56 - 0.2 * 0.6 * 0.56));
  CHECK(trained("Pearce and Hall", "3 A+; 1 A-")->attention('A') == Approx(0.56));
  CHECK(response("Pearce and Hall", "3 A+; 1 A-", "AB") == response("Pearce and Hall", "3 A+; 1 A-", "A"));
}

// These are textbook predictions, which do not depend on the rates that Engram chose.
TEST_CASE("the theories make the predictions of their authors", "[experiments][sensors]") {
  for (const char* theory : {"Rescorla and Wagner", "Mackintosh", "Pearce and Hall"}) {
    INFO(theory);
    CHECK(difference(theory, "blocking") > 0.1);
    CHECK(difference(theory, "overshadowing") > 0.05);
    CHECK(difference(theory, "positive patterning") > 0.1);
    // Theories that add up the stimuli of a compound cannot learn it.
    CHECK(difference(theory, "negative patterning") < 0);
  }
  for (const char* theory : {"Rescorla and Wagner", "Pearce and Hall"}) {
    INFO(theory);
    CHECK(difference(theory, "conditioned inhibition, summation") > 0.1);
    CHECK(difference(theory, "conditioned inhibition, retardation") > 0.1);
  }
  CHECK(difference("Mackintosh", "conditioned inhibition, summation") == Approx(0).margin(1e-12));
  CHECK(difference("Rescorla and Wagner", "latent inhibition") == 0);
  CHECK(difference("Mackintosh", "latent inhibition") > 0.05);
  CHECK(difference("Pearce and Hall", "latent inhibition") > 0.05);

  // The two theories of attention disagree about a stimulus that predicts the reinforcer well.
  CHECK(trained("Mackintosh", "24 A+")->attention('A') > 0.9);
  CHECK(trained("Pearce and Hall", "24 A+")->attention('A') < 0.1);
}

TEST_CASE("attention goes to predictive stimuli, and not to redundant ones", "[experiments][sensors]") {
  for (const char* theory : {"attention to single events", "attention"}) {
    INFO(theory);
    CHECK(response(theory, "24 A+", "A") > 0.8);
    CHECK(response(theory, "24 A-", "A") < 0.3);
    CHECK(trained(theory, "24 A+")->attention('A') > 0.3);
    CHECK(trained(theory, "16 A+; 8 AB+")->attention('B') < trained(theory, "8 AB+")->attention('B'));
    CHECK(trained(theory, "24 AX+ BX-")->attention('A') > trained(theory, "24 AX+ BX-")->attention('X'));
    CHECK(difference(theory, "conditioned inhibition, summation") > 0.1);
    CHECK(difference(theory, "conditioned inhibition, retardation") > 0.1);
    CHECK(difference(theory, "latent inhibition") > 0.1);
  }
}

TEST_CASE("malformed designs are refused", "[experiments][sensors]") {
  for (const char* design : {"A+", "2", "2 ", "2 A", "x A+", "2 a+", "2 A+;3 B-", "-1 A+", "2 A+; "}) {
    INFO(design);
    const auto learner = theories().front().make();
    CHECK_THROWS_AS(train(*learner, design), std::invalid_argument);
  }
  const auto learner = theories().front().make();
  train(*learner, "");
  train(*learner, "2 + -");  // trials without stimuli train nothing
  CHECK(learner->response("A") == 0);
}

}  // namespace
}  // namespace engram::experiments::sensors
