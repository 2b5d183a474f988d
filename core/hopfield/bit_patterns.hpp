// SPDX-License-Identifier: MIT
// Patterns of +1/-1 spins as bits, laid out for the network of core/hopfield/bit_hopfield.hpp.
#pragma once

#include "core/hopfield/bit_kernels.hpp"
#include "core/numbers/shapes.hpp"
#include "core/single_precision/float_store.hpp"

namespace engram::core {

/// Patterns as bits, three times (by pattern, by spin, and in tiles of 64 spins), and for each spin the
/// products x_i x_j with the spins of its block of 256: a flip reaches those at once, the others by the
/// overlaps. 3/8 k n + 512 n bytes; for 10,000 spins and 1,000 patterns 9 MB in place of 400 as floats.
class BitPatterns {
 public:
  /// Shapes   patterns (k, n) of +1 and -1
  /// Errors   std::invalid_argument for no pattern or spin, another entry, k > 32,767, k n >= 2^29, or
  ///          instructions that this processor or build has not
  /// Cost     O(k n) time and 2 k n bits counted against each other; the instructions change no result
  explicit BitPatterns(const Matrix& patterns, Instructions instructions = Instructions::best);

  Index patterns() const { return patterns_; }
  Index spins() const { return spins_; }
  std::size_t bytes() const { return memory_.capacity(); }

 private:
  friend class BitNetwork;  // of bit_hopfield.cpp: the dynamics

  static constexpr Index block_spins = 256;

  const Word* row(Index pattern) const { return words(0) + pattern * row_words_; }
  const Word* column(Index spin) const { return words(columns_at_) + spin * column_words_; }
  const std::uint8_t* tile(Index first_spin) const {
    return reinterpret_cast<const std::uint8_t*>(memory_.data()) + tiles_at_ + first_spin * column_bytes_;
  }
  const std::int16_t* products(Index spin) const {
    return reinterpret_cast<const std::int16_t*>(memory_.data() + products_at_) + spin * block_spins;
  }
  const Word* words(Index byte) const { return reinterpret_cast<const Word*>(memory_.data() + byte); }
  void reserve();
  void pack(const Matrix& patterns);
  void make_products();

  Index patterns_, spins_;
  Index row_words_, column_words_, column_bytes_;
  const BitKernels* kernels_;
  Index columns_at_ = 0, tiles_at_ = 0, products_at_ = 0;  // where they begin; rows at 0
  AlignedBytes memory_;
};

}  // namespace engram::core
