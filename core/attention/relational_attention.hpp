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

/// The fact <(head * tail) --> relation>, by ids.
struct Fact {
  std::uint32_t head = 0, relation = 0, tail = 0;
  auto operator<=>(const Fact&) const = default;
};

/// All facts, followed by all reciprocal facts (tail, relation + relations, head). A question about heads then becomes
/// a question about tails of a reciprocal relation (Lacroix et al. 2018).
std::vector<Fact> with_reciprocals(std::span<const Fact> facts, std::uint32_t relations);

/// The gradient of the loss.
struct RelationalGradient {
  Matrix keys, maps;  // shapes as in the model
};

/// Training hyperparameters. The first four were chosen on validation splits.
struct RelationalTrainingOptions {
  Index pairs = 100;             // d
  std::size_t batch = 100;       // facts per step
  double learning_rate = 0.1;    // of Adagrad
  double regularisation = 0.02;  // of RelationalAttention::loss
  double spread = 1e-3;  // of the initial parameters; chosen: nearly equal scores with nonzero gradients
  int epochs = 40;       // at most
  int check_every = 5;   // epochs between validations
  int patience = 3;      // validations without improvement before training stops
};

struct RelationalTraining;

/// Dot-product attention over one-hot concepts, with one query map per relation:
///     key    k_e = x_e                            a row of X (n, 2d): the key map, applied to a one-hot e
///     query  q = W_r x_h                          W_r: d blocks (a -b; b a), which rotate and scale
///     p = softmax(X q)                            the attention weights are the prediction
/// Columns j and d + j of X form a pair, as do a and b in row r of the maps. With pairs as complex numbers the scores
/// are Re <w_r, x_h, conj x_e>, so ComplEx is this attention.
/// Source   Vaswani et al. 2017, section 3.2.1 (attention); Trouillon et al. 2016, "Complex Embeddings for
///          Simple Link Prediction" (the score); Lacroix et al. 2018, "Canonical Tensor Decomposition for
///          Knowledge Base Completion" (loss over all entities, N3, reciprocal relations, Adagrad)
class RelationalAttention {
 public:
  /// Initialises all parameters uniformly in [-spread, spread], by Philox from the seed.
  /// Errors   std::invalid_argument unless entities, relations and pairs are at least 1 and spread is in (0, 1]
  RelationalAttention(Index entities, Index relations, Index pairs, double spread, std::uint64_t seed);
  /// Shapes   keys (n, 2d), maps (m, 2d)
  /// Errors   std::invalid_argument if shapes do not fit, a matrix is empty, or a number is not finite
  RelationalAttention(Matrix keys, Matrix maps);

  const Matrix& keys() const { return keys_; }
  const Matrix& maps() const { return maps_; }
  Index entities() const { return keys_.rows(); }
  Index relations() const { return maps_.rows(); }

  /// The scores X q of all entities; row i is for the head and relation of fact i. Tails are ignored.
  /// Shapes   (count, n)      Errors  std::invalid_argument for a head or relation out of range
  /// Cost     O(count n d); deterministic
  Matrix scores(std::span<const Fact> asked) const;

  /// The mean over the facts of
  ///     -log p_tail + regularisation (|x_head|^3 + |w_relation|^3 + |x_tail|^3),
  /// with |x|^3 the sum of the cubed norms of the pairs. Stores the gradient in `gradient` unless that is null.
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

/// The result of training.
struct RelationalTraining {
  RelationalAttention model;  // of the best validation (ties: the earliest)
  int best_epoch = 0;
  std::vector<double> loss;        // mean of each epoch's steps
  std::vector<double> validation;  // each validation's value, starting with epoch 0
};

/// Trains by Adagrad on shuffled batches, with early stopping. `validate` returns a model's quality on held-out facts;
/// higher is better. The best model is returned.
/// Errors   std::invalid_argument if there are no facts, a fact or option is out of range, or a validation is NaN
/// Cost     epochs * O(facts (n + (n + m) / batch) d); deterministic for a seed
/// Source   Duchi, Hazan and Singer 2011 (Adagrad); Prechelt 1998 (early stopping)
RelationalTraining train_relations(Index entities, Index relations, std::span<const Fact> facts,
                                   const std::function<double(const RelationalAttention&)>& validate,
                                   const RelationalTrainingOptions& options, std::uint64_t seed);

}  // namespace engram::core
