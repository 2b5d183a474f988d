// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "narsese/dialect.hpp"
#include "narsese/nal_line.hpp"
#include "narsese/parse_error.hpp"

namespace engram::narsese {

/// What NalReader takes a line for that is not blank, of whose blanks at both ends it is free, and that says
/// nothing of what to expect: a comment, a command, a number of cycles or, all else, a sentence.
NalLine::Kind kind_of_line(std::string_view text, Dialect dialect);

/// The directive that a comment is likely a slip of: `//needed:` for `//needd:`, `//Needed:` and `//needed :`, or a form of
/// `//expected:` for one that the reader does not know. `text` as for kind_of_line; the column counts from its
/// start. Says nothing of directives themselves, and of comments such as `// needed: more birds`.
std::optional<ParseWarning> misspelt_directive(std::string_view text);

/// Whether a line is the command by which a system forgets everything: `*reset` of ONA, and what stands for it in others.
bool resets_memory(std::string_view line);

/// U+FEFF, which programs of Windows write at the start of a file. Readers skip it there and reject it elsewhere.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
/// What messages call one that does not stand at the start of a file.
inline constexpr const char* misplaced_byte_order_mark =
    "a byte order mark (U+FEFF), which may stand only at the start of a file";

}  // namespace engram::narsese
