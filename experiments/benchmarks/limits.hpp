// SPDX-License-Identifier: MIT
// What no program can be faster than on this machine, as contestants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "experiments/benchmarks/contest.hpp"

namespace engram::benchmarks {

using Bytes = std::span<const std::byte>;

/// Reading all of it once, as floats. Whether it pays to ask for memory ahead depends on the processor, so there are two
/// ways; the limit is the faster one.
/// Ranges   pieces aligned to 4 bytes
void add_reading(std::vector<Contestant>& contestants, const std::string& what, const std::vector<Bytes>& all,
                 double pieces, unsigned threads = 1);

/// So many fused multiply-adds in single precision, in registers.
Contestant multiplications(double fused_adds, double pieces);

/// Changing one of `slots` numbers after another in a given order: as where each is wanted were known.
/// `slots` and `order` outlive it.
Contestant random_changes(std::vector<double>& slots, const std::vector<std::uint32_t>& order);

}  // namespace engram::benchmarks
