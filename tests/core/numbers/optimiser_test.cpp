// SPDX-License-Identifier: MIT
#include "core/numbers/optimiser.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

TEST_CASE("Adam's steps follow the paper, computed by hand", "[core][optimiser]") {
  AdamOptions options;
  options.learning_rate = 0.1;
  Adam adam(2, options);
  Vector x = samples::vector({1, 1});
  // Step 1: m-hat = g and sqrt(v-hat) = |g|, so every coordinate moves by 0.1 against its gradient's sign.
  adam.step(x, samples::vector({4, -0.5}));
  CHECK(x[0] == Approx(0.9).epsilon(1e-9));
  CHECK(x[1] == Approx(1.1).epsilon(1e-7));
  // Step 2, g = (-2, -0.5): m-hat = (0.9 0.1 4 - 0.1 2) / 0.19, v-hat = (0.999 0.001 16 + 0.001 4) /
  // 0.001999.
  adam.step(x, samples::vector({-2, -0.5}));
  const double mean = (0.09 * 4 - 0.1 * 2) / 0.19;
  const double square = (0.000999 * 16 + 0.001 * 4) / (1 - 0.999 * 0.999);
  CHECK(x[0] == Approx(0.9 - 0.1 * mean / std::sqrt(square)).epsilon(1e-8));
  CHECK(x[1] == Approx(1.2).epsilon(1e-7));
}

TEST_CASE("Adagrad's steps shrink with past gradients, computed by hand", "[core][optimiser]") {
  Adagrad adagrad(2, 0.1);
  std::vector<double> x{1, 1};
  adagrad.step(x, std::vector<double>{3, 0});
  CHECK(x[0] == Approx(0.9).epsilon(1e-9));  // 0.1 * 3 / 3
  CHECK(x[1] == 1);                          // no gradient, no step
  adagrad.step(x, std::vector<double>{-4, 1e-6});
  CHECK(x[0] == Approx(0.98).epsilon(1e-9));  // 0.1 * 4 / 5
  CHECK(x[1] == Approx(0.9).epsilon(1e-4));   // independent of the gradient's size
  const std::vector<double> before = x;
  CHECK_THROWS_AS(adagrad.step(x, std::vector<double>{0, std::nan("")}), std::invalid_argument);
  CHECK_THROWS_AS(adagrad.step(x, std::vector<double>{1}), std::invalid_argument);
  CHECK(x == before);
  CHECK_THROWS_AS(Adagrad(1, 0), std::invalid_argument);
  CHECK_THROWS_AS(Adagrad(1, 1, 0), std::invalid_argument);
}

TEST_CASE("Adam minimises a badly scaled quadratic function", "[core][optimiser]") {
  const Vector bottom = samples::vector({3, -2, 0.5}), scale = samples::vector({1e-3, 1, 1e4});
  Adam adam(3);
  Vector x = Vector::Zero(3);
  for (int step = 0; step < 4000; ++step) adam.step(x, (scale.array() * (x - bottom).array()).matrix());
  CHECK(samples::distance(x, bottom) < 1e-3);
}

TEST_CASE("Adam rejects wrong shapes, wrong rates and gradients that are not finite", "[core][optimiser]") {
  Adam adam(2);
  Vector x = samples::vector({1, 2});
  CHECK_THROWS_AS(adam.step(x, samples::vector({1})), std::invalid_argument);
  CHECK_THROWS_AS(adam.step(x, samples::vector({1, std::numeric_limits<double>::quiet_NaN()})),
                  std::invalid_argument);
  CHECK_THROWS_AS(adam.step(x, samples::vector({std::numeric_limits<double>::infinity(), 1})),
                  std::invalid_argument);
  CHECK(x == samples::vector({1, 2}));
  AdamOptions options;
  options.learning_rate = 0;
  CHECK_THROWS_AS(Adam(1, options), std::invalid_argument);
  options = {};
  options.beta2 = 1;
  CHECK_THROWS_AS(Adam(1, options), std::invalid_argument);
}

// Predefined validation losses; the training loss is x^2.
struct Scripted {
  std::vector<double> script;
  std::size_t asked = 0;
  std::vector<double> seen = {};  // x at each epoch
  Training run(int max_epochs, int patience) {
    TrainingOptions options;
    options.max_epochs = max_epochs;
    options.patience = patience;
    const auto training = [](const Vector& x, Vector* gradient) {
      if (gradient != nullptr) *gradient = 2 * x;
      return x[0] * x[0];
    };
    const auto validation = [this](const Vector& x, Vector* gradient) {
      REQUIRE(gradient == nullptr);
      seen.push_back(x[0]);
      return script.at(asked++);
    };
    return train(samples::vector({1}), training, validation, options);
  }
};

