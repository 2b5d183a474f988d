// SPDX-License-Identifier: MIT
// Trainable attention for link prediction: it predicts the tail of a fact from its head and relation.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/numbers/shapes.hpp"

namespace engram::core {

/// Fact <(head * tail) --> relation>, by the ids of its entities and its relation.
struct Fact {
  std::uint32_t head = 0, relation = 0, tail = 0;
  auto operator<=>(const Fact&) const = default;
};

/// Returns all facts, followed by all reciprocal facts (tail, relation + relations, head). A question about heads then
/// becomes a question about tails of a reciprocal relation, so a model must only predict tails (Lacroix et al. 2018).
std::vector<Fact> with_reciprocals(std::span<const Fact> facts, std::uint32_t relations);

/// Gradient of RelationalAttention::loss() with respect to both matrices of parameters.
struct RelationalGradient {
  Matrix keys, maps;  // shapes as in RelationalAttention
};

/// Training hyperparameters of train_relations(). The first four were chosen on validation splits.
struct RelationalTrainingOptions {
  Index pairs = 100;             // d: a vector has 2 d numbers
  std::size_t batch = 100;       // facts per step
  double learning_rate = 0.1;    // learning rate of Adagrad
  double regularisation = 0.02;  // factor of the penalty in RelationalAttention::loss
  double spread = 1e-3;  // largest initial parameter; chosen: nearly equal scores with nonzero gradients
  int epochs = 40;       // most passes over the facts
  int check_every = 5;   // epochs between validations
  int patience = 3;      // validations without improvement before training stops
};

struct RelationalTraining;

/// Link predictor for facts over n entities and m relations: dot-product attention over one-hot entities e, with one
/// query map per relation r. For a question about the tail of (h, r, ?),
///     key    k_e = x_e                            a row of X (n, 2d): the key map, applied to a one-hot e
///     query  q = W_r x_h                          W_r: d blocks (a -b; b a), which rotate and scale
///     p = softmax(X q)                            the attention weights are the predicted tails
/// Columns j and d + j of X form a pair, as do a and b in row r of the maps. With pairs as complex numbers the scores
/// are Re <w_r, x_h, conj x_e>, so the model ComplEx is this attention.
/// Source   Vaswani et al. 2017, section 3.2.1 (attention); Trouillon et al. 2016, "Complex Embeddings for Simple Link
///          Prediction" (the score); Lacroix et al. 2018, "Canonical Tensor Decomposition for Knowledge Base
///          Completion" (loss over all entities, N3, reciprocal relations, Adagrad)
class RelationalAttention {
 public:
  /// Creates a model with random parameters, uniform in [-spread, spread] and determined by the seed (generator
  /// Philox).
  /// Errors   std::invalid_argument unless entities, relations and pairs are at least 1 and spread is in (0, 1]
  RelationalAttention(Index entities, Index relations, Index pairs, double spread, std::uint64_t seed);
  /// Creates a model with given parameters, for example of a trained model.
  /// Shapes   keys (n, 2d), maps (m, 2d)
  /// Errors   std::invalid_argument if shapes do not fit, a matrix is empty, or a number is not finite
  RelationalAttention(Matrix keys, Matrix maps);

  const Matrix& keys() const { return keys_; }
  const Matrix& maps() const { return maps_; }
  Index entities() const { return keys_.rows(); }
  Index relations() const { return maps_.rows(); }

  /// Scores all n entities as tails of questions; row i is for the head and relation of asked[i]. Tails in `asked` are
  /// ignored.
  /// Shapes   (count, n)      Errors  std::invalid_argument for a head or relation out of range
  /// Cost     O(count n d); deterministic
  Matrix scores(std::span<const Fact> asked) const;

  /// Loss for training: the mean over the facts of
  ///     -log p_tail + regularisation (|x_head|^3 + |w_relation|^3 + |x_tail|^3),
  /// with p_tail the predicted probability of the fact's tail, and |x|^3 the sum of the cubed norms of the pairs in a
  /// row. Stores the gradient in `gradient` unless that is null.
  /// Errors   std::invalid_argument if there are no facts, a fact is out of range, or regularisation is negative
  /// Cost     O(facts n d + (n + m) d); deterministic
  double loss(std::span<const Fact> facts, double regularisation, RelationalGradient* gradient) const;

 private:
  friend RelationalTraining train_relations(Index, Index, std::span<const Fact>,
                                            const std::function<double(const RelationalAttention&)>&,
                                            const RelationalTrainingOptions&, std::uint64_t);
  Index pairs() const { return keys_.cols() / 2; }
  void require_in_range(std::span<const Fact> facts) const;
  Matrix queries(std::span<const Fact> asked) const;

  Matrix keys_, maps_;
};

/// Result of train_relations(): the best model and the history of the training.
struct RelationalTraining {
  RelationalAttention model;  // the model with the best validation (ties: the earliest)
  int best_epoch = 0;
  std::vector<double> loss;        // mean loss of the steps of each epoch
  std::vector<double> validation;  // value of each validation, starting with epoch 0
};

/// Trains a RelationalAttention by Adagrad on shuffled batches of facts, and returns the best model. `validate` returns
/// a model's quality on held-out facts; higher is better. Training stops early if the quality no longer improves.
/// Errors   std::invalid_argument if there are no facts, a fact or option is out of range, or a validation is NaN
/// Cost     epochs * O(facts (n + (n + m) / batch) d); deterministic for a seed
/// Source   Duchi, Hazan and Singer 2011 (Adagrad); Prechelt 1998 (early stopping)
RelationalTraining train_relations(Index entities, Index relations, std::span<const Fact> facts,
                                   const std::function<double(const RelationalAttention&)>& validate,
                                   const RelationalTrainingOptions& options, std::uint64_t seed);

}  // namespace engram::core
