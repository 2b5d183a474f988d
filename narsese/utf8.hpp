// SPDX-License-Identifier: MIT
// The little that a line-based language needs to know of UTF-8.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace engram::narsese {

/// Offset of the first byte that is not part of well-formed UTF-8 (RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF), or bytes.size() where all is well. Cost O(n).
std::size_t find_invalid_utf8(std::string_view bytes);

/// Number of code points in well-formed UTF-8; stray bytes count as one each.
std::size_t count_code_points(std::string_view bytes);

/// The column of the first byte that is no UTF-8, counted from 1 in code points; nothing where all is well.
std::optional<std::size_t> invalid_utf8_column(std::string_view bytes);
inline constexpr const char* invalid_utf8_message = "expected UTF-8 text, found an invalid byte";

}  // namespace engram::narsese
