// SPDX-License-Identifier: MIT
// Functions that look at 16 bytes at once (SSE2 or portable code), and padded copies of texts for them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace engram::narsese {

inline constexpr std::size_t scan_bytes = 16;

/// Whether c is part of a name in every dialect: a digit, a Latin letter, '_', or a byte from 0x80 on, which belongs
/// to another letter.
constexpr bool is_letter(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c >= 0x80;
}

/// Whether c is printable ASCII or a blank.
constexpr bool is_printable(unsigned char c) { return c >= ' ' && c < 0x7F; }

/// 16 bytes as two words. The bytes are loaded as two words, because a load of 16 bytes would wait for words that were
/// just stored.
struct TwoWords {
  std::uint64_t first, second;

  /// Loads 16 bytes from any address.
  static TwoWords at(const void* bytes) {
    TwoWords words;
    std::memcpy(&words.first, bytes, 8);
    std::memcpy(&words.second, static_cast<const char*>(bytes) + 8, 8);
    return words;
  }
  void copy_to(void* bytes) const {
    std::memcpy(bytes, &first, 8);
    std::memcpy(static_cast<char*>(bytes) + 8, &second, 8);
  }
  /// A mask with ones in the first `bytes` bytes (at most 16).
  static TwoWords mask(std::size_t bytes) {
    static constexpr std::array<unsigned char, 2 * scan_bytes> ones_then_zeros = [] {
      std::array<unsigned char, 2 * scan_bytes> bits{};
      std::fill_n(bits.begin(), scan_bytes, static_cast<unsigned char>(0xFF));
      return bits;
    }();
    return at(ones_then_zeros.data() + scan_bytes - bytes);
  }
};

#ifdef __SSE2__

namespace sse2 {
inline __m128i load(const char* bytes) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)); }
inline __m128i all(char c) { return _mm_set1_epi8(c); }
inline __m128i between(__m128i bytes, char low, char high) {
  const __m128i above = _mm_sub_epi8(bytes, all(low));
  return _mm_cmpeq_epi8(_mm_min_epu8(above, all(static_cast<char>(high - low))), above);
}
// c + 1 > ' ' as signed numbers: 0x7F and bytes from 0x80 on become negative.
inline __m128i printable(__m128i bytes) { return _mm_cmpgt_epi8(_mm_add_epi8(bytes, all(1)), all(' ')); }
inline __m128i copy(char* to, const char* from) {
  const __m128i bytes = load(from);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
  return bytes;
}
}  // namespace sse2

/// Number of letters at the start of a text, at most 16. The text must have 16 readable bytes.
inline std::size_t leading_letters(const char* text) {
  using namespace sse2;
  const __m128i bytes = load(text);
  const __m128i lower = _mm_or_si128(bytes, all(0x20));
  const __m128i letters = _mm_or_si128(_mm_or_si128(between(lower, 'a', 'z'), between(bytes, '0', '9')),
                                       _mm_cmpeq_epi8(bytes, all('_')));
  const auto is_one =
      static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(letters, bytes)));  // high bits, too
  return static_cast<std::size_t>(std::countr_one(is_one));
}

/// Whether the first `bytes` bytes (at most 16) are equal. 16 bytes must be readable at both addresses.
inline bool same_start(const void* a, const void* b, std::size_t bytes) {
  const auto first_16 = [](const void* from) { return sse2::load(static_cast<const char*>(from)); };
  const auto equal = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(first_16(a), first_16(b))));
  return (~equal & ((1U << bytes) - 1)) == 0;
}

/// Compares eight words with `word`. Bit i is set if words[i] is equal.
inline unsigned equal_words(const std::uint32_t* words, std::uint32_t word) {
  const auto load = [](const std::uint32_t* from) {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(from));
  };
  const __m128i asked = _mm_set1_epi32(static_cast<int>(word));
  const __m128i equal =
      _mm_packs_epi32(_mm_cmpeq_epi32(load(words), asked), _mm_cmpeq_epi32(load(words + 4), asked));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(equal, _mm_setzero_si128())));
}

