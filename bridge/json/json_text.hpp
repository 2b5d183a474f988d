// SPDX-License-Identifier: MIT
// JSON as it comes from outside: what may be wrong with it as a text, and how an error in it is told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace engram::bridge {

/// Why a JSON text is not what it should be, and where.
struct JsonError {
  /// wrong: no JSON, or another value than expected; limit: nothing is wrong but that it is too much; missing,
  /// unknown: a member
  enum class Kind : std::uint8_t { wrong, limit, missing, unknown };

  std::string pointer;     // JSON Pointer (RFC 6901) to the value; for a missing one, where it belongs
  std::size_t offset = 0;  // bytes from the start of the text; 0 where the text as such is JSON
  std::size_t column = 1;  // the same in code points, counted from 1
  std::string expected;
  std::string found;
  Kind kind = Kind::wrong;

  /// "POINTER: expected X, found Y"; without the pointer where it is that of the whole text
  std::string message() const;
  /// The same of what a name stands for: "NAME must be X, found Y"; of a member that is not known: "unknown
  /// field Y; expected X"
  std::string message_about(const std::string& name) const;
};

/// The reference token of one member in a JSON Pointer: "/a~1b" for the name a/b.
std::string pointer_to(std::string_view name);

/// What a text may hold; checked while it is read, which ends at the first thing too many.
struct JsonLimits {
  std::size_t max_bytes = std::size_t{1} << 20;
  std::size_t max_depth = 32;  // of nested arrays and objects
  /// Arrays, objects, texts, numbers and the like, in all. Chosen: room for a matrix of 1448 x 1448. Measured
  /// at the peak of reading: at most 100 bytes each beside their own text, so 210 MB.
  std::size_t max_values = std::size_t{2} << 20;
  std::size_t max_members = std::numeric_limits<std::size_t>::max();  // of one object
  bool comments = false;  // whether // and /* */ are passed over, as in files that people write
};

/// The JSON text without blanks between its tokens, on one line.
/// Cost     O(n)
std::string without_blanks(std::string_view json);

}  // namespace engram::bridge
