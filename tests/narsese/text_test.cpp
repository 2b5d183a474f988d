// SPDX-License-Identifier: MIT
#include "narsese/text.hpp"

#include <algorithm>
#include <cstdint>
#include <istream>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include "tests/narsese/random_term.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using engram::narsese::testing::Random;

namespace {

// UTF-8 by its definition (RFC 3629, section 3), for any number below 2^21.
std::string encode(std::uint32_t code) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(static_cast<unsigned char>(value)); };
  const auto tail = [&](unsigned shift) { return byte(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0 | (code >> 6)), tail(0)};
  if (code < 0x10000) return {byte(0xE0 | (code >> 12)), tail(6), tail(0)};
  return {byte(0xF0 | (code >> 18)), tail(12), tail(6), tail(0)};
}

bool is_scalar(std::uint32_t code) { return code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF); }

// Validates UTF-8 by decoding and encoding again, which is slow but simple.
bool obviously_valid(const std::string& bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const auto at = [&](std::size_t k) { return static_cast<unsigned char>(bytes[k]); };
    const std::size_t length = at(i) < 0x80 ? 1 : at(i) < 0xC0 ? 0 : at(i) < 0xE0 ? 2 : at(i) < 0xF0 ? 3 : 4;
    if (length == 0 || at(i) >= 0xF8 || i + length > bytes.size()) return false;
    std::uint32_t code = length == 1 ? at(i) : at(i) & (0x7Fu >> length);
    for (std::size_t k = 1; k < length; ++k) code = (code << 6) | (at(i + k) & 0x3Fu);
    if (!is_scalar(code) || encode(code) != bytes.substr(i, length)) return false;
    i += length;
  }
  return true;
}

}  // namespace

TEST_CASE("every code point up to U+10FFFF except surrogates is valid UTF-8", "[narsese][utf8]") {
  std::vector<std::uint32_t> wrong;
  for (std::uint32_t code = 0; code < 0x1FFFFF; ++code) {
    const std::string text = encode(code);
    const std::size_t expected = is_scalar(code) ? text.size() : 0;
    if (find_invalid_utf8(text) != expected) wrong.push_back(code);
  }
  CHECK(wrong == std::vector<std::uint32_t>{});
}

TEST_CASE("find_invalid_utf8 finds the first invalid byte", "[narsese][utf8]") {
  struct Case {
    std::string bytes;
    std::size_t offset;
  };
  const std::vector<Case> cases{
      {"\x80", 0},              // a continuation byte without a lead byte
      {"ab\xC0\x80", 2},        // NUL in two bytes is overlong
      {"a\xC1\xBF", 1},         // 0x7F in two bytes is overlong
      {"\xE0\x9F\xBF", 0},      // U+07FF in three bytes is overlong
      {"\xF0\x8F\xBF\xBF", 0},  // U+FFFF in four bytes is overlong
      {"ü\xED\xA0\x80", 2},     // the first surrogate
      {"\xED\xBF\xBF", 0},      // the last surrogate
      {"\xF4\x90\x80\x80", 0},  // U+110000 is too large
      {"\xF5\x80\x80\x80", 0},  // not a lead byte
      {"\xFF", 0},
      {"鸟\xC3", 3},        // one byte of two
      {"x\xE9\xB8", 1},     // two bytes of three
      {"\xF0\x9F\x90", 0},  // three bytes of four
      {"\xE9\xB8z", 0},     // a continuation byte is missing
      {"\xF0\x9F\x90z", 0},
      {std::string("\0\xFE", 2), 1},  // NUL itself is valid
  };
  for (const auto& [bytes, offset] : cases) {
    CHECK(find_invalid_utf8(bytes) == offset);
  }
}

TEST_CASE("well-formed text has no invalid byte", "[narsese][utf8]") {
  for (const std::string text :
       {"", "a", "ü", "鸟", "🐦", "a\xEF\xBB\xBFz", "\xED\x9F\xBF\xEE\x80\x80", "\x7F"})
    CHECK(find_invalid_utf8(text) == text.size());
}

TEST_CASE("find_invalid_utf8 agrees with decoding and encoding again", "[narsese][utf8]") {
  Random random(7);
  const std::string bytes_that_matter =
      "a\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5\xFF";
  std::size_t valid = 0, wrong = 0;
  for (int i = 0; i < 200000; ++i) {
    std::string text;
    for (std::size_t n = random.below(6); n > 0; --n) text += random.pick(bytes_that_matter);
    const std::size_t offset = find_invalid_utf8(text);
    valid += offset == text.size();
    wrong += (offset == text.size()) != obviously_valid(text);
    wrong += offset > text.size() || !obviously_valid(text.substr(0, offset));
  }
  CHECK(wrong == 0);
  CHECK(valid > 1000);
}

TEST_CASE("count_code_points counts code points, not bytes", "[narsese][utf8]") {
  CHECK(count_code_points("") == 0);
  CHECK(count_code_points("abc") == 3);
  CHECK(count_code_points("ü鸟🐦") == 3);
  CHECK(count_code_points("a\xCC\x88") == 2);  // a and a combining diaeresis: one letter, two code points
  CHECK(count_code_points(std::string_view("\0a", 2)) == 2);
}

