// SPDX-License-Identifier: MIT
// Numbers of rows of results, which may be somebody else's.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

namespace engram::experiments {

/// A whole number, 0 or more.  Errors  nlohmann::json::exception for anything else: a number beyond the range
/// of a size would not become one
std::size_t whole(const nlohmann::ordered_json& value);

}  // namespace engram::experiments
