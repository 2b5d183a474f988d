// SPDX-License-Identifier: MIT
// Attention that learns relations: from one thing, through a relation, to the things that stand in it.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/numbers/shapes.hpp"

namespace engram::core {

/// <(head * tail) --> relation>, by numbers.
struct Fact {
  std::uint32_t head = 0, relation = 0, tail = 0;
  auto operator<=>(const Fact&) const = default;
};

/// Every fact and, behind them all, every fact the other way round: (tail, relation + relations, head). So
/// what is asked of heads is asked of tails of a reciprocal relation (Lacroix et al. 2018).
std::vector<Fact> with_reciprocals(std::span<const Fact> facts, std::uint32_t relations);

/// The loss's derivative by each parameter of the model.
struct RelationalGradient {
  Matrix keys, maps;  // of the shapes of the model's
};

/// Scaled dot-product attention over one-hot concepts, with a query map of its own for each relation:
///     key    k_e = x_e                            a row of X (n, 2d): the key map, applied to a one-hot e
///     query  q = W_r x_h                          W_r: d blocks (a -b; b a), which rotate and scale
///     p = softmax(X q)                            the attention weights are what is predicted
/// Column j of X and column d + j are a pair; so are those of row r of the maps, (a, b). With pairs as
/// complex numbers the scores are Re <w_r, x_h, conj x_e>: ComplEx is this attention.
/// Source   Vaswani et al. 2017, section 3.2.1 (attention); Trouillon et al. 2016, "Complex Embeddings for
///          Simple Link Prediction" (the score); Lacroix et al. 2018, "Canonical Tensor Decomposition for
///          Knowledge Base Completion" (loss over all entities, N3, reciprocal relations, Adagrad)
class RelationalAttention {
 public:
  /// Numbers uniform in [-spread, spread], by Philox from the seed.
  /// Errors   std::invalid_argument unless entities, relations and pairs are at least 1 and spread is in (0,
  ///          1]
  RelationalAttention(Index entities, Index relations, Index pairs, double spread, std::uint64_t seed);
  /// Shapes   keys (n, 2d), maps (m, 2d)
  /// Errors   std::invalid_argument for other shapes, nothing in them, or numbers that are not finite
  RelationalAttention(Matrix keys, Matrix maps);

  const Matrix& keys() const { return keys_; }
  const Matrix& maps() const { return maps_; }
  Index entities() const { return keys_.rows(); }
  Index relations() const { return maps_.rows(); }

  /// Row i: scores X q of every entity for the head and the relation of fact i; its tail is not looked at.
  /// Shapes   (count, n)      Errors  std::invalid_argument for a head or relation out of range
  /// Cost     O(count n d); deterministic
  Matrix scores(std::span<const Fact> asked) const;

  /// Mean over the facts of
  ///     -log p_tail + regularisation (|x_head|^3 + |w_relation|^3 + |x_tail|^3),
  /// the norms of each pair cubed and summed; into `gradient`, unless it is null, the derivatives in all
  /// numbers.
  /// Errors   std::invalid_argument for no facts, one out of range, or a negative regularisation
  /// Cost     O(facts n d + (n + m) d); deterministic
  double loss(std::span<const Fact> facts, double regularisation, RelationalGradient* gradient) const;

 private:
  friend class RelationalTrainer;
  Index pairs() const { return keys_.cols() / 2; }
  void require_in_range(std::span<const Fact> facts) const;
  Matrix queries(std::span<const Fact> asked) const;

  Matrix keys_, maps_;
};

/// How RelationalAttention is trained.
struct RelationalTrainingOptions {
  Index pairs = 100;             // d. chosen on validation splits, as the next three
  std::size_t batch = 100;       // facts a step
  double learning_rate = 0.1;    // of Adagrad
  double regularisation = 0.02;  // of the loss above
  double spread = 1e-3;          // of the start. chosen: all scores equal, but no gradient 0
  int epochs = 40;               // at most
  int check_every = 5;           // epochs, after which what is held back is looked at
  int patience = 3;              // checks without a better one after which training ends
};

/// What training came to.
struct RelationalTraining {
  RelationalAttention model;  // of the best check, the earliest of equals
  int best_epoch = 0;
  std::vector<double> loss;        // mean of each epoch's steps
  std::vector<double> validation;  // of each check, epoch 0 the first
};

/// Adagrad over batches of the facts in an order that is drawn anew for each epoch.
/// `validate` gives what a model is worth on facts that are held back, higher is better; the best one counts.
/// Errors   std::invalid_argument for no facts, one out of range, or an option that is; if a validation is
///          NaN
/// Cost     epochs * O(facts (n + (n + m) / batch) d); deterministic for a seed
/// Source   Duchi, Hazan and Singer 2011 (Adagrad); Prechelt 1998 (early stopping)
RelationalTraining train_relations(Index entities, Index relations, std::span<const Fact> facts,
                                   const std::function<double(const RelationalAttention&)>& validate,
                                   const RelationalTrainingOptions& options, std::uint64_t seed);

}  // namespace engram::core
