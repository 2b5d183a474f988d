// SPDX-License-Identifier: MIT
// JSON as rows, specs and summaries are made of, and as they stand in files.
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

/// What a JSON file may hold: limits that no file of Engram's own comes near. Chosen: the members bound what
/// comparing two specs by their names takes.
inline constexpr bridge::JsonLimits file_limits{.max_bytes = std::size_t{64} << 20, .max_members = 10'000};

/// What a text is as JSON, within these limits; nothing for one that is none.
std::optional<Json> json_in(std::string_view text);

/// As JSON files are written: indented, with a line feed at the end.
std::string pretty(const Json& json);
/// A line each.
std::string json_lines(const std::vector<Json>& rows);

/// A whole number, 0 or more, of a row that may be anybody's.  Errors  nlohmann::json::exception for anything
/// else: a number beyond the range of a size would not become one
std::size_t whole(const Json& value);

}  // namespace engram::experiments
