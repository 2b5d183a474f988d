// SPDX-License-Identifier: MIT
// JSON as it comes from outside: what may be wrong with it as a text, and how an error in it is told.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace engram::bridge {

/// Why a JSON text is not what it should be, and where.
struct JsonError {
  std::string pointer;     // JSON Pointer (RFC 6901) to the value; for a missing one, where it belongs
  std::size_t offset = 0;  // bytes from the start of the text; 0 where the text as such is JSON
  std::size_t column = 1;  // the same in code points, counted from 1
  std::string expected;
  std::string found;

  /// "POINTER: expected X, found Y"; without the pointer where it is that of the whole text
  std::string message() const;
};

/// The reference token of one member in a JSON Pointer: "/a~1b" for the name a/b.
std::string pointer_to(std::string_view name);

struct JsonLimits {
  std::size_t max_bytes = std::size_t{1} << 20;
  std::size_t max_depth = 32;  // of nested arrays and objects
};

/// What is wrong with a text as JSON (RFC 8259, in UTF-8), beginning with its length. Refused as well is what
/// the RFC leaves open: a name that stands twice in an object, a number beyond the range of a double.
/// Returns  nothing where all is well
/// Cost     O(n log n) time, O(depth + members of the open objects) memory; no recursion
std::optional<JsonError> check_json(std::string_view text, const JsonLimits& limits);

}  // namespace engram::bridge
