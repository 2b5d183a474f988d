// SPDX-License-Identifier: MIT
// Kernels compiled with AVX-512F and BW. One register holds a tile's 64 spins.
#include "core/hopfield/bit_kernels_wide.hpp"

namespace engram::core {
namespace {

template <bool gathers>
struct Avx512Bits : Avx2Bits<gathers> {
  using Base = Avx2Bits<gathers>;

  static __m512i table(const std::uint8_t* at) {
    return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
  }
  static __m512i entries(const std::uint8_t* bytes, const std::uint8_t* tables) {
    const __m512i x = _mm512_loadu_si512(bytes), nibble = _mm512_set1_epi8(15);
    return _mm512_add_epi8(
        _mm512_shuffle_epi8(table(tables), _mm512_and_si512(x, nibble)),
        _mm512_shuffle_epi8(table(tables + 16), _mm512_and_si512(_mm512_srli_epi16(x, 4), nibble)));
  }

  static void look_up(const std::uint8_t* tile, const std::uint8_t* tables, std::size_t columns,
                      std::int32_t* sums) {
    for (std::size_t i = 0; i < tile_spins; ++i) sums[i] = 0;
    for (std::size_t from = 0; from < columns; from += Base::columns_at_once) {
      const std::size_t to = columns - from < Base::columns_at_once ? columns : from + Base::columns_at_once;
      __m512i all = _mm512_setzero_si512(), odd = _mm512_setzero_si512();
      for (std::size_t c = from; c < to; c += 2) {
        const std::uint8_t* bytes = tile + c * tile_spins;
        const __m512i sum = _mm512_add_epi8(entries(bytes, tables + 32 * c),
                                            entries(bytes + tile_spins, tables + 32 * c + 32));
        all = _mm512_add_epi16(all, sum);
        odd = _mm512_add_epi16(odd, _mm512_srli_epi16(sum, 8));
      }
      Base::add_sums(_mm512_castsi512_si256(all), _mm512_castsi512_si256(odd), sums);
      Base::add_sums(_mm512_extracti64x4_epi64(all, 1), _mm512_extracti64x4_epi64(odd, 1), sums + 32);
    }
  }
};

}  // namespace

extern const BitKernels avx512_bit_kernels, avx512_gathering_bit_kernels;
const BitKernels avx512_bit_kernels = bit_kernels_of<Avx512Bits<false>>;
const BitKernels avx512_gathering_bit_kernels = bit_kernels_of<Avx512Bits<true>>;

}  // namespace engram::core
