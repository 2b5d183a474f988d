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
/// Cost     O(n) time but for names, which are sorted object by object; no recursion
narsese::Result<Json, JsonError> read_json(std::string_view text, const JsonLimits& limits = {},
                                           JsonMember* apart = nullptr);

}  // namespace engram::bridge
