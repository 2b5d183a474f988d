// SPDX-License-Identifier: MIT
// Trainable attention that predicts the concepts of the next episode from the episodes so far.
#pragma once

#include "core/maps/simplex_map.hpp"
#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// Range of episodes to predict: first .. last-1. Every episode is predicted from all episodes before it.
struct EpisodeRange {
  Index first = 0, last = 0;
  Index size() const { return last - first; }
};

/// Target distribution of an episode, to compare with a prediction: 1/m on each of its m concepts, otherwise 0.
/// Shapes   episodes A (t, n) -> (n)       Errors  std::invalid_argument for an episode without concepts
Vector episode_distribution(const SparseRows& episodes, Index episode);

/// Smoothed log-loss of a prediction p for the target distribution y, in nats: -sum y log((1 - smoothing) p + smoothing
/// / n), with n concepts. Smoothing keeps the loss finite for sparse maps and counts, which give p = 0, and makes all
/// methods comparable.
double smoothed_log_loss(const Vector& p, const Vector& y, double smoothing);

/// The loss that training minimises.
enum class TrainingLoss : std::uint8_t {
  /// The smoothed log-loss, which also evaluates predictions. With a sparse map, a concept that the prediction gives
  /// weight 0 gets no gradient, so a concept that is wrongly ruled out stays ruled out.
  log_loss,
  /// The Fenchel-Young loss Omega(y) + Omega*(s/T) - <y, s/T>, for a target y, scores s, temperature T, the convex
  /// regulariser Omega of the simplex map and its conjugate Omega*. For softmax it is -sum y log p. Use it with sparse
  /// maps: its gradient p - y reaches all concepts. Its scale depends on the map's alpha, so alpha is trained by the
  /// log-loss.
  fenchel_young,
};

/// Initial values of the trained parameters of an AttentionModel, and the smoothing of its loss.
struct AttentionModelOptions {
  /// The simplex map from scores to the prediction. With entmax, alpha is trained, starting from its value here.
  Regulariser regulariser = SimplexMap::softmax;
  double temperature = 0.25;  // chosen for cosine scores, from embeddings of length 1
  double memory = 0.3;        // gamma, the weight of an episode relative to the next episode's weight
  double smoothing = 0.02;    // share of a uniform distribution in the log-loss, not trained
};

/// Trainable attention from the recent past to concepts. It predicts which concepts the next episode activates. With
/// x_c the embedding of concept c (row c of X), and m_t the mean embedding of the concepts of episode t,
///     context  c_t = sum_j gamma^j m_{t-j} / sum_j gamma^j            the past, fading
///     query    q_t = W_q c_t + b,     keys  k_c = W_k x_c
///     p_t = map(k q_t; T)                                             predicts episode t+1
/// The map is a simplex map with temperature T. Trained parameters are W_q, b, W_k, log T = r tanh(u/r) with r = log
/// 1e4, gamma = 1/(1 + e^-g) and, with entmax, alpha = 1 + 1/(1 + e^-a). These forms keep T, gamma and alpha in range
/// for any numbers u, g and a. Initially W_q = W_k = I and b = 0, which gives the scores of untrained attention, X X'
/// c_t: one Hebbian spreading step.
class AttentionModel {
 public:
  /// Upper bound on the temperature T; the lower bound is its inverse. W_q can express any further scaling.
  static constexpr double highest_temperature = 1e4;

  /// Creates an untrained model for concepts with these embeddings.
  /// Shapes   embeddings X (n, d), a row per concept
  /// Errors   std::invalid_argument if n or d is 0, an embedding is not finite, or an option is out of range
  AttentionModel(Matrix embeddings, const AttentionModelOptions& options);

  /// The trained parameters as one vector: W_q and W_k by rows, b, then the numbers u, g and a that determine T, gamma
  /// and alpha.
  const Vector& parameters() const { return parameters_; }
  /// Replaces the trained parameters, which are in the order of parameters().
  /// Errors   std::invalid_argument if the size differs or a number is not finite; the model is then unchanged
  void set_parameters(const Vector& parameters);

  double temperature() const;
  double memory() const;
  double alpha() const;

  /// Predicts the episodes `targets`, each from all episodes before it. Row i of the result is the predicted
  /// distribution over concepts of episode targets.first + i. To predict the episode after the last one of t episodes,
  /// pass the targets t .. t + 1.
  /// Shapes   episodes (t, n), t >= 1; -> (|targets|, n), rows on the simplex
  /// Errors   std::invalid_argument if shapes do not fit, or for an episode without concepts
  /// Cost     O(t d + n d^2 + |targets| n d)
  Matrix predict(const SparseRows& episodes, EpisodeRange targets) const;

  /// Returns the mean smoothed log-loss of the predictions for the episodes `targets`. Unless `gradient` is null, also
  /// stores there the gradient of the loss `followed`, which may be another one, with respect to all parameters.
  /// Ranges   1 <= targets.first < targets.last <= number of episodes t
  /// Errors   std::invalid_argument outside these
  /// Cost     O((t + n) d^2 + |targets| n d), and |targets| times the cost of the map; deterministic
  /// Source   Blondel, Martins and Niculae 2020 (Fenchel-Young); Correia et al. 2019 (the gradient in alpha)
  double loss(const SparseRows& episodes, EpisodeRange targets, TrainingLoss followed,
              Vector* gradient) const;

 private:
  struct Forward;
  struct Backward;
  Index dimensions() const { return embeddings_.cols(); }
  Index key_map_at() const { return dimensions() * dimensions(); }
  Index bias_at() const { return 2 * key_map_at(); }
  Index temperature_at() const { return bias_at() + dimensions(); }
  Index memory_at() const { return temperature_at() + 1; }
  Index alpha_at() const { return temperature_at() + 2; }
  Regulariser regulariser() const;
  Forward forward(const SparseRows& episodes, EpisodeRange targets) const;
  Backward backward(const Vector& p, const Vector& y, TrainingLoss followed) const;

  Matrix embeddings_;
  AttentionModelOptions options_;
  Vector parameters_;
};

}  // namespace engram::core
