// SPDX-License-Identifier: MIT
#include "narsese/byte_scan.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "narsese/grammar_tables.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using engram::narsese::testing::Random;

TEST_CASE("leading_letters stops at the first byte that is not a letter", "[narsese][byte_scan]") {
  std::size_t wrong = 0;
  for (std::size_t length = 0; length <= scan_bytes; ++length)
    for (int byte = 0; byte < 256; ++byte) {
      std::string text(scan_bytes, 'x');
      if (length < scan_bytes) text[length] = static_cast<char>(byte);
      const bool goes_on = length == scan_bytes || is_letter(static_cast<unsigned char>(byte));
      wrong += leading_letters(text.data()) != (goes_on ? scan_bytes : length);
      text.assign(scan_bytes, static_cast<char>(byte));
      wrong += leading_letters(text.data()) != (is_letter(static_cast<unsigned char>(byte)) ? scan_bytes : 0);
    }
  CHECK(wrong == 0);
}

TEST_CASE("copy_and_check copies the text and detects unprintable bytes", "[narsese][byte_scan]") {
  std::size_t wrong = 0;
  for (std::size_t size = 0; size <= 140; ++size)
    for (std::size_t at = 0; at < size + 1; ++at)
      for (const char byte : {'\0', '\b', '\t', '\n', '\x1F', ' ', '~', '\x7F', '\x80', '\xFF'}) {
        std::string text(size, 'a');  // exact size, so a sanitizer detects reads beyond it
        if (at < size) text[at] = byte;
        std::string copy(size + scan_bytes, '#');
        wrong += copy_and_check(copy.data(), text.data(), size) !=
                 (at == size || is_printable(static_cast<unsigned char>(byte)));
        wrong += copy.substr(0, size) != text;
      }
  CHECK(wrong == 0);
}

TEST_CASE("same_start ignores bytes beyond the given number", "[narsese][byte_scan]") {
  std::size_t wrong = 0;
  const std::string a = "0123456789abcdef";
  for (std::size_t bytes = 0; bytes <= scan_bytes; ++bytes)
    for (std::size_t at = 0; at < scan_bytes; ++at) {
      std::string b = a;
      b[at] = '#';
      wrong += same_start(a.data(), b.data(), bytes) != (at >= bytes);
      wrong += !same_start(a.data(), std::string(a).data(), bytes);
    }
  CHECK(wrong == 0);
}

TEST_CASE("a token table finds exactly its tokens", "[narsese][byte_scan]") {
  static constexpr std::array<std::string_view, 9> tokens{"-->", "<->", "&",   "&&", "&/",
                                                          "\\",  "\\1", "=/>", "="};
  constexpr TokenTable table([](std::size_t i) { return tokens[i]; },
                             std::integral_constant<std::size_t, tokens.size()>());
  Random random(42);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    wrong += table.find(std::string(tokens[i]).data(), tokens[i].size()) != i;
  for (int i = 0; i < 200000; ++i) {
    std::string text;
    for (std::size_t n = 1 + random.below(3); n > 0; --n)
      text += random.one_in(4) ? static_cast<char>(random.below(256)) : "-<>&/\\=1"[random.below(8)];
    const auto known = std::find(tokens.begin(), tokens.end(), text);
    const auto expected = known == tokens.end() ? no_token : static_cast<std::size_t>(known - tokens.begin());
    wrong += table.find(text.data(), text.size()) != expected;
  }
  wrong += table.find("\0\0\0", 3) != no_token;
  CHECK(wrong == 0);
}
