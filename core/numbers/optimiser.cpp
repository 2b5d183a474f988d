// SPDX-License-Identifier: MIT
#include "core/numbers/optimiser.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace engram::core {

Adam::Adam(Index size, AdamOptions options) : Adam({Vector::Zero(size), Vector::Zero(size)}, options) {}

Adam::Adam(State state, AdamOptions options) : options_(options), state_(std::move(state)) {
  require_size("squares", state_.square.size(), state_.mean.size());
  require(state_.mean.allFinite() && state_.square.allFinite() && (state_.square.array() >= 0).all(),
          "means and squares must be finite, and squares at least 0");
  for (const double power : {state_.mean_power, state_.square_power})
    require(power >= 0 && power <= 1, "powers must be in [0, 1]", power);
  require_positive("learning_rate", options.learning_rate);
  require_positive("epsilon", options.epsilon);
  require(options.beta1 >= 0 && options.beta1 < 1, "beta1 must be in [0, 1)", options.beta1);
  require(options.beta2 >= 0 && options.beta2 < 1, "beta2 must be in [0, 1)", options.beta2);
}

void Adam::step(Vector& parameters, const Vector& gradient) {
  auto& [mean, square, mean_power, square_power] = state_;
  require_size("parameters", parameters.size(), mean.size());
  require_size("gradient", gradient.size(), mean.size());
  for (const double g : gradient) require(std::isfinite(g), "the gradient must be finite", g);
  const auto& [rate, beta1, beta2, epsilon] = options_;
  mean_power *= beta1;
  square_power *= beta2;
  for (Index i = 0; i < parameters.size(); ++i) {
    const double g = gradient[i];
    mean[i] = beta1 * mean[i] + (1 - beta1) * g;
    square[i] = beta2 * square[i] + (1 - beta2) * g * g;
    const double step = mean[i] / (1 - mean_power);
    parameters[i] -= rate * step / (std::sqrt(square[i] / (1 - square_power)) + epsilon);
  }
}

Adagrad::Adagrad(Index size, double learning_rate, double epsilon)
    : learning_rate_(learning_rate), epsilon_(epsilon), square_(Vector::Zero(size)) {
  require_positive("learning_rate", learning_rate);
  require_positive("epsilon", epsilon);
}

void Adagrad::step(std::span<double> parameters, std::span<const double> gradient) {
  require_size("parameters", static_cast<Index>(parameters.size()), square_.size());
  require_size("gradient", static_cast<Index>(gradient.size()), square_.size());
  for (const double g : gradient) require(std::isfinite(g), "the gradient must be finite", g);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    double& square = square_[static_cast<Index>(i)];
    square += gradient[i] * gradient[i];
    parameters[i] -= learning_rate_ * gradient[i] / (std::sqrt(square) + epsilon_);
  }
}

namespace {

bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
}

void require_resumable(const TrainingState& state, Index size, const TrainingOptions& options) {
  const Training& so_far = state.so_far;
  require_size("parameters", state.parameters.size(), size);
  require_size("the best parameters", so_far.parameters.size(), size);
  require_size("Adam's means", state.adam.mean.size(), size);
  require(state.parameters.allFinite() && so_far.parameters.allFinite() && all_finite(so_far.training_loss) &&
              all_finite(so_far.validation_loss),
          "the resumed state must be finite");
  require(state.epoch() >= 1 && state.epoch() <= options.max_epochs &&
              so_far.training_loss.size() == so_far.validation_loss.size(),
          "the resumed state must have both losses of each epoch, and epochs must be left");
  require(so_far.best_epoch >= 0 && so_far.best_epoch < state.epoch() && !so_far.stopped_early,
          "the best epoch of the resumed state must be an earlier one, and training must not have stopped");
}

}  // namespace

Training train(const Vector& start, const Objective& training, const Objective& validation,
               const TrainingOptions& options) {
  require(options.max_epochs >= 0, "max_epochs must be at least 0", options.max_epochs);
  require(options.patience >= 1, "patience must be at least 1", options.patience);
  TrainingState now{
      start, {Vector::Zero(start.size()), Vector::Zero(start.size())}, {start, 0, {}, {}, false}};
  if (options.resumed) {
    require_resumable(*options.resumed, start.size(), options);
    now = *options.resumed;
  }
  Adam adam(now.adam, options.adam);
  Training& result = now.so_far;
  Vector gradient = Vector::Zero(start.size());
  for (int epoch = now.epoch();; ++epoch) {
    const bool last = epoch == options.max_epochs;
    result.training_loss.push_back(training(now.parameters, last ? nullptr : &gradient));
    result.validation_loss.push_back(validation(now.parameters, nullptr));
    require(std::isfinite(result.training_loss.back()) && std::isfinite(result.validation_loss.back()),
            "the loss must stay finite");
    if (options.each_epoch) options.each_epoch(epoch, result.validation_loss.back());
    if (result.validation_loss.back() < result.validation_loss[static_cast<std::size_t>(result.best_epoch)]) {
      result.best_epoch = epoch;
      result.parameters = now.parameters;
    }
    result.stopped_early = epoch - result.best_epoch >= options.patience && !last;
    if (last || result.stopped_early) return result;
    adam.step(now.parameters, gradient);
    if (!options.each_step) continue;
    now.adam = adam.state();
    options.each_step(now);
  }
}

}  // namespace engram::core
