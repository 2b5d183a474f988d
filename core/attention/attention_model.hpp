// SPDX-License-Identifier: MIT
// Attention that learns to predict: from the episodes so far, which concepts does the next one activate?
#pragma once

#include "core/maps/simplex_map.hpp"
#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// A run of consecutive episodes that are to be predicted, each from those before it: first .. last-1.
struct EpisodeRange {
  Index first = 0, last = 0;
  Index size() const { return last - first; }
};

/// y: the next episode as a distribution, 1/m on each of its m concepts.
/// Shapes   episodes A (t, n) -> (n)       Errors  std::invalid_argument for an episode without concepts
Vector episode_distribution(const SparseRows& episodes, Index episode);

/// -sum y log((1 - smoothing) p + smoothing / n): the mean surprise at a concept of the next episode, in
/// nats. Sparse maps and counts give p = 0, where the bare log-loss is infinite; so all methods are smoothed
/// alike.
double smoothed_log_loss(const Vector& p, const Vector& y, double smoothing);

/// Which loss's gradient training follows.
enum class TrainingLoss : std::uint8_t {
  log_loss,  // smoothed, what predictions are judged by. Under a sparse map no gradient reaches a concept
             // of weight 0, so what was ruled out by mistake stays ruled out
  fenchel_young,  // Omega(y) + Omega*(s/T) - <y, s/T>: its gradient p - y reaches all; softmax: -sum y log p.
                  // Comparing values of alpha by it means nothing, since its scale falls as alpha grows:
                  // alpha follows log_loss
};

/// What an AttentionModel begins with.
struct AttentionModelOptions {
  Regulariser regulariser = SimplexMap::softmax;  // entmax: alpha is learnt, from here
  double temperature = 0.25;  // at the start. chosen: with embeddings of length 1 scores are cosines
  double memory = 0.3;        // gamma at the start: the weight of an episode against that of the next
  double smoothing = 0.02;    // of the log-loss
};

/// Attention from the recent past to concepts. With x_c the embedding of concept c, m_t the mean embedding of
/// episode t's concepts,
///     context  c_t = sum_j gamma^j m_{t-j} / sum_j gamma^j            the past, fading
///     query    q_t = W_q c_t + b,     keys  k_c = W_k x_c
///     p_t = map(k q_t; T)                                             predicts episode t+1
/// Learnt: W_q, b, W_k, log T = r tanh(t/r) with r = log 1e4, gamma = 1/(1 + e^-g) and, with entmax,
/// alpha = 1 + 1/(1 + e^-a): in range whatever the optimiser does. At the start W_q = W_k = I and b = 0: the
/// scores are those of untrained attention, X X' c, one Hebbian spreading step.
class AttentionModel {
 public:
  /// Temperatures stay between this and one over it; beyond, there is nothing that W_q could not do.
  static constexpr double highest_temperature = 1e4;

  /// Shapes   embeddings X (n, d): a row a concept
  /// Errors   std::invalid_argument for no concepts or dimensions, an embedding that is not finite, or an
  ///          option out of its range
  AttentionModel(Matrix embeddings, const AttentionModelOptions& options);

  /// All that is learnt, as one vector: W_q and W_k by rows, b, t, g, a.
  const Vector& parameters() const { return parameters_; }
  /// Errors   std::invalid_argument if the size differs or one is not finite; the model is then as it was
  void set_parameters(const Vector& parameters);

  double temperature() const;
  double memory() const;
  double alpha() const;  // of entmax; of other maps the one given

  /// p_t for several ends: row i predicts episode targets.first + i from all before it. The targets t .. t + 1
  /// ask for what comes after the last episode.
  /// Shapes   episodes (t, n), t >= 1; -> (|targets|, n), rows on the simplex
  /// Errors   std::invalid_argument for other shapes, or an episode without concepts
  /// Cost     O(t d + n d^2 + |targets| n d)
  Matrix predict(const SparseRows& episodes, EpisodeRange targets) const;

  /// Mean smoothed log-loss over the targets; into `gradient`, unless it is null, that of `followed` in all
  /// parameters.
  /// Ranges   1 <= targets.first < targets.last <= t
  /// Errors   std::invalid_argument outside these
  /// Cost     O((t + n) d^2 + |targets| n d), and |targets| times that of the map; deterministic
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
