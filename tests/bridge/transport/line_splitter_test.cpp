// SPDX-License-Identifier: MIT
#include "bridge/transport/line_splitter.hpp"

#include <sstream>
#include <string>
#include <vector>

#include "core/numbers/random.hpp"
#include "narsese/text.hpp"
#include "tests/support/catch.hpp"

using namespace engram;
using bridge::LineSplitter;

namespace {

std::vector<std::string> drain(LineSplitter& splitter) {
  std::vector<std::string> lines;
  while (const auto line = splitter.next()) lines.push_back(line->too_long ? "(too long)" : line->text);
  return lines;
}

// Reference: the lines of a text as the reader of standard input returns them.
std::vector<std::string> read_lines(const std::string& text, std::size_t max_bytes) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  std::string line;
  for (;;) {
    const auto status = narsese::read_line(in, line, max_bytes);
    if (status == narsese::LineStatus::end) return lines;
    lines.push_back(status == narsese::LineStatus::too_long ? "(too long)" : line);
  }
}

}  // namespace

TEST_CASE("lines are complete whatever pieces the bytes arrive in", "[bridge][transport]") {
  LineSplitter splitter(5);
  splitter.feed("a\r\nbc");
  CHECK(drain(splitter) == std::vector<std::string>{"a"});
  splitter.feed("d\n\n12345\n123456\n12");
  CHECK(drain(splitter) == std::vector<std::string>{"bcd", "", "12345", "(too long)"});
  splitter.feed("3456789");
  splitter.feed("x");
  CHECK(drain(splitter).empty());
  splitter.feed("y\nz");
  CHECK(drain(splitter) == std::vector<std::string>{"(too long)"});
  splitter.end();
  CHECK(drain(splitter) == std::vector<std::string>{"z"});
  CHECK(drain(splitter).empty());
}

TEST_CASE("a dropped line is skipped to its end", "[bridge][transport]") {
  LineSplitter splitter(100);
  splitter.feed("a\nbcd");
  CHECK(drain(splitter) == std::vector<std::string>{"a"});
  CHECK(splitter.partial_bytes() == 3);
  splitter.drop();
  CHECK(splitter.partial_bytes() == 0);
  CHECK(splitter.has_partial_line());
  splitter.feed("ef");
  CHECK(drain(splitter).empty());
  CHECK(splitter.partial_bytes() == 0);
  splitter.feed("g\nhi\n");
  CHECK(drain(splitter) == std::vector<std::string>{"(too long)", "hi"});
  CHECK_FALSE(splitter.has_partial_line());
}

TEST_CASE("random pieces give the lines that the stream reader gives", "[bridge][transport]") {
  core::Rng rng(3, "line splitter");
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (std::uint64_t n = rng.below(40); n > 0; --n) text += "ab\n\r\nc"[rng.below(6)];
    LineSplitter splitter(4);
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = 1 + rng.below(7);
      splitter.feed(std::string_view(text).substr(at, size));
      at += size;
      for (std::string& line : drain(splitter)) lines.push_back(std::move(line));
    }
    splitter.end();
    for (std::string& line : drain(splitter)) lines.push_back(std::move(line));
    INFO(text);
    REQUIRE(lines == read_lines(text, 4));
  }
}
