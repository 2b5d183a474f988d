// SPDX-License-Identifier: MIT
// Causal attention as time goes on: keys and values are kept, each new query attends to all before it.
#pragma once

#include <optional>
#include <vector>

#include "core/maps/simplex_map.hpp"

namespace engram::core {

/// How an AttentionCache attends, and how far back.
struct AttentionCacheOptions {
  double scale = 1;
  /// Without a map the scores themselves are the weights.
  std::optional<Regulariser> map = SimplexMap::softmax;
  /// How many keys before the newest are still attended to; none: all of them.
  std::optional<Index> window;
};

/// Appending row t of K and V and then attending with row t of Q gives row t of
/// attend(Q, K, V, {scale, map, causal mask (and window), bias}), to the last bit.
class AttentionCache {
 public:
  /// Errors  std::invalid_argument unless dimensions are at least 1, scale is finite and window not negative
  AttentionCache(Index key_dimensions, Index value_dimensions, AttentionCacheOptions options = {});

  Index size() const { return size_; }

  /// Cost  O(d + d_v) amortised.   Errors  std::invalid_argument if sizes do not fit
  void append(const Vector& key, const Vector& value);

  /// A query's weights, and what they bring back.
  struct Step {
    Vector weights;  // (size()), 0 outside the window
    Vector output;   // (d_v)
  };
  /// The newest query's attention. An empty cache gives no weights and an output of zeros.
  /// Shapes   query (d); bias (size()) is added to the scores, empty: none
  /// Errors   std::invalid_argument if shapes do not fit or a score to map is not finite
  /// Cost     O(w (d + d_v)) for the w keys within the window, and O(size()) for the weights
  Step attend(const Vector& query, const Vector& bias = {}) const;

 private:
  Index key_dimensions_, value_dimensions_, size_ = 0;
  AttentionCacheOptions options_;
  std::vector<double> keys_, values_;  // row after row
};

}  // namespace engram::core
