// SPDX-License-Identifier: MIT
// Names that look alike on a screen although their code points differ.
#pragma once

#include <string>
#include <string_view>

namespace engram::narsese {

/// What a name looks like: two names with equal appearances are hard to tell apart. Use it to find a name that
/// somebody pasted with an invisible character, or typed on another keyboard.
///
/// It is the confusable skeleton of the Unicode standard, without white space and invisible characters: the
/// Cyrillic letter that looks like a becomes a, and an accented letter is the same composed (NFC) and decomposed (NFD).
/// ASCII characters that resemble one another (l and 1, m and rn) have one appearance as well, so compare a name with
/// another only if one of the two is not ASCII.
///
/// Errors   none; text that is not UTF-8 is its own appearance
/// Cost     O(bytes), about a microsecond a name
/// Source   Unicode Technical Standard 39, section 4, as in ICU (uspoof_getSkeleton)
std::string appearance(std::string_view name);

/// The characters of a name that a reader cannot see or would take for an ASCII character, each once, in their order:
/// "U+200B ZERO WIDTH SPACE, U+0430 CYRILLIC SMALL LETTER A". At most three are named. Empty if there are none.
std::string deceptive_characters(std::string_view name);

/// The end of a message on two names that look alike: ": U+200B ZERO WIDTH SPACE". It lists the deceptive characters of
/// the first name, or of the second name if the first name has none. Empty if neither name has any.
std::string deceptive_ending(std::string_view name, std::string_view other);

/// Whether every byte is below 0x80.
bool is_ascii(std::string_view text);

}  // namespace engram::narsese
