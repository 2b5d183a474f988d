// SPDX-License-Identifier: MIT
// JSON type and text formats of rows, specs and summaries.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/json/json_text.hpp"

namespace engram::experiments {

using Json = nlohmann::ordered_json;

/// Limits for JSON files, far above those of Engram's own files. Chosen: max_members bounds the cost of comparing two
/// specs.
inline constexpr bridge::JsonLimits file_limits{.max_bytes = std::size_t{64} << 20, .max_members = 10'000};

/// Parses a text within these limits; empty if it is not JSON.
std::optional<Json> json_in(std::string_view text);

/// Format of JSON files: indented, with a line feed at the end.
std::string pretty(const Json& json);
/// Format of JSONL files: one row a line.
std::string json_lines(const std::vector<Json>& rows);

/// Converts a value of an untrusted row to a whole number of at least 0.
/// Errors  nlohmann::json::exception for anything else, and for numbers beyond std::size_t
std::size_t whole(const Json& value);

}  // namespace engram::experiments
