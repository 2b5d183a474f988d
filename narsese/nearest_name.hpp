// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace engram::narsese {

/// Letters to insert, drop or change that make one text the other, counted up to `most`.
/// Cost  O(a.size() b.size())
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most);

/// The candidate that differs from `name` by the fewest letters inserted, dropped or changed; empty if all
/// differ by more than half of the name.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace engram::narsese
