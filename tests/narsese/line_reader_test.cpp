// SPDX-License-Identifier: MIT
#include "narsese/line_reader.hpp"

#include <algorithm>
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

/// Gives so many bytes of a text at a time; with 0, one by one and none to look at, as std::cin does.
class Pieces final : public std::streambuf {
 public:
  Pieces(std::string text, std::size_t at_a_time) : text_(std::move(text)), at_a_time_(at_a_time) {}

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

/// All lines of a text; one that is too long carries a mark in front.
std::vector<std::string> lines(const std::string& text, std::size_t max_bytes = 100,
                               std::size_t at_a_time = 1000) {
  Pieces pieces(text, at_a_time);
  std::istream in(&pieces);
  std::vector<std::string> lines;
  std::string line;
  for (auto status = LineStatus::line; (status = read_line(in, line, max_bytes)) != LineStatus::end;)
    lines.push_back((status == LineStatus::too_long ? "TOO LONG " : "") + line);
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("lines end with a line feed, with or without a carriage return", "[narsese][line_reader]") {
  CHECK(lines("") == Lines{});
  CHECK(lines("\n") == Lines{""});
  CHECK(lines("\r\n") == Lines{""});
  CHECK(lines("\n\n") == Lines{"", ""});
  CHECK(lines("a\nb\n") == Lines{"a", "b"});
  CHECK(lines("a\r\nb\r\n") == Lines{"a", "b"});
  CHECK(lines("a\nb") == Lines{"a", "b"});
  CHECK(lines("a\r\nb\r") == Lines{"a", "b"});
  CHECK(lines("a\rb\n") == Lines{"a\rb"});          // a lone carriage return ends nothing
  CHECK(lines("a\r\r\nb\n") == Lines{"a\r", "b"});  // one belongs to the line end
  CHECK(lines(std::string("a\0b\nc", 5)) == Lines{std::string("a\0b", 3), "c"});
}

TEST_CASE("max_bytes is exact, and a line end is no part of it", "[narsese][line_reader]") {
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
