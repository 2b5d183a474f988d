// SPDX-License-Identifier: MIT
// The inner loops of a Hopfield network on bit-packed patterns, compiled for several sets of instructions.
// All arithmetic is on whole numbers, so that all sets give the same and the program may take the fastest.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/single_precision/float_kernels.hpp"

namespace engram::core {

/// 64 bits, one a pattern (or spin): 1 for +1. Rows of words are padded with 0 to a multiple of four words.
using Word = std::uint64_t;
inline constexpr std::size_t word_bits = 64, padded_words = 4;
inline constexpr std::size_t tile_spins = 64;  // side by side in a tile

/// Eight links of a sparse network beside each other: of one unit, or of eight units one each.
struct alignas(64) LinkStep {
  static constexpr std::size_t links = 8;
  std::uint32_t bit[links];    // of the unit at the other end: its number, the lowest five bits turned over
  std::int32_t weight[links];  // 0: no link
};

/// The inner loops of networks from bits, for one set of instructions.
struct BitKernels {
  /// How many bits differ; words is a multiple of 4, as below.
  std::size_t (*differing)(const Word* a, const Word* b, std::size_t words);
  /// counts[k] += 1 where bit k is `up`, else -1 (modulo 256).
  void (*count_signs)(const Word* bits, std::size_t words, bool up, std::int8_t* counts);
  /// sums[k] += 2 counts[k], and counts[k] = 0; count is a multiple of 64.
  void (*settle)(std::int8_t* counts, std::size_t count, std::int32_t* sums);
  /// fields[j] += 2 products[j], or -= where not up; count is a multiple of 16.
  void (*add_products)(const std::int16_t* products, std::size_t count, bool up, std::int32_t* fields);
  /// The first i in from .. to-1 with states[i] * fields[i] - bounds[i] <= error, bounds being those of
  /// states[i], -1 or 1; or `to`.
  std::size_t (*first_open)(const std::int32_t* fields, const std::int8_t* states,
                            const std::int32_t* bounds_of_minus, const std::int32_t* bounds_of_plus,
                            std::int32_t error, std::size_t from, std::size_t to);
  /// The sum of values[k] where bit k is 1, and of -values[k] elsewhere.
  std::int32_t (*signed_sum)(const Word* bits, std::size_t words, const std::int32_t* values);
  /// sums[c] = the sum of |values| over the c-th sixteen.
  void (*magnitudes)(const std::int32_t* values, std::size_t sixteens, std::int32_t* sums);
  /// For each four values a, and each subset of them, numbered by its bits:
  ///     (2 * sum of the subset + sum |a| - sum a + half) / 2^shift,  half = 2^shift / 2 rounded down,
  /// rounded down, in 16 bytes; ascending four by four. The caller sees to it that it is below 256.
  void (*make_tables)(const std::int32_t* values, std::size_t fours, unsigned shift, std::uint8_t* tables);
  /// sums[i] = the sum over all fours of the entry that the bits of spin i select. A tile holds, for each 8
  /// patterns, a byte of each of its 64 spins. No four tables beside each other reach beyond 255 together,
  /// counted from an even byte on; columns (bytes of a spin) is even.
  void (*look_up)(const std::uint8_t* tile, const std::uint8_t* tables, std::size_t columns,
                  std::int32_t* sums);
  /// Of a tile's 64 sums: sums[i] <- sums[i] * 2^shift - offset.
  void (*scale)(std::int32_t* sums, unsigned shift, std::int32_t offset);
  /// sums[i] += value where bit number `bit` of byte i is 1, else -=; of a tile's 64.
  void (*add_signed)(const std::uint8_t* bytes, unsigned bit, std::int32_t value, std::int32_t* sums);
  /// fields[8 s + lane] = 2 * the sum of the weights, in steps[starts[s]] .. up to steps[starts[s + 1]], of
  /// that lane's links to bits that are 1, - totals[8 s + lane]. The caller sees to it that a sum is in range.
  void (*slice_fields)(const LinkStep* steps, const std::uint32_t* starts, std::size_t slices,
                       const std::uint32_t* bits, const std::int64_t* totals, std::int64_t* fields);
  /// The sum of the weights of all lanes' links to bits that are 1.
  std::int64_t (*sum_links)(const LinkStep* steps, std::size_t count, const std::uint32_t* bits);
};

/// Whether this processor reads words at several places faster by one instruction than one after the other.
bool gathers_fast();

/// `gather`: where there is such an instruction, take it. The results are the same bits.
/// Errors  std::invalid_argument for instructions that are not available
const BitKernels& bit_kernels(Instructions instructions, bool gather = gathers_fast());

}  // namespace engram::core
