// SPDX-License-Identifier: MIT
// Gradient descent: the optimisers Adam and Adagrad, and training with early stopping.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/numbers/shapes.hpp"

namespace engram::core {

/// Hyperparameters of Adam.
struct AdamOptions {
  double learning_rate = 0.05;  // chosen: a model of a few thousand parameters settles in about 50 steps
  double beta1 = 0.9;           // this and the next two: from the paper
  double beta2 = 0.999;
  double epsilon = 1e-8;
};

/// Adam, an optimiser that moves every coordinate by about learning_rate a step, independently of the scale of its
/// gradient. With parameters x, gradient g, and step number t:
///     m <- beta1 m + (1 - beta1) g,  v <- beta2 v + (1 - beta2) g^2,
///     x <- x - learning_rate (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon)
/// Source  Kingma and Ba 2015, "Adam: A Method for Stochastic Optimization", algorithm 1
class Adam {
 public:
  /// State of the optimiser between two steps. Store it to resume the optimisation later.
  struct State {
    Vector mean, square;                      // m and v of the formula
    double mean_power = 1, square_power = 1;  // beta1^t, beta2^t

    friend bool operator==(const State&, const State&) = default;
  };

  /// Errors  std::invalid_argument unless learning_rate and epsilon are above 0 and both betas in [0, 1)
  explicit Adam(Index size, AdamOptions options = {});
  /// Resumes from a state.
  /// Errors  std::invalid_argument for invalid options, and for an invalid state: means and squares of different sizes
  ///         or not finite, squares below 0, powers outside [0, 1]
  Adam(State state, AdamOptions options);

  /// Updates the parameters by one step against the gradient.
  /// Shapes  parameters (size), gradient (size)
  /// Errors  std::invalid_argument if a shape does not fit or the gradient is not finite; then nothing changes
  /// Cost    O(size)
  void step(Vector& parameters, const Vector& gradient);
  const State& state() const { return state_; }

 private:
  AdamOptions options_;
  State state_;
};

/// Adagrad, an optimiser whose steps of a coordinate shrink with its past gradients. Use it if some coordinates rarely
/// have a gradient. With parameters x, gradient g, and the sum v of squared gradients:
///     v <- v + g^2,  x <- x - learning_rate g / (sqrt(v) + epsilon)
/// Source  Duchi, Hazan and Singer 2011, "Adaptive Subgradient Methods for Online Learning and Stochastic
///         Optimization" (diagonal form)
class Adagrad {
 public:
  /// Errors  std::invalid_argument unless learning_rate and epsilon are above 0
  Adagrad(Index size, double learning_rate, double epsilon = 1e-10);

  /// Updates the parameters by one step.  Shapes, Errors, Cost  as Adam::step()
  void step(std::span<double> parameters, std::span<const double> gradient);

 private:
  double learning_rate_, epsilon_;
  Vector square_;  // v
};

/// Function to minimise: returns the loss at `parameters`. Unless `gradient` is null, it also stores the gradient of
/// the loss, or of a surrogate for the loss, there.
using Objective = std::function<double(const Vector& parameters, Vector* gradient)>;

/// Result of train(): the best parameters and the losses of each epoch.
struct Training {
  Vector parameters;                    // parameters of the best epoch
  int best_epoch = 0;                   // 0: no epoch improved on the start
  std::vector<double> training_loss;    // element e: loss after e steps
  std::vector<double> validation_loss;  // element e: loss after e steps
  bool stopped_early = false;           // patience ran out before the epochs did
};

/// State of train() between two steps. Resuming from it gives the same bits as training without a break.
struct TrainingState {
  Vector parameters;  // at the start of the next epoch
  Adam::State adam;
  Training so_far;  // including the losses of earlier epochs

  int epoch() const { return static_cast<int>(so_far.validation_loss.size()); }
};

/// Options of train().
struct TrainingOptions {
  AdamOptions adam;
  int max_epochs = 400;  // full-batch steps at most
  int patience = 30;     // epochs without a better validation loss before training stops
  std::function<void(int epoch, double validation_loss)> each_epoch = {};  // called after each epoch
  std::function<void(const TrainingState&)> each_step = {};                // called after each step
  std::optional<TrainingState> resumed = {};                               // state to resume from
};

/// Minimises `training` by full-batch Adam steps and returns the parameters with the least loss on `validation`; ties
/// go to the earlier epoch. Deterministic.
/// Errors   std::invalid_argument unless max_epochs >= 0 and patience >= 1, if a loss is not finite, and if the resumed
///          state does not fit the parameters and max_epochs
/// Cost     epochs * (training with gradient + validation without)
/// Source   Prechelt 1998, "Early Stopping - But When?" (which uses the UP criteria; here: patience)
Training train(const Vector& start, const Objective& training, const Objective& validation,
               const TrainingOptions& options = {});

}  // namespace engram::core
