// SPDX-License-Identifier: MIT
#include "tests/narsese/work_counter.hpp"

namespace {
std::uint64_t blocks = 0;
}

/// The compiler inserts a call of this function at the start of each block.
extern "C" void __sanitizer_cov_trace_pc() { ++blocks; }

namespace engram::narsese::testing {

std::uint64_t work_done() { return blocks; }

}  // namespace engram::narsese::testing