TEST_CASE("training stops when patience runs out and keeps the best epoch", "[core][optimiser]") {
  Scripted scripted{{5, 4, 3, 3, 3.5, 3.2, 1}};
  const Training training = scripted.run(100, 3);
  CHECK(training.best_epoch == 2);  // the tie with epoch 3 goes to the earlier epoch
  CHECK(training.stopped_early);
  CHECK(training.validation_loss == std::vector<double>{5, 4, 3, 3, 3.5, 3.2});
  CHECK(training.training_loss.size() == 6);
  CHECK(training.parameters[0] == scripted.seen[2]);
  CHECK(training.training_loss[2] == scripted.seen[2] * scripted.seen[2]);
  CHECK(scripted.seen[0] == 1);
  CHECK(scripted.seen[1] < 1);
}

TEST_CASE("training ends after max_epochs, and returns the start for 0 epochs", "[core][optimiser]") {
  Scripted falling{{5, 4, 3, 2, 1}};
  const Training training = falling.run(3, 2);
  CHECK(training.best_epoch == 3);
  CHECK_FALSE(training.stopped_early);
  CHECK(training.validation_loss.size() == 4);
  CHECK(training.parameters[0] == falling.seen[3]);
  Scripted none{{5}};
  const Training start = none.run(0, 1);
  CHECK(start.best_epoch == 0);
  CHECK_FALSE(start.stopped_early);
  CHECK(start.parameters[0] == 1);
  Scripted rising{{1, 2, 3}};
  CHECK(rising.run(10, 2).parameters[0] == 1);
  Scripted broken{{std::numeric_limits<double>::quiet_NaN()}};
  CHECK_THROWS_AS(broken.run(10, 2), std::invalid_argument);
  Scripted impatient{{1}};
  CHECK_THROWS_AS(impatient.run(10, 0), std::invalid_argument);
}

TEST_CASE("training resumed from any step has the same bits", "[core][optimiser]") {
  // Training and validation have different minima, so the best epoch is neither the first nor the last.
  const Vector start = samples::vector({1, -2}), bottom = samples::vector({0.3, 0.1});
  const auto training = [](const Vector& x, Vector* gradient) {
    if (gradient != nullptr) *gradient = 2 * x;
    return x.squaredNorm();
  };
  const auto validation = [&](const Vector& x, Vector*) { return (x - bottom).squaredNorm(); };
  TrainingOptions options;
  options.max_epochs = 200;
  options.patience = 8;
  std::vector<TrainingState> states;
  options.each_step = [&](const TrainingState& state) { states.push_back(state); };
  const Training whole = train(start, training, validation, options);
  CHECK(whole.stopped_early);
  CHECK(whole.best_epoch > 0);
  REQUIRE(states.size() + 1 == whole.validation_loss.size());
  options.each_step = nullptr;
  for (std::size_t i = 0; i < states.size(); ++i) {
    CHECK(states[i].epoch() == static_cast<int>(i) + 1);
    options.resumed = states[i];
    const Training resumed = train(start, training, validation, options);
    CHECK(resumed.parameters == whole.parameters);
    CHECK(resumed.best_epoch == whole.best_epoch);
    CHECK(resumed.training_loss == whole.training_loss);
    CHECK(resumed.validation_loss == whole.validation_loss);
    CHECK(resumed.stopped_early == whole.stopped_early);
  }
}

TEST_CASE("training rejects a state that does not fit", "[core][optimiser]") {
  const auto loss = [](const Vector& x, Vector* gradient) {
    if (gradient != nullptr) *gradient = 2 * x;
    return x.squaredNorm();
  };
  TrainingOptions options;
  options.max_epochs = 3;
  TrainingState good;
  options.each_step = [&](const TrainingState& state) { good = state; };
  train(samples::vector({1, 2}), loss, loss, options);
  options.each_step = nullptr;
  const auto resume = [&](auto change) {
    options.resumed = good;
    change(*options.resumed);
    return train(samples::vector({1, 2}), loss, loss, options);
  };
  CHECK_NOTHROW(resume([](TrainingState&) {}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::function<void(TrainingState&)>> wrongs{
      [](TrainingState& s) { s.parameters = samples::vector({1}); },
      [=](TrainingState& s) { s.parameters[0] = nan; },
      [](TrainingState& s) { s.adam.mean = samples::vector({1}); },
      [](TrainingState& s) { s.adam.square = samples::vector({1}); },
      [](TrainingState& s) { s.adam.square[1] = -1; },
      [](TrainingState& s) { s.adam.mean_power = 2; },
      [](TrainingState& s) {
        s.so_far.parameters = samples::vector({1, 2, 3});
      },
      [](TrainingState& s) { s.so_far.best_epoch = 3; },
      [](TrainingState& s) { s.so_far.best_epoch = -1; },
      [](TrainingState& s) { s.so_far.training_loss.pop_back(); },
      [](TrainingState& s) { s.so_far.stopped_early = true; },
      [=](TrainingState& s) { s.so_far.validation_loss[0] = nan; },
      [](TrainingState& s) { s.so_far.training_loss = s.so_far.validation_loss = {}; },
      [](TrainingState& s) {
        s.so_far.training_loss = s.so_far.validation_loss = {1, 1, 1, 1};
      }};
  for (const auto& wrong : wrongs) CHECK_THROWS_AS(resume(wrong), std::invalid_argument);
}

}  // namespace
}  // namespace engram::core
