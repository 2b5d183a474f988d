// SPDX-License-Identifier: MIT
#include "core/numbers/optimiser.hpp"

#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

TEST_CASE("Adam's steps follow the paper, computed by hand", "[optimiser]") {
  const AdamOptions options{.learning_rate = 0.1};
  Adam adam(2, options);
  Vector x = vector({1, 1});
  // Step 1: for the gradient g, the bias-corrected moments are g and g^2. Every coordinate moves by the learning rate
  // 0.1 against the sign of its gradient.
  adam.step(x, vector({4, -0.5}));
  CHECK(x[0] == Approx(0.9).epsilon(1e-9));
  CHECK(x[1] == Approx(1.1).epsilon(1e-7));
  // Step 2 of the first coordinate, after the gradients 4 and -2. The bias-corrected mean is (0.9 0.1 4 - 0.1 2) /
  // 0.19. The bias-corrected square is (0.999 0.001 16 + 0.001 4) / 0.001999.
  adam.step(x, vector({-2, -0.5}));
  const double mean = (0.09 * 4 - 0.1 * 2) / 0.19;
  const double square = (0.000999 * 16 + 0.001 * 4) / (1 - 0.999 * 0.999);
  CHECK(x[0] == Approx(0.9 - 0.1 * mean / std::sqrt(square)).epsilon(1e-8));
  CHECK(x[1] == Approx(1.2).epsilon(1e-7));
}

TEST_CASE("Adagrad's steps shrink with past gradients, computed by hand", "[optimiser]") {
  Adagrad adagrad(2, 0.1);
  std::vector<double> x{1, 1};
  adagrad.step(x, std::vector<double>{3, 0});
  CHECK(x[0] == Approx(0.9).epsilon(1e-9));  // 0.1 * 3 / sqrt(3^2)
  CHECK(x[1] == 1);                          // a gradient of 0 makes no step
  adagrad.step(x, std::vector<double>{-4, 1e-6});
  CHECK(x[0] == Approx(0.98).epsilon(1e-9));  // 0.1 * 4 / sqrt(3^2 + 4^2)
  CHECK(x[1] == Approx(0.9).epsilon(1e-4));   // the first step does not depend on the gradient's size
  const std::vector<double> before = x;
  CHECK_INVALID(adagrad.step(x, std::vector<double>{0, std::nan("")}));
  CHECK_INVALID(adagrad.step(x, std::vector<double>{1}));
  CHECK(x == before);
  CHECK_INVALID(Adagrad(1, 0));
  CHECK_INVALID(Adagrad(1, 1, 0));
}

TEST_CASE("Adam minimises a badly scaled quadratic function", "[optimiser]") {
  const Vector bottom = vector({3, -2, 0.5}), scale = vector({1e-3, 1, 1e4});
  Adam adam(3);
  Vector x = Vector::Zero(3);
  for (int step = 0; step < 4000; ++step) adam.step(x, (scale.array() * (x - bottom).array()).matrix());
  CHECK(distance(x, bottom) < 1e-3);
}

TEST_CASE("Adam rejects wrong shapes, wrong rates and gradients that are not finite", "[optimiser]") {
  Adam adam(2);
  Vector x = vector({1, 2});
  CHECK_INVALID(adam.step(x, vector({1})));
  CHECK_INVALID(adam.step(x, vector({1, nan})));
  CHECK_INVALID(adam.step(x, vector({infinity, 1})));
  CHECK(x == vector({1, 2}));
  AdamOptions options{.learning_rate = 0};
  CHECK_INVALID(Adam(1, options));
  options = {};
  options.beta2 = 1;
  CHECK_INVALID(Adam(1, options));
}

// Trains with predefined validation losses. The training loss is x^2.
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
    return train(vector({1}), training, validation, options);
  }
};

TEST_CASE("training stops when patience runs out and keeps the best epoch", "[optimiser]") {
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

TEST_CASE("training ends after max_epochs, and returns the start for 0 epochs", "[optimiser]") {
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
  Scripted broken{{nan}};
  CHECK_INVALID(broken.run(10, 2));
  Scripted impatient{{1}};
  CHECK_INVALID(impatient.run(10, 0));
}

TEST_CASE("training resumed from any step has the same bits", "[optimiser]") {
  // Training and validation have different minima, so the best epoch is neither the first nor the last.
  const Vector start = vector({1, -2}), bottom = vector({0.3, 0.1});
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

TEST_CASE("training rejects a state that does not fit", "[optimiser]") {
  const auto loss = [](const Vector& x, Vector* gradient) {
    if (gradient != nullptr) *gradient = 2 * x;
    return x.squaredNorm();
  };
  TrainingOptions options;
  options.max_epochs = 3;
  TrainingState good;
  options.each_step = [&](const TrainingState& state) { good = state; };
  train(vector({1, 2}), loss, loss, options);
  options.each_step = nullptr;
  const auto resume = [&](auto change) {
    options.resumed = good;
    change(*options.resumed);
    return train(vector({1, 2}), loss, loss, options);
  };
  CHECK_NOTHROW(resume([](TrainingState&) {}));
  const std::vector<std::function<void(TrainingState&)>> wrongs{
      [](TrainingState& s) { s.parameters = vector({1}); },
      [=](TrainingState& s) { s.parameters[0] = nan; },
      [](TrainingState& s) { s.adam.mean = vector({1}); },
      [](TrainingState& s) { s.adam.square = vector({1}); },
      [](TrainingState& s) { s.adam.square[1] = -1; },
      [](TrainingState& s) { s.adam.mean_power = 2; },
      [](TrainingState& s) {
        s.so_far.parameters = vector({1, 2, 3});
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
  for (const auto& wrong : wrongs) CHECK_INVALID(resume(wrong));
}

}  // namespace
}  // namespace engram::core
