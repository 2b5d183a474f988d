// SPDX-License-Identifier: MIT
// Limits: contestants that do only the necessary work, so that no program can be faster on this machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "experiments/benchmarks/contest.hpp"

namespace engram::benchmarks {

using Bytes = std::span<const std::byte>;

/// Adds contestants that read all bytes once, as floats. Whether prefetching helps depends on the processor, so there
/// is one with and one without. The limit is the faster one.
/// Ranges   pieces aligned to 4 bytes
void add_reading(std::vector<Contestant>& contestants, const std::string& what, const std::vector<Bytes>& all,
                 double pieces, unsigned threads = 1);

/// A number of fused multiply-adds in single precision, in registers.
Contestant multiplications(double fused_adds, double pieces);

/// Changes the numbers `slots` in the order of `order`, as if the place of each were known without a look-up. `slots`
/// and `order` must outlive the contestant.
Contestant random_changes(std::vector<double>& slots, const std::vector<std::uint32_t>& order);

}  // namespace engram::benchmarks
