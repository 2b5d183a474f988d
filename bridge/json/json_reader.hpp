// SPDX-License-Identifier: MIT
// The one way in which JSON from outside becomes values.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "bridge/json/json_text.hpp"
#include "narsese/result.hpp"

namespace engram::bridge {

using Json = nlohmann::ordered_json;  // members in the order in which they are written

/// A member of the outermost object, as it is written.
struct JsonMember {
  std::string_view name;
  std::string_view text = {};  // empty where there is no such member
};

/// The value that a text is as JSON (RFC 8259, in UTF-8), within the limits. Refused as well is what the RFC
/// leaves open: a name that stands twice in an object, a number beyond the range of a double.
/// `apart`  a member that is checked like all others, but of which the text is handed out and no value is
/// kept
/// Cost     O(n) time but for names, which are sorted object by object; no recursion. Steps and bytes count for the
///          thread's work (core/numbers/work_budget.hpp)
/// Errors   core::WorkStopped; `apart` holds its text if it was read before
narsese::Result<Json, JsonError> read_json(std::string_view text, const JsonLimits& limits = {},
                                           JsonMember* apart = nullptr);

/// Bytes that a value takes beside itself, with room for lists to grow.
std::size_t json_bytes(const Json& json);

/// Appends a value to a list whose length input decides, and counts it for the thread's work.  Errors  core::WorkStopped
void add_to(Json& list, Json value);

/// Appends the text of a value, and counts both for the thread's work.  Errors  core::WorkStopped
void append_json(std::string& text, const Json& json);

}  // namespace engram::bridge
