// SPDX-License-Identifier: MIT
// Clocks, and what is made of several rounds of the same work.
#pragma once

#include <vector>

namespace engram::benchmarks {

/// Of all threads of this process.
double cpu_seconds();
/// Of a clock that never goes back.
double wall_seconds();

/// The middle one; of an even number, the mean of the two in the middle.
/// Ranges   at least one value
double median(std::vector<double> values);

}  // namespace engram::benchmarks
