// SPDX-License-Identifier: MIT
// Online learning of the weights of proofs: one question at a time, from what a reasoner answered or failed to answer.
#pragma once

#include <optional>
#include <vector>

#include "core/proofs/proof_training.hpp"

namespace engram::core {

/// A learner's whole state: with the same state the same questions give the same weights.
struct ProofLearnerState {
  ProofWeights start{}, weights{};  // those it came with; those of now
  /// The posterior covariance of the weights: its lower triangle, row by row, with proof_features (proof_features + 1) / 2
  /// numbers.
  std::vector<double> covariance;
  std::uint64_t answered = 0, failed = 0;  // questions that taught

  friend bool operator==(const ProofLearnerState&, const ProofLearnerState&) = default;
};

/// How far one question moves the weights.
struct ProofLearnerOptions {
  /// Of each weight around the start, before anything is seen: 1 / variance. Chosen, with the next, on streams of
  /// questions that no figure shows (experiments/training/README.md): with less, weights that are good are lost
  /// to the first few questions.
  double precision = 3;
  /// r of LearntProofs::failure_likelihood: more, and questions that have no answer at all lead astray.
  double reliability = 0.5;
  std::vector<ProofFeature> frozen = {};  // whose weights stay as they are
};

/// Online learning of the weights, one question at a time. The weights have a normal prior around the start, with the given
/// precision. With g the gradient of log p of a question at the current weights, each question makes the step
///   C <- (C^-1 + g g')^-1 = C - C g g' C / (1 + g' C g),    theta <- theta + C g    (with the new C)
/// This is one Newton step towards the maximum of the posterior, with the empirical Fisher information in place of the
/// Hessian. The more questions have told about a weight, the less the next one moves it. Weights are clamped to
/// +-largest_proof_weight.
/// Source   Hazan, Agarwal and Kale 2007, "Logarithmic regret algorithms for online convex optimization" (online
///          Newton step); Ollivier 2018, "Online natural gradient as a Kalman filter"
/// Cost     of a step proof_features^2, beside that of its likelihood
class ProofLearner {
 public:
  explicit ProofLearner(const ProofWeights& start, const ProofLearnerOptions& options = {});
  /// Goes on. Of `options` all but the precision holds; weights that are frozen stay so ever after.
  /// Errors  std::invalid_argument where the state is none: a wrong number of covariances, one that is not finite,
  ///         a variance that is negative or above 1e6, a weight beyond +-largest_proof_weight
  explicit ProofLearner(ProofLearnerState state, const ProofLearnerOptions& options = {});

  /// From a question that was answered from `example.proofs`. Whether it taught anything.
  bool answered(const ProofExample& example, const ProofAttentionOptions& options);
  /// From a question without an answer to a reasoner that was given these statements, ascending.
  bool failed(const ProofExample& example, const std::vector<StatementId>& given,
              const ProofAttentionOptions& options);

  const ProofWeights& weights() const { return state_.weights; }
  const ProofLearnerState& state() const { return state_; }

 private:
  void freeze(const std::vector<ProofFeature>& frozen);
  void step(const ProofWeights& gradient);

  ProofLearnerState state_;
  double reliability_;
};

}  // namespace engram::core
