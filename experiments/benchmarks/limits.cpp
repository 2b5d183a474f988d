// SPDX-License-Identifier: MIT
#include "experiments/benchmarks/limits.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define ENGRAM_X86
#endif

#include "core/numbers/work_budget.hpp"
#include "core/single_precision/float_kernels.hpp"

namespace engram::benchmarks {
namespace {

// Sums numbers in 64 lanes, which any compiler vectorises.
template <bool prefetches>
float read_numbers(std::span<const float> numbers) {
  constexpr std::size_t lanes = 64, ahead = 256;
  float sums[lanes] = {};
  for (std::size_t i = 0; i + lanes <= numbers.size(); i += lanes) {
    if constexpr (prefetches)
      for (std::size_t j = 0; j < lanes; j += 16) __builtin_prefetch(numbers.data() + i + ahead + j);
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += numbers[i + lane];
  }
  float total = 0;
  for (const float sum : sums) total += sum;
  return total;
}

// Reads all blocks once, with each block divided among the threads. Returns the sum of their floats.
double read_once(const std::vector<Bytes>& blocks, bool prefetches, unsigned threads) {
  std::vector<double> sums(blocks.size() * threads);
  core::for_each_task(sums.size(), threads, [&](std::size_t task, unsigned) {
    const Bytes bytes = blocks[task / threads];
    const std::size_t part = task % threads, count = bytes.size() / sizeof(float);
    const std::span<const float> numbers(reinterpret_cast<const float*>(bytes.data()), count);
    const std::size_t begin = count * part / threads, end = count * (part + 1) / threads;
    const auto own = numbers.subspan(begin, end - begin);
    sums[task] = double{prefetches ? read_numbers<true>(own) : read_numbers<false>(own)};
  });
  // The bytes may contain NaN. It is not equal to itself, so a checksum of NaN would look like a changed result.
  const double total = std::accumulate(sums.begin(), sums.end(), 0.0);
  return total == total ? total : 0;
}

constexpr std::size_t chains = 12;  // hides the latency of a multiplication, and fits into 16 registers

#ifdef ENGRAM_X86
__attribute__((target("avx512f"))) double multiply_512(std::uint64_t rounds) {
  __m512 sums[chains];  // initialised differently, so that the compiler cannot merge the chains
  for (std::size_t i = 0; i < chains; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512 factor = _mm512_set1_ps(0.5F), added = _mm512_set1_ps(1);
  for (std::uint64_t round = 0; round < rounds; ++round)
    for (__m512& sum : sums) sum = _mm512_fmadd_ps(sum, factor, added);
  __m512 total = sums[0];
  for (std::size_t i = 1; i < chains; ++i) total = _mm512_add_ps(total, sums[i]);
  return double{_mm512_cvtss_f32(total)};
}

__attribute__((target("avx2,fma"))) double multiply_256(std::uint64_t rounds) {
  __m256 sums[chains];  // initialised differently, so that the compiler cannot merge the chains
  for (std::size_t i = 0; i < chains; ++i) sums[i] = _mm256_set1_ps(static_cast<float>(i));
  const __m256 factor = _mm256_set1_ps(0.5F), added = _mm256_set1_ps(1);
  for (std::uint64_t round = 0; round < rounds; ++round)
    for (__m256& sum : sums) sum = _mm256_fmadd_ps(sum, factor, added);
  __m256 total = sums[0];
  for (std::size_t i = 1; i < chains; ++i) total = _mm256_add_ps(total, sums[i]);
  return double{_mm256_cvtss_f32(total)};
}
#endif

double multiply_plain(std::uint64_t rounds) {
  float sums[chains];
  std::iota(std::begin(sums), std::end(sums), 0.0F);
  for (std::uint64_t round = 0; round < rounds; ++round)
    for (float& sum : sums) sum = std::fma(sum, 0.5F, 1.0F);
  return double{std::accumulate(std::begin(sums), std::end(sums), 0.0F)};
}

// A multiplication loop, and the number of floats in one of its vectors.
struct Multiplier {
  std::size_t lanes;
  double (*multiply)(std::uint64_t rounds);
};

Multiplier widest_multiplier() {
#ifdef ENGRAM_X86
  if (core::available(core::Instructions::avx512)) return {16, multiply_512};
  if (core::available(core::Instructions::avx2)) return {8, multiply_256};
#endif
  return {1, multiply_plain};
}

}  // namespace

void add_reading(Contest& contest, const std::string& what, const std::vector<Bytes>& blocks, double pieces,
                 unsigned threads) {
  for (const bool prefetches : {false, true})
    contest.contestants.push_back(
        {.role = Role::limit,
         .name = "read " + what + " once" + (prefetches ? ", with prefetching" : ""),
         .pieces = pieces,
         .run = [=] { return read_once(blocks, prefetches, threads); },
         .threads = threads});
}

Contestant multiplications(double fused_adds, double pieces) {
  const Multiplier widest = widest_multiplier();
  const auto at_a_time = static_cast<double>(chains * widest.lanes);
  return {.role = Role::limit, .name = "the multiplications alone", .pieces = pieces, .run = [=] {
            return widest.multiply(static_cast<std::uint64_t>(fused_adds / at_a_time) + 1);
          }};
}

Contestant random_changes(std::vector<double>& slots, const std::vector<std::uint32_t>& order) {
  return {.role = Role::limit,
          .name = "increment numbers at known indices",
          .pieces = static_cast<double>(order.size()),
          .run = [&slots, &order] {
            std::ranges::fill(slots, 0.0);
            for (const std::uint32_t slot : order) slots[slot] += 1;
            return slots.empty() ? 0 : slots[0];
          }};
}

}  // namespace engram::benchmarks
