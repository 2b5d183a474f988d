// SPDX-License-Identifier: MIT
// Simplex maps of scores that are spread over peers.
#pragma once

#include <span>
#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/shards/sharded_memory.hpp"

namespace engram::core {

/// Weights of this peer's statements, and the value that the maximum reaches (programme_value).
struct ShardedWeights {
  std::vector<double> own;
  double value = 0;
};

/// The map of the scores of all statements (core/maps/simplex_map.hpp), to the last bit.
/// Shapes  scores, own: this peer's statements
/// Cost    of softmax a maximum and a sum over all. Sparsemax, argmax and entmax with alpha 1.5, 2 and infinity: what is
///         within reach of a weight goes to all peers, 16 bytes each. The others, and entmax with alpha 1: all scores do
ShardedWeights sharded_weights(const ShardedMemory& memory, const Regulariser& map,
                               std::span<const double> scores, double temperature);

/// The greatest scores, best first, `count` at most, at all peers.
Vector greatest_scores(Peers& peers, std::span<const double> scores, std::size_t count);

}  // namespace engram::core
