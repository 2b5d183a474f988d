// SPDX-License-Identifier: MIT
// The one way in which JSON from outside becomes values. For .cpp files alone; no public header includes it.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "bridge/json_text.hpp"
#include "narsese/result.hpp"

namespace engram::bridge {

/// A member of the outermost object, as it is written.
struct JsonMember {
  std::string_view name;
  std::string_view text = {};  // empty where there is no such member
};

/// The value that a text is as JSON (RFC 8259, in UTF-8), within the limits. Refused as well is what the RFC
/// leaves open: a name that stands twice in an object, a number beyond the range of a double.
/// `apart`  a member that is checked like all others, but of which the text is handed out and no value is
/// kept
/// `Value`  nlohmann::json or nlohmann::ordered_json
/// Cost     O(n) time but for names, which are sorted object by object; no recursion
template <class Value>
narsese::Result<Value, JsonError> read_json(std::string_view text, const JsonLimits& limits = {},
                                            JsonMember* apart = nullptr);

extern template narsese::Result<nlohmann::json, JsonError> read_json(std::string_view, const JsonLimits&,
                                                                     JsonMember*);
extern template narsese::Result<nlohmann::ordered_json, JsonError> read_json(std::string_view,
                                                                             const JsonLimits&, JsonMember*);

}  // namespace engram::bridge
