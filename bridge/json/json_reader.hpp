// SPDX-License-Identifier: MIT
// Parser for all JSON from outside, with limits on size, and charged to the work budget.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "bridge/json/json_text.hpp"
#include "narsese/result.hpp"

namespace engram::bridge {

using Json = nlohmann::ordered_json;  // members keep their order

/// One member of the outermost object, as source text.
struct JsonMember {
  std::string_view name;
  std::string_view text = {};  // empty if the member is absent
};

/// Parses JSON (RFC 8259, in UTF-8) within limits. Also rejects two cases that the RFC leaves open: a duplicate name in
/// an object, and a number beyond the range of a double.
/// `apart`  a member to validate without keeping its value; its source text is stored there
/// Cost     O(n) time, plus sorting the names of each object; no recursion. Steps and bytes are charged to the work
///          budget (core/numbers/work_budget.hpp)
/// Errors   core::WorkStopped; `apart` has its text if it was read before
narsese::Result<Json, JsonError> read_json(std::string_view text, const JsonLimits& limits = {},
                                           JsonMember* apart = nullptr);

/// Bytes that a value owns, including spare capacity of lists.
std::size_t json_bytes(const Json& json);

/// Appends a value to a list, and charges it to the work budget. Use it if the length of the list depends on input.
/// Errors  core::WorkStopped
void add_to(Json& list, Json value);

/// Appends the text of a value, and charges the work.  Errors  core::WorkStopped
void append_json(std::string& text, const Json& json);

}  // namespace engram::bridge
