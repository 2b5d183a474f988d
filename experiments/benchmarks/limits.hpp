// SPDX-License-Identifier: MIT
// Limits: contestants that do only the necessary work, so no program can be faster on this machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "experiments/benchmarks/contest.hpp"

namespace engram::benchmarks {

using Bytes = std::span<const std::byte>;

/// Adds two contestants that read all bytes once, as floats: one with and one without prefetching, because the faster
/// way depends on the processor.
/// Ranges   blocks aligned to 4 bytes, which must outlive the contest
void add_reading(Contest& contest, const std::string& what, const std::vector<Bytes>& blocks, double pieces,
                 unsigned threads = 1);

/// Contestant that computes this number of fused multiply-adds in single precision, with all numbers in registers.
Contestant multiplications(double fused_adds, double pieces);

/// Contestant that increments `slots` at each index in `order`: a lower bound for learning, because it needs no look-up
/// of the index. `slots` and `order` must outlive it.
Contestant random_changes(std::vector<double>& slots, const std::vector<std::uint32_t>& order);

}  // namespace engram::benchmarks
