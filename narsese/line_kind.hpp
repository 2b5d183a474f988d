// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "narsese/dialect.hpp"
#include "narsese/nal_line.hpp"

namespace engram::narsese {

/// What NalReader takes a line for that is not blank, of whose blanks at both ends it is free, and that says
/// nothing of what to expect: a comment, a command, a number of cycles or, all else, a sentence.
NalLine::Kind kind_of_line(std::string_view text, Dialect dialect);

/// Is no part of the first line of a file.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace engram::narsese
