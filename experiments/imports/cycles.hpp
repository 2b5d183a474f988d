// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "experiments/imports/knowledge.hpp"

namespace engram::experiments {

/// Cycles of inheritance: one for each strongly connected group of names, as indices of claims in order. The cycle is
/// the shortest one through the first claim of the group. Claims of a name about itself are ignored.
/// Cost     O(claims) time and memory (strongly connected components, Tarjan 1972)
std::vector<std::vector<std::size_t>> inheritance_cycles(const Knowledge& knowledge);

}  // namespace engram::experiments
