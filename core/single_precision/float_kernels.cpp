// SPDX-License-Identifier: MIT
#include "core/single_precision/float_kernels.hpp"

#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/single_precision/float_kernels_body.hpp"

namespace engram::core {

#ifdef ENGRAM_X86_KERNELS  // set by the build if it compiles these kernels
extern const FloatKernels avx2_kernels, avx512_kernels;
#endif

namespace {

// Lanes in plain C++. std::fma is slow, but exact, on a processor without fused multiply-add.
struct PortableLanes {
  static constexpr int queries = 2, sums = 2;
  float lanes[lane_keys];

  template <class Lane>
  static PortableLanes each(Lane lane) {
    PortableLanes result;
    for (std::size_t i = 0; i < lane_keys; ++i) result.lanes[i] = lane(i);
    return result;
  }
  static PortableLanes all(float x) {
    return each([&](std::size_t) { return x; });
  }
  static PortableLanes load(const float* at) {
    return each([&](std::size_t i) { return at[i]; });
  }
  static PortableLanes load(const Bf16* at) {
    return each([&](std::size_t i) {
      return std::bit_cast<float>(static_cast<std::uint32_t>(at[stored_place<Bf16>(i)]) << 16);
    });
  }
  void store(float* at) const {
    for (std::size_t i = 0; i < lane_keys; ++i) at[i] = lanes[i];
  }
  static PortableLanes multiply_add(const PortableLanes& a, const PortableLanes& b, const PortableLanes& c) {
    return each([&](std::size_t i) { return std::fma(a.lanes[i], b.lanes[i], c.lanes[i]); });
  }
  static PortableLanes add(const PortableLanes& a, const PortableLanes& b) {
    return each([&](std::size_t i) { return a.lanes[i] + b.lanes[i]; });
  }
  static PortableLanes subtract(const PortableLanes& a, const PortableLanes& b) {
    return each([&](std::size_t i) { return a.lanes[i] - b.lanes[i]; });
  }
  static PortableLanes max(const PortableLanes& a, const PortableLanes& b) {
    return each([&](std::size_t i) { return a.lanes[i] > b.lanes[i] ? a.lanes[i] : b.lanes[i]; });
  }
  static PortableLanes add_to_exponent(const PortableLanes& x, const PortableLanes& shifted) {
    return each([&](std::size_t i) {
      const std::uint32_t exponent = std::bit_cast<std::uint32_t>(shifted.lanes[i]) << 23;
      return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x.lanes[i]) + exponent);
    });
  }
  static PortableLanes zero_below(const PortableLanes& x, const PortableLanes& key, float limit) {
    return each([&](std::size_t i) { return key.lanes[i] >= limit ? x.lanes[i] : 0.0F; });
  }
};

constexpr FloatKernels portable_kernels = kernels_of<PortableLanes>;

Instructions best_instructions() {
  if (available(Instructions::avx512)) return Instructions::avx512;
  return available(Instructions::avx2) ? Instructions::avx2 : Instructions::portable;
}

}  // namespace

bool available(Instructions instructions) {
#ifdef ENGRAM_X86_KERNELS
  if (instructions == Instructions::avx2)
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (instructions == Instructions::avx512) return __builtin_cpu_supports("avx512f") != 0;
#endif
  return instructions == Instructions::portable || instructions == Instructions::best;
}

std::string_view name(Instructions instructions) {
  switch (instructions) {
    case Instructions::portable:
      return "portable";
    case Instructions::avx2:
      return "avx2";
    case Instructions::avx512:
      return "avx512";
    case Instructions::best:
      break;
  }
  return name(best_instructions());
}

const FloatKernels& float_kernels(Instructions instructions) {
  if (!available(instructions))
    throw std::invalid_argument("this processor or this build does not support the instructions " +
                                std::string(name(instructions)));
  if (instructions == Instructions::best) instructions = best_instructions();
#ifdef ENGRAM_X86_KERNELS
  if (instructions == Instructions::avx512) return avx512_kernels;
  if (instructions == Instructions::avx2) return avx2_kernels;
#endif
  return portable_kernels;
}

}  // namespace engram::core
