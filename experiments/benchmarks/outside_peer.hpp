// SPDX-License-Identifier: MIT
// Contestants that are external programs and measure their own time.
#pragma once

#include <string>
#include <vector>

#include "experiments/benchmarks/contest.hpp"

namespace engram::benchmarks {

/// Runs the command in each round. Its last line of output must be the CPU seconds of the work.
/// Errors  ContestError, in a round, if the program cannot be run or does not print the seconds within ten minutes
Contestant outside_peer(const std::string& name, const std::vector<std::string>& command, double pieces);

}  // namespace engram::benchmarks
