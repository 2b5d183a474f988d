// SPDX-License-Identifier: MIT
// Compiled with AVX2 and POPCNT, which every processor with AVX2 has.
#include "core/hopfield/bit_kernels_wide.hpp"

namespace engram::core {

extern const BitKernels avx2_bit_kernels, avx2_gathering_bit_kernels;
const BitKernels avx2_bit_kernels = bit_kernels_of<Avx2Bits<false>>;
const BitKernels avx2_gathering_bit_kernels = bit_kernels_of<Avx2Bits<true>>;

}  // namespace engram::core
