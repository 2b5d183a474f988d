// SPDX-License-Identifier: MIT
#include "narsese/appearance.hpp"

#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uspoof.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

#include "narsese/utf8.hpp"

namespace engram::narsese {
namespace {

bool is_invisible(UChar32 c) {
  return u_isUWhiteSpace(c) || u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) || u_iscntrl(c) ||
         u_charType(c) == U_FORMAT_CHAR;
}

icu::UnicodeString visible(const icu::UnicodeString& text) {
  icu::UnicodeString kept;
  for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1))
    if (const UChar32 c = text.char32At(i); !is_invisible(c)) kept.append(c);
  return kept;
}

// The text unchanged if ICU's data is missing.
icu::UnicodeString skeleton(const icu::UnicodeString& text) {
  UErrorCode error = U_ZERO_ERROR;
  static USpoofChecker* const checker = uspoof_open(&error);  // only read, so threads may share it
  icu::UnicodeString made;
  if (checker != nullptr) uspoof_getSkeletonUnicodeString(checker, 0, text, made, &error);
  return checker != nullptr && U_SUCCESS(error) ? made : text;
}

bool looks_like_ascii(UChar32 c) {
  const icu::UnicodeString like = skeleton(icu::UnicodeString(c));
  return c >= 0x80 && like.length() > 0 && like.char32At(0) < 0x80;
}

std::string with_name(UChar32 c) {
  std::array<char, 16> number{};
  std::snprintf(number.data(), number.size(), "U+%04X", static_cast<unsigned>(c));
  std::array<char, 128> name{};
  UErrorCode error = U_ZERO_ERROR;
  u_charName(c, U_EXTENDED_CHAR_NAME, name.data(), static_cast<int32_t>(name.size()), &error);
  return U_SUCCESS(error) ? std::string(number.data()) + ' ' + name.data() : number.data();
}

icu::UnicodeString utf16(std::string_view text) {
  return icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
}

}  // namespace

std::string appearance(std::string_view name) {
  if (find_invalid_utf8(name) < name.size()) return std::string(name);
  std::string out;
  return visible(skeleton(visible(utf16(name)))).toUTF8String(out);
}

std::string deceptive_characters(std::string_view name) {
  constexpr std::size_t most_named = 3;
  std::string list;
  std::set<UChar32> named;
  const icu::UnicodeString text = utf16(name);
  for (int32_t i = 0; i < text.length() && named.size() < most_named; i = text.moveIndex32(i, 1)) {
    const UChar32 c = text.char32At(i);
    const bool combines = u_getCombiningClass(c) != 0;
    if ((!is_invisible(c) && !combines && !looks_like_ascii(c)) || !named.insert(c).second) continue;
    list += (list.empty() ? "" : ", ") + with_name(c);
  }
  return list;
}

std::string deceptive_ending(std::string_view name, std::string_view other) {
  std::string found = deceptive_characters(name);
  if (found.empty()) found = deceptive_characters(other);
  return found.empty() ? found : ": " + found;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace engram::narsese
