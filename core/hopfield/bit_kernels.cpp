// SPDX-License-Identifier: MIT
#include "core/hopfield/bit_kernels.hpp"

#include <stdexcept>
#include <string>

#include "core/hopfield/bit_kernels_body.hpp"

namespace engram::core {

#ifdef ENGRAM_X86_KERNELS  // defined by the build if it compiles the files with these kernels
extern const BitKernels avx2_bit_kernels, avx2_gathering_bit_kernels, avx512_bit_kernels,
    avx512_gathering_bit_kernels;
#endif

bool gathers_fast() {
#ifdef ENGRAM_X86_KERNELS
  // AMD's gathers take about 40 micro-operations. On Zen 3, fields of 1,000,000 concepts took 1.4 times as long with
  // them.
  return __builtin_cpu_is("amd") == 0;
#else
  return false;
#endif
}

const BitKernels& bit_kernels(Instructions instructions, [[maybe_unused]] bool gather) {
  if (!available(instructions))
    throw std::invalid_argument("this processor, or this build, has no instructions " +
                                std::string(name(instructions)));
  static constexpr BitKernels portable = bit_kernels_of<PlainBits>;
#ifdef ENGRAM_X86_KERNELS
  // A few processors have AVX-512 without byte instructions (BW). They all have AVX2.
  const bool bytes = __builtin_cpu_supports("avx512bw") != 0;
  if (bytes && (instructions == Instructions::best || instructions == Instructions::avx512))
    return gather ? avx512_gathering_bit_kernels : avx512_bit_kernels;
  if (instructions != Instructions::portable && available(Instructions::avx2))
    return gather ? avx2_gathering_bit_kernels : avx2_bit_kernels;
#endif
  return portable;
}

}  // namespace engram::core
