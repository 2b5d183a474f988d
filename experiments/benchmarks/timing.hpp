// SPDX-License-Identifier: MIT
// Clocks, and the median of several rounds.
#pragma once

#include <vector>

namespace engram::benchmarks {

/// CPU time of all threads of this process.
double cpu_seconds();
/// Time of a monotonic clock.
double wall_seconds();

/// The median; the mean of the two middle values of an even number.
double median(std::vector<double> values);

}  // namespace engram::benchmarks
