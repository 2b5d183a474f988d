// SPDX-License-Identifier: MIT
// A classical Hopfield network of n spins with Hebb's rule, W = (1/n) sum_k x_k x_k' with W_ii = 0, that stores its k
// patterns x as bits instead of n^2 weights. With the state s and the integer overlaps m_k = x_k s, the local field h_i
// of a spin follows from
//     n h_i = sum_k x_ki m_k - k s_i,
// and a flip of spin j changes each m_k by 2 x_kj s_j. All fields are therefore exact, and so are zero fields.
#pragma once

#include "core/hopfield/bit_kernels.hpp"
#include "core/hopfield/hopfield.hpp"
#include "core/numbers/shapes.hpp"
#include "core/single_precision/float_store.hpp"

namespace engram::core {

/// Patterns of +1/-1 spins as bits, in three layouts (by pattern, by spin, and in tiles of 64 spins). Each spin also
/// has the products x_i x_j with the spins of its block of 256: a flip updates that block's fields at once, and the
/// others through the overlaps. Takes 3/8 k n + 512 n bytes; for 10,000 spins and 1,000 patterns 9 MB instead of 400 MB
/// of floats.
class BitPatterns {
 public:
  /// Shapes   patterns (k, n) of +1 and -1
  /// Errors   std::invalid_argument if k or n is 0, an entry is not +1 or -1, k > 32,767, k n >= 2^29, or the
  ///          instructions are not available
  /// Cost     O(k n) time, with 2 k n bits for the products; the instructions do not affect results
  explicit BitPatterns(const Matrix& patterns, Instructions instructions = Instructions::best);

  Index patterns() const { return patterns_; }
  Index spins() const { return spins_; }
  std::size_t bytes() const { return memory_.capacity(); }

 private:
  friend class BitNetwork;

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
  Index columns_at_ = 0, tiles_at_ = 0, products_at_ = 0;  // offsets of the layouts; rows are at 0
  AlignedBytes memory_;
};

/// Asynchronous recall, like recall_hopfield() of core/hopfield/hopfield.hpp with W = hebb_weights(patterns), but
/// faster. States, flips and observations are the same, with the same rules for order, zero fields and an external
/// field. Energies are computed from exact fields and rounded once or twice; with the matrix, rounding occurs n times.
/// Errors   std::invalid_argument if shapes do not fit, the order is not a permutation, a spin is not +1 or -1, or a
///          field is not finite
/// Cost     in ascending order O(n k / 64) a sweep and O(k / 64 + 256) a flip; in another order O(n k) a sweep.
///          Deterministic
HopfieldRecall recall_hopfield(const BitPatterns& patterns, const Vector& cue,
                               const HopfieldOptions& options = {}, const StateObserver& observer = {});

/// Synchronous recall, like recall_synchronous() of core/hopfield/hopfield.hpp with W = hebb_weights(patterns). States
/// and flips are the same.
/// Errors, Cost  as recall_hopfield() with BitPatterns
HopfieldRecall recall_synchronous(const BitPatterns& patterns, const Vector& cue,
                                  const HopfieldOptions& options = {});

/// Glauber dynamics, like recall_glauber() of core/hopfield/hopfield.hpp with W = hebb_weights(patterns). p_plus is
/// computed from the exact field.
/// Errors   as recall_glauber()
/// Cost     O(k) a step for k patterns
GlauberRecall recall_glauber(const BitPatterns& patterns, const Vector& cue, const GlauberDraws& draws,
                             const Vector& field = {});

}  // namespace engram::core
