// SPDX-License-Identifier: MIT
// The little that a line-based language needs to know of UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace engram::narsese {

/// Offset of the first byte that is not part of well-formed UTF-8 (RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF), or bytes.size() where all is well. Cost O(n).
std::size_t find_invalid_utf8(std::string_view bytes);

/// Number of code points in well-formed UTF-8; stray bytes count as one each.
std::size_t count_code_points(std::string_view bytes);

}  // namespace engram::narsese
