// SPDX-License-Identifier: MIT
#include "core/numbers/optimiser.hpp"

#include <cmath>

namespace engram::core {

Adam::Adam(Index size, AdamOptions options)
    : options_(options), mean_(Vector::Zero(size)), square_(Vector::Zero(size)) {
  require_positive("learning_rate", options.learning_rate);
  require_positive("epsilon", options.epsilon);
  require(options.beta1 >= 0 && options.beta1 < 1, "beta1 must be in [0, 1)", options.beta1);
  require(options.beta2 >= 0 && options.beta2 < 1, "beta2 must be in [0, 1)", options.beta2);
}

void Adam::step(Vector& parameters, const Vector& gradient) {
  require_size("parameters", parameters.size(), mean_.size());
  require_size("gradient", gradient.size(), mean_.size());
  for (const double g : gradient) require(std::isfinite(g), "the gradient must be finite", g);
  const auto& [rate, beta1, beta2, epsilon] = options_;
  mean_power_ *= beta1;
  square_power_ *= beta2;
  for (Index i = 0; i < parameters.size(); ++i) {
    const double g = gradient[i];
    mean_[i] = beta1 * mean_[i] + (1 - beta1) * g;
    square_[i] = beta2 * square_[i] + (1 - beta2) * g * g;
    const double step = mean_[i] / (1 - mean_power_);
    parameters[i] -= rate * step / (std::sqrt(square_[i] / (1 - square_power_)) + epsilon);
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

Training train(const Vector& start, const Objective& training, const Objective& validation,
               const TrainingOptions& options) {
  require(options.max_epochs >= 0, "max_epochs must be at least 0", options.max_epochs);
  require(options.patience >= 1, "patience must be at least 1", options.patience);
  Training result{start, 0, {}, {}, false};
  Adam adam(start.size(), options.adam);
  Vector parameters = start, gradient = Vector::Zero(start.size());
  for (int epoch = 0;; ++epoch) {
    const bool last = epoch == options.max_epochs;
    result.training_loss.push_back(training(parameters, last ? nullptr : &gradient));
    result.validation_loss.push_back(validation(parameters, nullptr));
    require(std::isfinite(result.training_loss.back()) && std::isfinite(result.validation_loss.back()),
            "the loss must stay finite");
    if (options.each_epoch) options.each_epoch(epoch, result.validation_loss.back());
    if (result.validation_loss.back() < result.validation_loss[static_cast<std::size_t>(result.best_epoch)]) {
      result.best_epoch = epoch;
      result.parameters = parameters;
    }
    result.stopped_early = epoch - result.best_epoch >= options.patience && !last;
    if (last || result.stopped_early) return result;
    adam.step(parameters, gradient);
  }
}

}  // namespace engram::core
