// SPDX-License-Identifier: MIT
// Kernels of Hopfield networks on bits, compiled for several instruction sets and selected at run time. All arithmetic
// is on integers, so all instruction sets give the same results.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/single_precision/float_kernels.hpp"

namespace engram::core {

/// Word of 64 bits, one per pattern or spin: 1 for +1, 0 for -1. Rows of words are padded with 0 to a multiple of four
/// words.
using Word = std::uint64_t;
inline constexpr std::size_t word_bits = 64, padded_words = 4;
inline constexpr std::size_t tile_spins = 64;  // spins per tile

/// Eight links of a sparse network, which the kernels process in one step: eight links of one unit, or one link of each
/// of eight units.
struct alignas(64) LinkStep {
  static constexpr std::size_t links = 8;
  std::uint32_t bit[links];    // number of the unit at the other end, with the lowest five bits inverted
  std::int32_t weight[links];  // 0: no link
};

/// The kernels for one instruction set.
struct BitKernels {
  /// Returns the number of bits that differ between a and b (the Hamming distance). `words` is a multiple of 4 here and
  /// in the other kernels.
  std::size_t (*differing)(const Word* a, const Word* b, std::size_t words);
  /// Counts the change of the overlap with each pattern k after a flip of one spin: counts[k] += 1 if bit k equals
  /// `up`, the new state of the spin, else counts[k] -= 1 (modulo 256).
  void (*count_signs)(const Word* bits, std::size_t words, bool up, std::int8_t* counts);
  /// Adds the counts of count_signs() to the overlaps: sums[k] += 2 counts[k], then counts[k] = 0. `count` is a
  /// multiple of 64.
  void (*settle)(std::int8_t* counts, std::size_t count, std::int32_t* sums);
  /// Updates the fields of spins j after a flip of spin i, with products[j] = sum over the patterns of x_i x_j:
  /// fields[j] += 2 products[j] if the new state is `up`, else fields[j] -= 2 products[j]. `count` is a multiple of 16.
  void (*add_products)(const std::int16_t* products, std::size_t count, bool up, std::int32_t* fields);
  /// Finds the first spin that may flip, from approximate fields with a largest error: returns the first i in from ..
  /// to-1 with states[i] * fields[i] - bound <= error, or `to`. The bound is bounds_of_minus[i] if states[i] is -1, and
  /// bounds_of_plus[i] if it is 1.
  std::size_t (*first_open)(const std::int32_t* fields, const std::int8_t* states,
                            const std::int32_t* bounds_of_minus, const std::int32_t* bounds_of_plus,
                            std::int32_t error, std::size_t from, std::size_t to);
  /// Returns the sum over all bits k of values[k] if bit k is 1, else -values[k]: the exact field of a spin from the
  /// overlaps.
  std::int32_t (*signed_sum)(const Word* bits, std::size_t words, const std::int32_t* values);
  /// Sums magnitudes in groups of sixteen: sums[c] is the sum of |values| over group c.
  void (*magnitudes)(const std::int32_t* values, std::size_t sixteens, std::int32_t* sums);
  /// Makes tables for look_up(), with 16 bytes for each group of four values a. The entry of a subset of the group,
  /// numbered by its bits, is
  ///     (2 * sum of the subset + sum |a| - sum a + half) / 2^shift,  half = 2^shift / 2 rounded down,
  /// rounded down. Callers must ensure that entries are below 256.
  void (*make_tables)(const std::int32_t* values, std::size_t fours, unsigned shift, std::uint8_t* tables);
  /// Sums table entries for the 64 spins of a tile: sums[i] is the sum over all groups of the entries that the bits of
  /// spin i select. For each 8 patterns, a tile has one byte of each of its 64 spins. Any four adjacent tables, from an
  /// even byte on, must have entries of at most 255 in sum. `columns`, the number of bytes per spin, is even.
  void (*look_up)(const std::uint8_t* tile, const std::uint8_t* tables, std::size_t columns,
                  std::int32_t* sums);
  /// Converts the sums of look_up() back to the units of the values: sums[i] <- sums[i] * 2^shift - offset, for the 64
  /// sums of a tile.
  void (*scale)(std::int32_t* sums, unsigned shift, std::int32_t offset);
  /// Adds one pattern exactly: sums[i] += value if bit number `bit` of byte i is 1, else -=, for the 64 sums of a tile.
  void (*add_signed)(const std::uint8_t* bytes, unsigned bit, std::int32_t value, std::int32_t* sums);
  /// Computes the fields of a sparse network, for slices of eight units (lanes) each:
  ///     fields[8 s + lane] = 2 * (sum of the weights of the lane's links to bits that are 1) - totals[8 s + lane].
  /// Slice s has the steps starts[s] .. starts[s + 1] - 1. Callers must ensure that sums fit 32 bits.
  void (*slice_fields)(const LinkStep* steps, const std::uint32_t* starts, std::size_t slices,
                       const std::uint32_t* bits, const std::int64_t* totals, std::int64_t* fields);
  /// Returns the sum of the weights of all links in `count` steps to bits that are 1. Use it for a hub, a unit with its
  /// own steps.
  std::int64_t (*sum_links)(const LinkStep* steps, std::size_t count, const std::uint32_t* bits);
};

/// Whether gather instructions are faster than single loads on this processor.
bool gathers_fast();

/// Returns the kernels for an instruction set, with gather instructions if `gather` is set and they exist.
/// Errors  std::invalid_argument if the instructions are not available
const BitKernels& bit_kernels(Instructions instructions, bool gather = gathers_fast());

}  // namespace engram::core
