// SPDX-License-Identifier: MIT
// Descent along a gradient: Adam, Adagrad, and training that stops where what was held back no longer
// improves.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/numbers/shapes.hpp"

namespace engram::core {

/// How Adam steps.
struct AdamOptions {
  double learning_rate = 0.05;  // chosen: a model of a few thousand parameters settles in about 50 steps
  double beta1 = 0.9;           // these three as in the paper
  double beta2 = 0.999;
  double epsilon = 1e-8;
};

/// Adam: steps of about learning_rate in every coordinate, whatever the scale of its gradient.
///     m <- beta1 m + (1 - beta1) g,  v <- beta2 v + (1 - beta2) g^2,
///     x <- x - learning_rate (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon)
/// Our own, since results are promised bit by bit, and it is these three lines.
/// Source  Kingma and Ba 2015, "Adam: A Method for Stochastic Optimization", algorithm 1
class Adam {
 public:
  /// All that a step depends on beside its options.
  struct State {
    Vector mean, square;                      // m, v
    double mean_power = 1, square_power = 1;  // beta1^t, beta2^t

    friend bool operator==(const State&, const State&) = default;
  };

  /// Errors  std::invalid_argument unless learning_rate and epsilon are above 0 and both betas in [0, 1)
  explicit Adam(Index size, AdamOptions options = {});
  /// Goes on where another one was.  Errors  likewise; where the state is none: means and squares of unlike
  /// sizes or not finite, squares below 0, powers outside [0, 1]
  Adam(State state, AdamOptions options);

  /// Shapes  parameters (size), gradient (size)
  /// Errors  std::invalid_argument if a shape does not fit or the gradient is not finite; parameters are then
  ///         as they were
  /// Cost    O(size)
  void step(Vector& parameters, const Vector& gradient);
  const State& state() const { return state_; }

 private:
  AdamOptions options_;
  State state_;
};

/// Adagrad: the more a coordinate has been moved, the shorter its steps; what occurs seldom keeps long ones.
///     v <- v + g^2,  x <- x - learning_rate g / (sqrt(v) + epsilon)
/// Source  Duchi, Hazan and Singer 2011, "Adaptive Subgradient Methods for Online Learning and Stochastic
///         Optimization" (diagonal form)
class Adagrad {
 public:
  /// Errors  std::invalid_argument unless both numbers are above 0
  Adagrad(Index size, double learning_rate, double epsilon = 1e-10);

  /// As Adam's.
  void step(std::span<double> parameters, std::span<const double> gradient);

 private:
  double learning_rate_, epsilon_;
  Vector square_;  // v
};

/// Gives the loss and, unless `gradient` is null, the gradient to follow: that of the loss, or of what stands
/// in for it.
using Objective = std::function<double(const Vector& parameters, Vector* gradient)>;

/// What training came to.
struct Training {
  Vector parameters;                    // those of the best epoch
  int best_epoch = 0;                   // 0: the start was never bettered
  std::vector<double> training_loss;    // [e] after e steps; [0] of the start
  std::vector<double> validation_loss;  // likewise
  bool stopped_early = false;           // patience ran out before the epochs did
};

/// Where training is between two steps: from here it goes on to the same bits.
struct TrainingState {
  Vector parameters;  // that the next epoch begins with
  Adam::State adam;
  Training so_far;  // with the losses of all epochs before that one

  int epoch() const { return static_cast<int>(so_far.validation_loss.size()); }
};

/// How long training goes on, and who is told of it.
struct TrainingOptions {
  AdamOptions adam;
  int max_epochs = 400;  // full-batch steps at most
  int patience = 30;     // epochs without a better validation loss after which there is no point in going on
  std::function<void(int epoch, double validation_loss)> each_epoch = {};  // is told, if it is anybody
  std::function<void(const TrainingState&)> each_step = {};                // likewise, after each step
  std::optional<TrainingState> resumed = {};                               // in place of the start
};

/// Follows the gradient of `training` by full-batch Adam steps and keeps the parameters that did best on
/// `validation`; ties go to the earlier epoch. Nothing is random.
/// Errors   std::invalid_argument unless max_epochs >= 0 and patience >= 1, if a loss is not finite, and where
///          what is resumed is no state of training such parameters for so many epochs
/// Cost     epochs * (training with gradient + validation without)
/// Source   Prechelt 1998, "Early Stopping - But When?" (there UP criteria; here: patience)
Training train(const Vector& start, const Objective& training, const Objective& validation,
               const TrainingOptions& options = {});

}  // namespace engram::core
