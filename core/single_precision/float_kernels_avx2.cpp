// SPDX-License-Identifier: MIT
// Kernels compiled for AVX2 and FMA: 16 lanes are two registers.
#include <immintrin.h>

#include "core/single_precision/float_kernels_body.hpp"

namespace engram::core {
namespace {

struct Avx2Lanes {
  // 16 registers: 12 for sums, 2 for keys, 1 for a number of a query.
  static constexpr int queries = 6, sums = 6;
  __m256 low, high;

  static Avx2Lanes all(float x) { return {_mm256_set1_ps(x), _mm256_set1_ps(x)}; }
  static Avx2Lanes load(const float* at) { return {_mm256_loadu_ps(at), _mm256_loadu_ps(at + 8)}; }
  static Avx2Lanes load(const Bf16* at) {
    const __m256i pairs = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    return {_mm256_castsi256_ps(_mm256_slli_epi32(pairs, 16)),
            _mm256_castsi256_ps(_mm256_and_si256(pairs, _mm256_set1_epi32(-65536)))};
  }
  void store(float* at) const {
    _mm256_storeu_ps(at, low);
    _mm256_storeu_ps(at + 8, high);
  }
  static Avx2Lanes multiply_add(Avx2Lanes a, Avx2Lanes b, Avx2Lanes c) {
    return {_mm256_fmadd_ps(a.low, b.low, c.low), _mm256_fmadd_ps(a.high, b.high, c.high)};
  }
  static Avx2Lanes add(Avx2Lanes a, Avx2Lanes b) {
    return {_mm256_add_ps(a.low, b.low), _mm256_add_ps(a.high, b.high)};
  }
  static Avx2Lanes subtract(Avx2Lanes a, Avx2Lanes b) {
    return {_mm256_sub_ps(a.low, b.low), _mm256_sub_ps(a.high, b.high)};
  }
  static Avx2Lanes max(Avx2Lanes a, Avx2Lanes b) {
    return {_mm256_max_ps(a.low, b.low), _mm256_max_ps(a.high, b.high)};
  }
  static Avx2Lanes add_to_exponent(Avx2Lanes x, Avx2Lanes shifted) {
    return {raised(x.low, shifted.low), raised(x.high, shifted.high)};
  }
  static Avx2Lanes zero_below(Avx2Lanes x, Avx2Lanes key, float limit) {
    const __m256 limits = _mm256_set1_ps(limit);
    return {_mm256_and_ps(x.low, _mm256_cmp_ps(key.low, limits, _CMP_GE_OQ)),
            _mm256_and_ps(x.high, _mm256_cmp_ps(key.high, limits, _CMP_GE_OQ))};
  }

 private:
  static __m256 raised(__m256 x, __m256 shifted) {
    const __m256i exponent = _mm256_slli_epi32(_mm256_castps_si256(shifted), 23);
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(x), exponent));
  }
};

}  // namespace

extern const FloatKernels avx2_kernels;
const FloatKernels avx2_kernels = kernels_of<Avx2Lanes>;

}  // namespace engram::core
