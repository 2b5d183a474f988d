// SPDX-License-Identifier: MIT
// Kernels of core/hopfield/bit_kernels.hpp with AVX2 intrinsics, if compilers do not vectorise the plain loops well.
// All definitions have internal linkage, because only files compiled for AVX2 include this header.
#pragma once

#include <immintrin.h>

#include "core/hopfield/bit_kernels_body.hpp"

namespace engram::core {
namespace {

// gathers: whether to load eight words of bits with one gather instruction.
template <bool gathers>
struct Avx2Bits : PlainBits {
  static __m256i load(const void* at) { return _mm256_loadu_si256(static_cast<const __m256i*>(at)); }
  static void store(void* at, __m256i x) { _mm256_storeu_si256(static_cast<__m256i*>(at), x); }
  static __m256i twice(const std::uint8_t* at) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
  }

  static std::size_t differing(const Word* a, const Word* b, std::size_t words) {
    const __m256i ones = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));  // popcounts of four bits
    const __m256i nibble = _mm256_set1_epi8(15);
    __m256i count = _mm256_setzero_si256();
    for (std::size_t from = 0, to; from < words; from = to) {
      to = words - from < 31 * padded_words ? words
                                            : from + 31 * padded_words;  // a step adds at most 8 to a byte
      __m256i bytes = _mm256_setzero_si256();
      for (std::size_t w = from; w < to; w += padded_words) {
        const __m256i x = _mm256_xor_si256(load(a + w), load(b + w));
        const __m256i low = _mm256_shuffle_epi8(ones, _mm256_and_si256(x, nibble));
        const __m256i high = _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16(x, 4), nibble));
        bytes = _mm256_add_epi8(bytes, _mm256_add_epi8(low, high));
      }
      count = _mm256_add_epi64(count, _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
    }
    const __m128i half = _mm_add_epi64(_mm256_castsi256_si128(count), _mm256_extracti128_si256(count, 1));
    return static_cast<std::size_t>(_mm_cvtsi128_si64(half) + _mm_extract_epi64(half, 1));
  }

  static void count_signs(const Word* bits, std::size_t words, bool up, std::int8_t* counts) {
    const __m256i byte_of = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit_of = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
    const __m256i wanted = up ? bit_of : _mm256_setzero_si256();
    const auto* halves = reinterpret_cast<const std::int32_t*>(bits);
    for (std::size_t h = 0; h < 2 * words; ++h, counts += 32) {
      const __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(halves[h]), byte_of);
      const __m256i yes = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit_of), wanted);        // -1 or 0
      const __m256i sign = _mm256_or_si256(_mm256_add_epi8(yes, yes), _mm256_set1_epi8(1));  // -1 or 1
      store(counts, _mm256_sub_epi8(load(counts), sign));
    }
  }

  static std::size_t first_open(const std::int32_t* fields, const std::int8_t* states,
                                const std::int32_t* bounds_of_minus, const std::int32_t* bounds_of_plus,
                                std::int32_t error, std::size_t from, std::size_t to) {
    const __m256i errors = _mm256_set1_epi32(error);
    for (; from + 8 <= to; from += 8) {
      const __m256i s =
          _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(states + from)));
      const __m256i bounds = _mm256_blendv_epi8(load(bounds_of_plus + from), load(bounds_of_minus + from), s);
      const __m256i beyond = _mm256_sub_epi32(_mm256_sign_epi32(load(fields + from), s), bounds);
      const auto closed =
          static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(beyond, errors))));
      if (closed != 255) return from + static_cast<std::size_t>(__builtin_ctz(~closed));
    }
    return PlainBits::first_open(fields, states, bounds_of_minus, bounds_of_plus, error, from, to);
  }

  static std::int32_t signed_sum(const Word* bits, std::size_t words, const std::int32_t* values) {
    __m256i sums[4] = {};
    const auto* halves = reinterpret_cast<const std::int32_t*>(bits);
    for (std::size_t h = 0; h < 2 * words; ++h, values += 32) {
      const __m256i no = _mm256_set1_epi32(~halves[h]);
      for (int part = 0; part < 4; ++part) {
        const int last = 31 - 8 * part;
        const __m256i to_sign =
            _mm256_setr_epi32(last, last - 1, last - 2, last - 3, last - 4, last - 5, last - 6, last - 7);
        const __m256i sign = _mm256_or_si256(_mm256_sllv_epi32(no, to_sign), _mm256_set1_epi32(1));
        sums[part] = _mm256_add_epi32(sums[part], _mm256_sign_epi32(load(values + 8 * part), sign));
      }
    }
    const __m256i sum =
        _mm256_add_epi32(_mm256_add_epi32(sums[0], sums[1]), _mm256_add_epi32(sums[2], sums[3]));
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1)));
  }

  static void make_tables(const std::int32_t* values, std::size_t fours, unsigned shift,
                          std::uint8_t* tables) {
    const __m128i by = _mm_cvtsi32_si128(static_cast<int>(shift));
    const __m256i first = _mm256_setr_epi32(0, -1, 0, -1, 0, -1, 0, -1);
    const __m256i second = _mm256_setr_epi32(0, 0, -1, -1, 0, 0, -1, -1);
    const __m256i third = _mm256_setr_epi32(0, 0, 0, 0, -1, -1, -1, -1);
    const std::int32_t half = (1 << shift) / 2;
    for (std::size_t four = 0; four < fours; ++four) {
      const std::int32_t* a = values + 4 * four;
      const auto below = [a](int j) { return a[j] & (a[j] >> 31); };  // min(a, 0)
      const std::int32_t least = half - 2 * (below(0) + below(1) + below(2) + below(3));
      const __m256i subset =
          _mm256_add_epi32(_mm256_and_si256(_mm256_set1_epi32(2 * a[0]), first),
                           _mm256_add_epi32(_mm256_and_si256(_mm256_set1_epi32(2 * a[1]), second),
                                            _mm256_and_si256(_mm256_set1_epi32(2 * a[2]), third)));
      const __m256i low = _mm256_add_epi32(subset, _mm256_set1_epi32(least));
      const __m256i high = _mm256_add_epi32(low, _mm256_set1_epi32(2 * a[3]));
      const __m256i both = _mm256_permute4x64_epi64(
          _mm256_packus_epi32(_mm256_srl_epi32(low, by), _mm256_srl_epi32(high, by)), 0xd8);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(tables + 16 * four),
                       _mm_packus_epi16(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1)));
    }
  }

  // Number of columns that can be summed in 16 bits: two columns add at most 255.
  static constexpr std::size_t columns_at_once = 512;

  static __m256i entries(const std::uint8_t* bytes, __m256i low_table, __m256i high_table) {
    const __m256i x = load(bytes), nibble = _mm256_set1_epi8(15);
    return _mm256_add_epi8(
        _mm256_shuffle_epi8(low_table, _mm256_and_si256(x, nibble)),
        _mm256_shuffle_epi8(high_table, _mm256_and_si256(_mm256_srli_epi16(x, 4), nibble)));
  }

  // Adds sums of bytes to `sums`. `all` holds even + 256 odd modulo 2^16, and `odd` holds the sums of odd bytes.
  static void add_sums(__m256i all, __m256i odd, std::int32_t* sums) {
    const __m256i even = _mm256_sub_epi16(all, _mm256_slli_epi16(odd, 8));
    const __m256i low = _mm256_unpacklo_epi16(even, odd), high = _mm256_unpackhi_epi16(even, odd);
    const auto add = [sums](int at, __m128i eight) {
      store(sums + at, _mm256_add_epi32(load(sums + at), _mm256_cvtepu16_epi32(eight)));
    };
    add(0, _mm256_castsi256_si128(low));
    add(8, _mm256_castsi256_si128(high));
    add(16, _mm256_extracti128_si256(low, 1));
    add(24, _mm256_extracti128_si256(high, 1));
  }

  static void look_up(const std::uint8_t* tile, const std::uint8_t* tables, std::size_t columns,
                      std::int32_t* sums) {
    for (std::size_t i = 0; i < tile_spins; ++i) sums[i] = 0;
    for (std::size_t from = 0; from < columns; from += columns_at_once) {
      const std::size_t to = columns - from < columns_at_once ? columns : from + columns_at_once;
      __m256i all[2] = {}, odd[2] = {};
      for (std::size_t c = from; c < to; c += 2) {
        const __m256i t0 = twice(tables + 32 * c), t1 = twice(tables + 32 * c + 16),
                      t2 = twice(tables + 32 * c + 32), t3 = twice(tables + 32 * c + 48);
        for (std::size_t half = 0; half < 2; ++half) {
          const std::uint8_t* bytes = tile + c * tile_spins + 32 * half;
          const __m256i sum = _mm256_add_epi8(entries(bytes, t0, t1), entries(bytes + tile_spins, t2, t3));
          all[half] = _mm256_add_epi16(all[half], sum);
          odd[half] = _mm256_add_epi16(odd[half], _mm256_srli_epi16(sum, 8));
        }
      }
      add_sums(all[0], odd[0], sums);
      add_sums(all[1], odd[1], sums + 32);
    }
  }

  // Loads, for each link of a step, the word with the bit of the unit at the other end.
  static __m256i words_of(const LinkStep* step, const std::uint32_t* bits) {
    if constexpr (gathers)
      return _mm256_i32gather_epi32(reinterpret_cast<const int*>(bits), _mm256_srli_epi32(load(step->bit), 5),
                                    4);
    const auto word = [&](int i) { return static_cast<int>(bits[step->bit[i] >> 5]); };
    return _mm256_setr_epi32(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7));
  }

  // Returns the weights of the links of a step, with 0 for links to bits that are 0.
  static __m256i if_up(const LinkStep* step, const std::uint32_t* bits) {
    constexpr int ahead = 40;  // chosen by experiment
    __builtin_prefetch(step + ahead);
    const __m256i bit = load(step->bit);
    const __m256i to_sign = _mm256_and_si256(bit, _mm256_set1_epi32(31));
    const __m256i mask = _mm256_srai_epi32(_mm256_sllv_epi32(words_of(step, bits), to_sign), 31);
    return _mm256_and_si256(mask, load(step->weight));
  }

  // Sets the fields of four lanes to 2 sums - totals.
  static void set_fields(__m128i sums, const std::int64_t* totals, std::int64_t* fields) {
    store(fields, _mm256_sub_epi64(_mm256_slli_epi64(_mm256_cvtepi32_epi64(sums), 1), load(totals)));
  }

  static void slice_fields(const LinkStep* steps, const std::uint32_t* starts, std::size_t slices,
                           const std::uint32_t* bits, const std::int64_t* totals, std::int64_t* fields) {
    const LinkStep* step = steps + starts[0];
    for (std::size_t s = 0; s < slices; ++s) {
      const LinkStep* end = steps + starts[s + 1];
      __m256i sum = _mm256_setzero_si256();
      for (; step < end; ++step) sum = _mm256_add_epi32(sum, if_up(step, bits));
      set_fields(_mm256_castsi256_si128(sum), totals + LinkStep::links * s, fields + LinkStep::links * s);
      set_fields(_mm256_extracti128_si256(sum, 1), totals + LinkStep::links * s + 4,
                 fields + LinkStep::links * s + 4);
    }
  }

  static std::int64_t sum_links(const LinkStep* steps, std::size_t count, const std::uint32_t* bits) {
    __m256i sum = _mm256_setzero_si256();
    for (std::size_t i = 0; i < count; ++i) {
      const __m256i weights = if_up(steps + i, bits);
      sum = _mm256_add_epi64(sum, _mm256_cvtepi32_epi64(_mm256_castsi256_si128(weights)));
      sum = _mm256_add_epi64(sum, _mm256_cvtepi32_epi64(_mm256_extracti128_si256(weights, 1)));
    }
    const __m128i half = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    return _mm_cvtsi128_si64(half) + _mm_extract_epi64(half, 1);
  }
};

}  // namespace
}  // namespace engram::core
