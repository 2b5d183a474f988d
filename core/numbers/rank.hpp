// SPDX-License-Identifier: MIT
// The best of a ranking.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/numbers/sparse_vector.hpp"

namespace engram::core {

/// The `capacity` best of a ranking, best first (ties: the lower id); what scores nothing gets nothing.
/// Cost  O(held log capacity)
std::vector<std::uint32_t> rank(const SparseVector& scores, std::size_t capacity);

}  // namespace engram::core
