// SPDX-License-Identifier: MIT
// A classical Hopfield network with Hebb's rule, W = (1/n) sum_k x_k x_k' with W_ii = 0, that keeps its
// patterns as bits in place of the n^2 weights. With the overlaps m_k = x_k s, whole numbers,
//     n h_i = sum_k x_ki m_k - k s_i,
// where a flip of spin j changes each m_k by 2 x_kj s_j. So every field is exact, and so is every zero.
#pragma once

#include "core/hopfield/bit_kernels.hpp"
#include "core/hopfield/hopfield_network.hpp"
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

/// recall_hopfield of core/hopfield/hopfield_network.hpp with W = hebb_weights(patterns): the same states,
/// flips and observations, with the same rules for order, zero fields and an external field. Energies are
/// those of the exact fields, rounded once or twice; the matrix's are rounded n times. Errors
/// std::invalid_argument if shapes do not fit, the order is no permutation, a spin is not +1 or -1,
///          or a field is not finite
/// Cost     a sweep in the order 0, 1, 2, ... O(n k / 64) and O(k / 64 + 256) a flip; another order O(n k).
///          Deterministic
HopfieldRecall recall_hopfield(const BitPatterns& patterns, const Vector& cue,
                               const HopfieldOptions& options = {}, const StateObserver& observer = {});

/// recall_synchronous of core/hopfield/hopfield_network.hpp, as above.
HopfieldRecall recall_synchronous(const BitPatterns& patterns, const Vector& cue,
                                  const HopfieldOptions& options = {});

/// recall_glauber of core/hopfield/hopfield_network.hpp, as above; p_plus follows from the exact field.
/// Cost     O(k) a step
GlauberRecall recall_glauber(const BitPatterns& patterns, const Vector& cue, const GlauberDraws& draws,
                             const Vector& field = {});

}  // namespace engram::core
