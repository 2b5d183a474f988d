// SPDX-License-Identifier: MIT
// Peers of Engram: libraries that find the best keys. They are compiled like matrix_peers.cpp.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "experiments/benchmarks/matrix_peers.hpp"

namespace engram::benchmarks {

/// Finds the keys with the largest products with a query by exhaustive search.
class KeyPeer {
 public:
  virtual ~KeyPeer() = default;
  /// Returns the sum of the numbers of the best keys and of their products.
  virtual double best(std::span<const float> query, std::size_t most) = 0;
};

#ifdef ENGRAM_FAISS
std::unique_ptr<KeyPeer> flat_faiss(FloatRows keys);
#endif
std::unique_ptr<KeyPeer> brute_force_hnswlib(FloatRows keys);

}  // namespace engram::benchmarks
