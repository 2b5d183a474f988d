// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace engram::narsese {

/// The candidate that differs from `name` by the fewest letters inserted, dropped or changed; empty if all
/// differ by more than half of the name.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace engram::narsese
