// SPDX-License-Identifier: MIT
// The best of a ranking.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/numbers/shapes.hpp"

namespace engram::core {

/// The `capacity` best of a ranking, best first (ties: the lower id); what scores nothing gets nothing.
std::vector<std::uint32_t> rank(const Vector& scores, std::size_t capacity);

}  // namespace engram::core
