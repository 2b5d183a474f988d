// SPDX-License-Identifier: MIT
#include "core/numbers/random.hpp"

#include <Random123/philox.h>

#include <numeric>
#include <utility>

#include "core/numbers/shapes.hpp"
#include "core/numbers/work_budget.hpp"
#include "narsese/hash_index.hpp"

namespace engram::core {

Rng::Rng(std::uint64_t seed, std::string_view stream, std::uint64_t trial)
    : key_(narsese::hash_combine(narsese::hash_bytes(stream), seed)), trial_(trial) {}

std::uint64_t Rng::bits() {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  const r123::Philox4x32::ctr_type counter{{low(draw_), high(draw_), low(trial_), high(trial_)}};
  const r123::Philox4x32::key_type key{{low(key_), high(key_)}};
  ++draw_;
  const auto block = r123::Philox4x32()(counter, key);
  return (std::uint64_t{block[1]} << 32) | block[0];
}

double Rng::uniform() { return (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52; }

std::uint64_t Rng::below(std::uint64_t bound) {
  require(bound > 0, "the bound of a random number must be above 0", bound);
  const std::uint64_t reject =
      (0 - bound) % bound;  // 2^64 mod bound: values below it would be over-represented
  for (;;)
    if (const std::uint64_t x = bits(); x >= reject) return x % bound;
}

std::vector<std::uint32_t> Rng::permutation(std::uint32_t n) {
  std::vector<std::uint32_t> items(n);
  std::iota(items.begin(), items.end(), 0u);
  charge(16 * std::uint64_t{n});
  for (std::uint32_t i = n; i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  return items;
}

}  // namespace engram::core
