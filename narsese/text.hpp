// SPDX-License-Identifier: MIT
// Functions on input text: validate UTF-8, trim blanks, split a text into words, and read lines of bounded length from
// a stream.
#pragma once

#include <cstddef>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

namespace engram::narsese {

/// Returns the offset of the first byte that is not well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates,
/// nothing above U+10FFFF). Returns bytes.size() if all bytes are valid.
/// Cost     O(n)
std::size_t find_invalid_utf8(std::string_view bytes);

/// Returns the number of code points. A byte that is not valid UTF-8 counts as one.
std::size_t count_code_points(std::string_view bytes);

/// Returns the column of the first byte that is not valid UTF-8, counted from 1 in code points, or nothing if all bytes
/// are valid. Use it for error messages.
std::optional<std::size_t> invalid_utf8_column(std::string_view bytes);
inline constexpr const char* invalid_utf8_message = "expected UTF-8 text, found an invalid byte";

/// U+FEFF, which Windows programs write at the start of a file. Readers skip it there and reject it elsewhere.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
/// Description of a misplaced byte order mark, for messages.
inline constexpr const char* misplaced_byte_order_mark =
    "a byte order mark (U+FEFF), which is allowed only at the start of a file";

/// Returns the text without blanks and tabs at its ends.
constexpr std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Returns the number of bytes of the non-ASCII white space character at the start of the text (Unicode's White_Space:
/// U+00A0, U+3000, ...), or 0 if the text begins with something else.
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

/// Returns the text without blanks, tabs and other white space of Unicode at its ends.
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

/// Whether c is a letter, digit or underscore. Bytes from 0x80 on count as parts of letters.
constexpr bool is_word_letter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Calls visit(word) for each maximal run of word letters.
template <class Visit>
void for_each_word(std::string_view text, Visit visit) {
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word_letter(text[end])) ++end;
    if (end > i) visit(text.substr(i, end - i));
    i = end + 1;
  }
}

/// Outcome of read_line(): a line, a line longer than the limit, or the end of the stream.
enum class LineStatus { line, too_long, end };

/// Reads the next line into `text`, without its line end (LF or CRLF). If a line is longer than max_bytes, the function
/// skips the rest, so memory stays bounded, and returns `too_long`. After a read error it returns `end`, and in.bad()
/// is true.
LineStatus read_line(std::istream& in, std::string& text, std::size_t max_bytes);

}  // namespace engram::narsese
