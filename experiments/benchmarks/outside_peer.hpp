// SPDX-License-Identifier: MIT
// Programs that are no part of Engram, and time themselves.
#pragma once

#include <string>
#include <vector>

#include "experiments/benchmarks/contest.hpp"

namespace engram::benchmarks {

/// Runs the command in each round; its last line must be the seconds of processor time that its work took.
/// Errors  ContestError, in a round, where the program cannot be run or does not say so within ten minutes
Contestant outside_peer(const std::string& name, const std::vector<std::string>& command, double pieces);

}  // namespace engram::benchmarks