/// Whether the text has a blank or tab. At least 16 bytes must be readable.
inline bool has_blank(const char* text, std::size_t bytes) {
  using namespace sse2;
  for (; bytes > scan_bytes; --bytes, ++text)
    if (*text == ' ' || *text == '\t') return true;
  const __m128i first = load(text);
  const __m128i blank = _mm_or_si128(_mm_cmpeq_epi8(first, all(' ')), _mm_cmpeq_epi8(first, all('\t')));
  return (static_cast<unsigned>(_mm_movemask_epi8(blank)) & ((1U << bytes) - 1)) != 0;
}

/// Copies `size` bytes and returns whether all are printable. `to` must have room for at least 16 bytes.
inline bool copy_and_check(char* to, const char* from, std::size_t size) {
  using namespace sse2;
  if (size == 0) return true;  // `from` may be null then
  if (size < scan_bytes) {
    char last[scan_bytes];
    std::memset(last, ' ', sizeof last);
    std::memcpy(last, from, size);
    std::memcpy(to, from, size);
    return _mm_movemask_epi8(printable(load(last))) == 0xFFFF;
  }
  // Steps of 32 bytes; the last one may overlap. Most lines have 33 to 64 bytes and all take the same path.
  __m128i good = all(-1);
  const auto step = [&](std::size_t first, std::size_t second) {
    good = _mm_and_si128(good, printable(copy(to + first, from + first)));
    good = _mm_and_si128(good, printable(copy(to + second, from + second)));
  };
  for (std::size_t i = 0; i + 2 * scan_bytes < size; i += 2 * scan_bytes) step(i, i + scan_bytes);
  step(size >= 2 * scan_bytes ? size - 2 * scan_bytes : 0, size - scan_bytes);
  return _mm_movemask_epi8(good) == 0xFFFF;
}

#else

/// Number of letters at the start of a text, at most 16. The text must have 16 readable bytes.
inline std::size_t leading_letters(const char* text) {
  std::size_t n = 0;
  while (n < scan_bytes && is_letter(static_cast<unsigned char>(text[n]))) ++n;
  return n;
}

/// Whether the first `bytes` bytes (at most 16) are equal. 16 bytes must be readable at both addresses.
inline bool same_start(const void* a, const void* b, std::size_t bytes) {
  const TwoWords x = TwoWords::at(a), y = TwoWords::at(b), mask = TwoWords::mask(bytes);
  return (((x.first ^ y.first) & mask.first) | ((x.second ^ y.second) & mask.second)) == 0;
}

/// Compares eight words with `word`. Bit i is set if words[i] is equal.
inline unsigned equal_words(const std::uint32_t* words, std::uint32_t word) {
  unsigned equal = 0;
  for (unsigned i = 0; i < 8; ++i) equal |= static_cast<unsigned>(words[i] == word) << i;
  return equal;
}

/// Whether the text has a blank or tab.
inline bool has_blank(const char* text, std::size_t bytes) {
  return std::memchr(text, ' ', bytes) != nullptr || std::memchr(text, '\t', bytes) != nullptr;
}

/// Copies `size` bytes and returns whether all are printable.
inline bool copy_and_check(char* to, const char* from, std::size_t size) {
  bool good = true;
  for (std::size_t i = 0; i < size; ++i) {
    to[i] = from[i];
    good = good && is_printable(static_cast<unsigned char>(from[i]));
  }
  return good;
}

#endif

/// Buffer for copies of texts, each followed by `padding` NUL bytes. A parser can look ahead without checking for the
/// end, because no text contains NUL.
class PaddedText {
 public:
  static constexpr std::size_t padding = 32;

  /// Removes all texts and reserves room for `texts` texts of `bytes` bytes in all.
  void restart(std::size_t bytes, std::size_t texts = 1) {
    const std::size_t room = bytes + texts * padding;
    if (bytes_.size() < room) bytes_.resize(2 * room);
    end_ = bytes_.data();
  }
  /// Adds room for a text of `size` bytes, with padding behind it, and returns its address. The caller writes the text
  /// there. The address is valid until the next restart(), which must have reserved enough room.
  char* add(std::size_t size) {
    char* const text = end_;
    std::memset(text + size, 0, padding);
    end_ += size + padding;
    return text;
  }

 private:
  std::vector<char> bytes_;
  char* end_ = nullptr;
};

}  // namespace engram::narsese
