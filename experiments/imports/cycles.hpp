// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "experiments/imports/knowledge.hpp"

namespace engram::experiments {

/// Where inheritance leads back to where it began: for each group of names that inherit from each other, its
/// shortest way round through the first claim of the group, in order, as indices of claims. Claims of a name
/// about itself are passed over.
/// Cost     O(claims) time and memory (strongly connected components, Tarjan 1972)
std::vector<std::vector<std::size_t>> inheritance_cycles(const Knowledge& knowledge);

}  // namespace engram::experiments
