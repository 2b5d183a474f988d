// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "narsese/dialect.hpp"
#include "narsese/nal_line.hpp"

namespace engram::narsese {

/// What NalReader takes a line for that is not blank, of whose blanks at both ends it is free, and that says
/// nothing of what to expect: a comment, a command, a number of cycles or, all else, a sentence.
NalLine::Kind kind_of_line(std::string_view text, Dialect dialect);

/// U+FEFF, which programs of Windows write at the start of a file. Readers skip it there and reject it elsewhere.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
/// What messages call one that does not stand at the start of a file.
inline constexpr const char* misplaced_byte_order_mark =
    "a byte order mark (U+FEFF), which may stand only at the start of a file";

}  // namespace engram::narsese