TEST_CASE("stray bytes count as one code point each", "[narsese][utf8]") {
  CHECK(count_code_points("\xFF") == 1);
  CHECK(count_code_points("\x80") == 1);
  CHECK(count_code_points("a\x80\x80") == 3);
  CHECK(count_code_points("ü\x80") == 2);
  CHECK(count_code_points("\xE9\xB8") == 2);
}

namespace {

/// Stream buffer that gives a text in pieces of a given size. With 0 it gives single bytes without a buffer, like
/// std::cin.
class PiecewiseBuffer final : public std::streambuf {
 public:
  PiecewiseBuffer(std::string text, std::size_t at_a_time) : text_(std::move(text)), at_a_time_(at_a_time) {}

 private:
  int_type underflow() override {
    if (next_ == text_.size()) return traits_type::eof();
    if (at_a_time_ == 0) return traits_type::to_int_type(text_[next_]);
    char* const begin = text_.data() + next_;
    const std::size_t size = std::min(at_a_time_, text_.size() - next_);
    setg(begin, begin, begin + size);
    next_ += size;
    return traits_type::to_int_type(*begin);
  }
  int_type uflow() override {
    if (at_a_time_ > 0) return std::streambuf::uflow();
    return next_ == text_.size() ? traits_type::eof() : traits_type::to_int_type(text_[next_++]);
  }

  std::string text_;
  std::size_t at_a_time_, next_ = 0;
};

/// All lines of a text; a prefix marks lines that are too long.
std::vector<std::string> lines(const std::string& text, std::size_t max_bytes = 100,
                               std::size_t at_a_time = 1000) {
  PiecewiseBuffer buffer(text, at_a_time);
  std::istream in(&buffer);
  std::vector<std::string> lines;
  std::string line;
  for (auto status = LineStatus::line; (status = read_line(in, line, max_bytes)) != LineStatus::end;)
    lines.push_back((status == LineStatus::too_long ? "TOO LONG " : "") + line);
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a line ends with LF or CRLF", "[narsese][line_reader]") {
  CHECK(lines("") == Lines{});
  CHECK(lines("\n") == Lines{""});
  CHECK(lines("\r\n") == Lines{""});
  CHECK(lines("\n\n") == Lines{"", ""});
  CHECK(lines("a\nb\n") == Lines{"a", "b"});
  CHECK(lines("a\r\nb\r\n") == Lines{"a", "b"});
  CHECK(lines("a\nb") == Lines{"a", "b"});
  CHECK(lines("a\r\nb\r") == Lines{"a", "b"});
  CHECK(lines("a\rb\n") == Lines{"a\rb"});          // a lone carriage return does not end a line
  CHECK(lines("a\r\r\nb\n") == Lines{"a\r", "b"});  // only one carriage return belongs to the line end
  CHECK(lines(std::string("a\0b\nc", 5)) == Lines{std::string("a\0b", 3), "c"});
}

TEST_CASE("max_bytes is exact and excludes the line end", "[narsese][line_reader]") {
  CHECK(lines("abc\nd\n", 3) == Lines{"abc", "d"});
  CHECK(lines("abc\r\nd\n", 3) == Lines{"abc", "d"});
  CHECK(lines("abc", 3) == Lines{"abc"});
  CHECK(lines("abc\r", 3) == Lines{"abc"});
  CHECK(lines("abcd\nd\n", 3) == Lines{"TOO LONG abc", "d"});
  CHECK(lines("abcd\r\nd\r\n", 3) == Lines{"TOO LONG abc", "d"});
  CHECK(lines("abcd", 3) == Lines{"TOO LONG abc"});
  CHECK(lines("abc\r\r\nd\n", 3) == Lines{"TOO LONG abc", "d"});
  CHECK(lines("abc\rx\nd\n", 3) == Lines{"TOO LONG abc", "d"});
  CHECK(lines("ab\r\r\nd\n", 3) == Lines{"ab\r", "d"});
  CHECK(lines("a\n\nb", 0) == Lines{"TOO LONG ", "", "TOO LONG "});
}

TEST_CASE("read_line agrees with splitting the whole text", "[narsese][line_reader]") {
  Random random(51);
  std::string counterexample;
  for (int i = 0; i < 20000 && counterexample.empty(); ++i) {
    std::string text;
    for (std::size_t n = random.below(12); n > 0; --n) text += random.pick(std::string("ab\r\n"));
    const std::size_t most = random.below(4), at_a_time = random.below(4);
    Lines expected;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      std::string line = text.substr(begin, end - begin);
      if (line.ends_with('\r')) line.pop_back();
      expected.push_back(line.size() > most ? "TOO LONG " + line.substr(0, most) : line);
      begin = end + 1;
    }
    if (lines(text, most, at_a_time) != expected)
      counterexample =
          text + " with " + std::to_string(most) + ", " + std::to_string(at_a_time) + " at a time";
  }
  CHECK(counterexample == "");
}
