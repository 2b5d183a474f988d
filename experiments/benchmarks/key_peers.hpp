// SPDX-License-Identifier: MIT
// Libraries that find the best keys, beside Engram. Compiled as matrix_peers.cpp is.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "experiments/benchmarks/matrix_peers.hpp"

namespace engram::benchmarks {

/// Finds the keys with the greatest products with a query, and looks at all for it.
class KeyPeer {
 public:
  virtual ~KeyPeer() = default;
  /// The sum of the best keys' numbers and of their products.
  virtual double best(std::span<const float> query, std::size_t most) = 0;
};

#ifdef ENGRAM_FAISS
std::unique_ptr<KeyPeer> flat_faiss(FloatRows keys);
#endif
std::unique_ptr<KeyPeer> brute_force_hnswlib(FloatRows keys);

}  // namespace engram::benchmarks
