// SPDX-License-Identifier: MIT
// Weights of paths that go on being learnt, a question at a time, from what a reasoner made of what it was given.
#pragma once

#include <optional>
#include <vector>

#include "core/paths/path_training.hpp"

namespace engram::core {

/// Of a question that nothing answers from statements S, with the q = Z(S) / Z of the paths and derivations over S
/// alone, and a reasoner that finds a proof which it has with probability r:
///   log p = log(1 - r q),    d log p / d theta = -r q / (1 - r q) (E[f | S] - E[f]) / T
/// So weights are learnt from a failure as far as they took what was given for a proof; where nearly all was
/// given, or nothing that leads from end to end, hardly any.
/// Ranges   r in [0, 1)
/// Cost     two recalls
/// Returns  nothing where no path over S leads from the question's one end to the other
std::optional<PathLikelihood> failure_likelihood(const PathExample& example,
                                                 const std::vector<StatementId>& given, double reliability,
                                                 const PathWeights& theta,
                                                 const PathAttentionOptions& options);

/// A learner's whole state: with the same state the same questions give the same weights.
struct PathLearnerState {
  PathWeights start{}, weights{};  // those it came with; those of now
  /// Of the weights, as far as what was seen tells: the lower triangle, row by row, path_features
  /// (path_features + 1) / 2 numbers.
  std::vector<double> covariance;
  std::uint64_t answered = 0, failed = 0;  // questions that taught

  friend bool operator==(const PathLearnerState&, const PathLearnerState&) = default;
};

/// How far one question moves the weights.
struct PathLearnerOptions {
  /// Of each weight around the start, before anything is seen: 1 / variance. Chosen, with the next, on streams of
  /// questions that no figure shows (experiments/training/README.md): with less, weights that are good are lost
  /// to the first few questions.
  double precision = 3;
  /// r of failure_likelihood: more, and questions that have no answer at all lead astray.
  double reliability = 0.5;
  std::vector<PathFeature> frozen = {};  // whose weights stay as they are
};

/// Learning that keeps what it came with: the weights have a normal prior around the start, of `precision`, and of
/// each question, with g the gradient of its log p at the weights of now, the step of
///   C <- (C^-1 + g g')^-1 = C - C g g' C / (1 + g' C g),    theta <- theta + C g    (C after the step)
/// which is the maximum of the posterior as far as one step of Newton's goes, with the empirical Fisher
/// information in place of the Hessian. So the more is known of a weight, the less a question moves it. Weights
/// stay within +-largest_path_weight.
/// Source   Hazan, Agarwal and Kale 2007, "Logarithmic regret algorithms for online convex optimization" (online
///          Newton step); Ollivier 2018, "Online natural gradient as a Kalman filter"
/// Cost     of a step path_features^2, beside that of its likelihood
class PathLearner {
 public:
  explicit PathLearner(const PathWeights& start, const PathLearnerOptions& options = {});
  /// Goes on. Of `options` all but the precision holds; weights that are frozen stay so ever after.
  /// Errors  std::invalid_argument where the state is none: a wrong number of covariances, one that is not finite,
  ///         a variance that is negative or above 1e6, a weight beyond +-largest_path_weight
  explicit PathLearner(PathLearnerState state, const PathLearnerOptions& options = {});

  /// From a question that was answered from `example.proofs`. Whether it taught anything.
  bool answered(const PathExample& example, const PathAttentionOptions& options);
  /// From a question without an answer to a reasoner that was given these statements, ascending.
  bool failed(const PathExample& example, const std::vector<StatementId>& given,
              const PathAttentionOptions& options);

  const PathWeights& weights() const { return state_.weights; }
  const PathLearnerState& state() const { return state_; }

 private:
  void freeze(const std::vector<PathFeature>& frozen);
  void step(const PathWeights& gradient);

  PathLearnerState state_;
  double reliability_;
};

}  // namespace engram::core
