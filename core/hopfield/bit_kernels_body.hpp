// SPDX-License-Identifier: MIT
// The kernels of core/hopfield/bit_kernels.hpp in plain C++, which compilers vectorise. Files that are compiled for
// special instructions include this header, so all definitions have internal linkage.
#pragma once

#include "core/hopfield/bit_kernels.hpp"

namespace engram::core {
namespace {

struct PlainBits {
  static std::size_t differing(const Word* a, const Word* b, std::size_t words) {
    std::size_t count = 0;
    for (std::size_t w = 0; w < words; ++w)
      count += static_cast<std::size_t>(__builtin_popcountll(a[w] ^ b[w]));
    return count;
  }

  static void count_signs(const Word* bits, std::size_t words, bool up, std::int8_t* counts) {
    for (std::size_t k = 0; k < words * word_bits; ++k) {
      const bool bit = (bits[k / word_bits] >> k % word_bits & 1) != 0;
      counts[k] = static_cast<std::int8_t>(counts[k] + (bit == up ? 1 : -1));
    }
  }

  static void settle(std::int8_t* counts, std::size_t count, std::int32_t* sums) {
    for (std::size_t k = 0; k < count; ++k) sums[k] += 2 * counts[k];
    for (std::size_t k = 0; k < count; ++k) counts[k] = 0;
  }

  static void add_products(const std::int16_t* products, std::size_t count, bool up, std::int32_t* fields) {
    const std::int32_t mask = up ? 0 : -1;  // -x is ~x + 1
    for (std::size_t j = 0; j < count; ++j) fields[j] += (2 * products[j] ^ mask) - mask;
  }

  static std::size_t first_open(const std::int32_t* fields, const std::int8_t* states,
                                const std::int32_t* bounds_of_minus, const std::int32_t* bounds_of_plus,
                                std::int32_t error, std::size_t from, std::size_t to) {
    for (; from < to; ++from) {
      const std::int32_t bound = (states[from] > 0 ? bounds_of_plus : bounds_of_minus)[from];
      if (states[from] * fields[from] - bound <= error) break;
    }
    return from;
  }

  static std::int32_t signed_sum(const Word* bits, std::size_t words, const std::int32_t* values) {
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < words * word_bits; ++k)
      sum += (bits[k / word_bits] >> k % word_bits & 1) != 0 ? values[k] : -values[k];
    return sum;
  }

  static void magnitudes(const std::int32_t* values, std::size_t sixteens, std::int32_t* sums) {
    for (std::size_t c = 0; c < sixteens; ++c) {
      std::int32_t sum = 0;
      for (std::size_t k = 16 * c; k < 16 * c + 16; ++k) sum += values[k] < 0 ? -values[k] : values[k];
      sums[c] = sum;
    }
  }

  static void make_tables(const std::int32_t* values, std::size_t fours, unsigned shift,
                          std::uint8_t* tables) {
    for (std::size_t four = 0; four < fours; ++four) {
      const std::int32_t* a = values + 4 * four;
      std::int32_t entries[16] = {(1 << shift) / 2};
      for (std::size_t j = 0; j < 4; ++j) entries[0] += a[j] < 0 ? -2 * a[j] : 0;  // |a| - a
      for (std::size_t j = 0; j < 4; ++j)
        for (std::size_t v = 0; v < std::size_t{1} << j; ++v)
          entries[v + (std::size_t{1} << j)] = entries[v] + 2 * a[j];
      for (std::size_t v = 0; v < 16; ++v)
        tables[16 * four + v] = static_cast<std::uint8_t>(entries[v] >> shift);
    }
  }

  static void look_up(const std::uint8_t* tile, const std::uint8_t* tables, std::size_t columns,
                      std::int32_t* sums) {
    for (std::size_t i = 0; i < tile_spins; ++i) sums[i] = 0;
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t i = 0; i < tile_spins; ++i) {
        const std::uint8_t byte = tile[c * tile_spins + i];
        sums[i] += tables[32 * c + (byte & 15U)] + tables[32 * c + 16 + (byte >> 4)];
      }
  }

  static void scale(std::int32_t* sums, unsigned shift, std::int32_t offset) {
    for (std::size_t i = 0; i < tile_spins; ++i) sums[i] = (sums[i] << shift) - offset;
  }

  static void add_signed(const std::uint8_t* bytes, unsigned bit, std::int32_t value, std::int32_t* sums) {
    const std::int32_t mask = 1 << bit;
    for (std::size_t i = 0; i < tile_spins; ++i) sums[i] += (bytes[i] & mask) != 0 ? value : -value;
  }

  static std::int32_t if_up(const LinkStep& step, std::size_t lane, const std::uint32_t* bits) {
    const std::uint32_t bit = step.bit[lane];
    return step.weight[lane] & -static_cast<std::int32_t>(bits[bit / 32] >> (~bit & 31U) & 1U);
  }

  static void slice_fields(const LinkStep* steps, const std::uint32_t* starts, std::size_t slices,
                           const std::uint32_t* bits, const std::int64_t* totals, std::int64_t* fields) {
    for (std::size_t s = 0; s < slices; ++s) {
      std::int32_t lanes[LinkStep::links] = {};
      for (std::uint32_t step = starts[s]; step < starts[s + 1]; ++step)
        for (std::size_t lane = 0; lane < LinkStep::links; ++lane)
          lanes[lane] += if_up(steps[step], lane, bits);
      for (std::size_t lane = 0; lane < LinkStep::links; ++lane, ++totals, ++fields)
        *fields = 2 * std::int64_t{lanes[lane]} - *totals;
    }
  }

  static std::int64_t sum_links(const LinkStep* steps, std::size_t count, const std::uint32_t* bits) {
    std::int64_t sum = 0;
    for (std::size_t step = 0; step < count; ++step)
      for (std::size_t lane = 0; lane < LinkStep::links; ++lane) sum += if_up(steps[step], lane, bits);
    return sum;
  }
};

template <class Bits>
constexpr BitKernels bit_kernels_of{Bits::differing,  Bits::count_signs, Bits::settle,     Bits::add_products,
                                    Bits::first_open, Bits::signed_sum,  Bits::magnitudes, Bits::make_tables,
                                    Bits::look_up,    Bits::scale,       Bits::add_signed, Bits::slice_fields,
                                    Bits::sum_links};

}  // namespace
}  // namespace engram::core
