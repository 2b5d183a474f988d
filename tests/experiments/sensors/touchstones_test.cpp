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
// Whether a theory shows a phenomenon: the difference in the direction of animals.
double difference(const std::string& theory, const std::string& name) {
  const auto found = std::ranges::find(touchstones(), name, &Touchstone::name);
  REQUIRE(found != touchstones().end());
  const double group = response(theory, found->design, found->tested);
  const double control = response(theory, found->control_design, found->control_tested);
  return found->stronger ? group - control : control - group;
}

TEST_CASE("the theories compute what their equations give by hand", "[experiments][sensors]") {
  // Rescorla and Wagner: 0.2, then 0.2 + 0.2 (1 - 0.2). In a compound both stimuli share the error.
  CHECK(response("Rescorla and Wagner", "2 A+", "A") == Approx(0.36));
  CHECK(response("Rescorla and Wagner", "2 AB+", "A") == Approx(0.2 + 0.2 * (1 - 0.4)));
  CHECK(response("Rescorla and Wagner", "1 A+; 1 AX-", "X") == Approx(-0.2 * 0.2));
  CHECK(trained("Rescorla and Wagner", "5 A+")->attention('A') == 0);

  // Mackintosh: alpha 0.5 gives V = 0.1. The errors were equal, so alpha falls to 0.49. Then V = 0.1 + 0.2 0.49 0.9,
  // and A's error is smaller by 0.1, so alpha rises by 0.02.
  CHECK(response("Mackintosh", "1 A+", "A") == Approx(0.1));
  CHECK(trained("Mackintosh", "1 A+")->attention('A') == Approx(0.49));
  CHECK(response("Mackintosh", "2 A+", "A") == Approx(0.1882));
  CHECK(trained("Mackintosh", "2 A+")->attention('A') == Approx(0.51));
  // B gets an error of its own, 1. Without B the error is 1 - 0.1, so B's alpha falls by 0.02, and A's rises by 0.02.
  CHECK(response("Mackintosh", "1 A+ AB+", "B") == Approx(0.1));
  CHECK(trained("Mackintosh", "1 A+ AB+")->attention('B') == Approx(0.48));
  CHECK(trained("Mackintosh", "1 A+ AB+")->attention('A') == Approx(0.51));

  // Pearce and Hall: V = 0.2 with alpha 1 = |1 - 0|, V = 0.4 with alpha 0.8, V = 0.56 with alpha 0.6. The trial without
  // reinforcer adds 0.2 0.6 0.56 to the inhibition.
  CHECK(response("Pearce and Hall", "3 A+", "A") == Approx(0.56));
  CHECK(trained("Pearce and Hall", "3 A+")->attention('A') == Approx(0.6));
  CHECK(response("Pearce and Hall", "3 A+; 1 A-", "A") == Approx(0.56 - 0.2 * 0.6 * 0.56));
  CHECK(trained("Pearce and Hall", "3 A+; 1 A-")->attention('A') == Approx(0.56));
  CHECK(response("Pearce and Hall", "3 A+; 1 A-", "AB") == response("Pearce and Hall", "3 A+; 1 A-", "A"));
}

// Textbook predictions, which do not depend on the chosen rates.
TEST_CASE("the theories predict what their authors say", "[experiments][sensors]") {
  for (const char* theory : {"Rescorla and Wagner", "Mackintosh", "Pearce and Hall"}) {
    INFO(theory);
    CHECK(difference(theory, "blocking") > 0.1);
    CHECK(difference(theory, "overshadowing") > 0.05);
    CHECK(difference(theory, "positive patterning") > 0.1);
    CHECK(difference(theory, "negative patterning") < 0);  // elements alone cannot learn it
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

  // The two theories of attention disagree about a stimulus that predicts well.
  CHECK(trained("Mackintosh", "24 A+")->attention('A') > 0.9);
  CHECK(trained("Pearce and Hall", "24 A+")->attention('A') < 0.1);
}

TEST_CASE("attention goes to what predicts, and not to what is redundant", "[experiments][sensors]") {
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
  train(*learner, "2 + -");  // trials without stimuli
  CHECK(learner->response("A") == 0);
}

}  // namespace
}  // namespace engram::experiments::sensors
