// SPDX-License-Identifier: MIT
// Kernels compiled with AVX2 and POPCNT. Every processor with AVX2 has POPCNT.
#include "core/hopfield/bit_kernels_wide.hpp"

namespace engram::core {

extern const BitKernels avx2_bit_kernels, avx2_gathering_bit_kernels;
const BitKernels avx2_bit_kernels = bit_kernels_of<Avx2Bits<false>>;
const BitKernels avx2_gathering_bit_kernels = bit_kernels_of<Avx2Bits<true>>;

}  // namespace engram::core
