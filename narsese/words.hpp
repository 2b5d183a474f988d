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
