// SPDX-License-Identifier: MIT
// The words of a text, where it cannot be read as Narsese or need not be.
#pragma once

#include <cstddef>
#include <string_view>

namespace engram::narsese {

/// The text without the blanks at its ends.
constexpr std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Bytes of the character of Unicode's White_Space property beyond ASCII that a text begins with: a no-break space
/// (U+00A0), an ideographic space (U+3000) and the like; 0 if it begins with another one.
constexpr std::size_t wide_blank(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(0), second = byte(1), third = byte(2);
  if (first == 0xC2) return second == 0x85 || second == 0xA0 ? 2 : 0;
  const bool general = first == 0xE2 && second == 0x80 &&
                       ((third >= 0x80 && third <= 0x8A) || third == 0xA8 || third == 0xA9 || third == 0xAF);
  const bool others = (first == 0xE1 && second == 0x9A && third == 0x80) ||
                      (first == 0xE2 && second == 0x81 && third == 0x9F) ||
                      (first == 0xE3 && second == 0x80 && third == 0x80);
  return general || others ? 3 : 0;
}

/// The text without the blanks at its ends, those beyond ASCII among them.
constexpr std::string_view trim_wide(std::string_view text) {
  for (;;) {
    text = trim(text);
    if (const std::size_t bytes = wide_blank(text); bytes > 0)
      text.remove_prefix(bytes);
    else if (text.size() >= 2 && wide_blank(text.substr(text.size() - 2)) == 2)
      text.remove_suffix(2);
    else if (text.size() >= 3 && wide_blank(text.substr(text.size() - 3)) == 3)
      text.remove_suffix(3);
    else
      return text;
  }
}

/// A letter, digit or underscore; bytes from 0x80 on are parts of letters.
constexpr bool is_word_letter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Calls visit(word) for each of the longest runs of word letters.
template <class Visit>
void for_each_word(std::string_view text, Visit visit) {
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word_letter(text[end])) ++end;
    if (end > i) visit(text.substr(i, end - i));
    i = end + 1;
  }
}

}  // namespace engram::narsese
