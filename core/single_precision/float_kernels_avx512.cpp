// SPDX-License-Identifier: MIT
// Kernels compiled for AVX-512F: 16 lanes are one register.
#include <immintrin.h>

#include "core/single_precision/float_kernels_body.hpp"

namespace engram::core {
namespace {

struct Avx512Lanes {
  // 32 registers: 24 for sums, 3 for keys, 1 for a number of a query.
  static constexpr int queries = 8, sums = 24;
  __m512 lanes;

  static Avx512Lanes all(float x) { return {_mm512_set1_ps(x)}; }
  static Avx512Lanes load(const float* at) { return {_mm512_loadu_ps(at)}; }
  static Avx512Lanes load(const Bf16* at) {
    const __m256i pairs = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    const __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_slli_epi32(pairs, 16)), pairs, 1);
    return {_mm512_castsi512_ps(_mm512_and_si512(both, _mm512_set1_epi32(-65536)))};
  }
  void store(float* at) const { _mm512_storeu_ps(at, lanes); }
  static Avx512Lanes multiply_add(Avx512Lanes a, Avx512Lanes b, Avx512Lanes c) {
    return {_mm512_fmadd_ps(a.lanes, b.lanes, c.lanes)};
  }
  static Avx512Lanes add(Avx512Lanes a, Avx512Lanes b) { return {_mm512_add_ps(a.lanes, b.lanes)}; }
  static Avx512Lanes subtract(Avx512Lanes a, Avx512Lanes b) { return {_mm512_sub_ps(a.lanes, b.lanes)}; }
  static Avx512Lanes max(Avx512Lanes a, Avx512Lanes b) { return {_mm512_max_ps(a.lanes, b.lanes)}; }
  static Avx512Lanes add_to_exponent(Avx512Lanes x, Avx512Lanes shifted) {
    const __m512i exponent = _mm512_slli_epi32(_mm512_castps_si512(shifted.lanes), 23);
    return {_mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(x.lanes), exponent))};
  }
  static Avx512Lanes zero_below(Avx512Lanes x, Avx512Lanes key, float limit) {
    return {_mm512_maskz_mov_ps(_mm512_cmp_ps_mask(key.lanes, _mm512_set1_ps(limit), _CMP_GE_OQ), x.lanes)};
  }
};

}  // namespace

extern const FloatKernels avx512_kernels;
const FloatKernels avx512_kernels = kernels_of<Avx512Lanes>;

}  // namespace engram::core
