// SPDX-License-Identifier: MIT
// Parser for all JSON from outside, with limits on size, charged to the work budget. Callers that use a value include
// <nlohmann/json.hpp> themselves, so this header is cheap to compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "narsese/result.hpp"

namespace engram::bridge {

using Json = nlohmann::ordered_json;  // members keep their order

/// An error in a JSON text: its place, the expectation and the finding.
struct JsonError {
  /// wrong: invalid JSON, or an unexpected value; limit: valid, but too large; missing, unknown: about a member
  enum class Kind : std::uint8_t { wrong, limit, missing, unknown };

  std::string pointer = {};  // JSON Pointer (RFC 6901) to the value, or to the place of a missing one
  std::size_t offset = 0;    // bytes from the start of the text; 0 if the text is valid JSON
  std::size_t column = 1;    // the same position in code points, from 1
  std::string expected = {}, found = {};
  Kind kind = Kind::wrong;

  /// "POINTER: expected X, found Y"; without the pointer if the error concerns the whole text
  std::string message() const;
  /// The message for a named value: "NAME must be X, found Y"; for an unknown member: "unknown field Y; expected X"
  std::string message_about(const std::string& name) const;
};

/// Limits on a JSON text. Parsing stops at the first excess.
struct JsonLimits {
  std::size_t max_bytes = std::size_t{1} << 20;
  std::size_t max_depth = 32;  // depth of nested arrays and objects
  /// Number of values of all kinds. Chosen: enough for a matrix of 1448 x 1448. Measured: the peak of parsing is at
  /// most 100 bytes per value in addition to the text, so 210 MB.
  std::size_t max_values = std::size_t{2} << 20;
  std::size_t max_members = std::numeric_limits<std::size_t>::max();  // members of one object
  bool comments = false;  // accept // and /* */ comments, as in files written by people
};

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

/// Appends a value to a list, and charges it to the work budget. Use it if the length of the list depends on input.
/// Errors  core::WorkStopped
void add_to(Json& list, Json value);

/// Appends the text of a value, and charges the work.  Errors  core::WorkStopped
void append_json(std::string& text, const Json& json);

/// The token of a member in a JSON Pointer: "/a~1b" for the name a/b.
std::string pointer_to(std::string_view name);

/// The JSON text without blanks between tokens, on one line.  Cost  O(n)
std::string without_blanks(std::string_view json);

}  // namespace engram::bridge
