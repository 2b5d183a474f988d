// SPDX-License-Identifier: MIT
// Reading ahead by another thread, beside reading line by line: nothing may differ.
#include "narsese/read_ahead.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include "narsese/nal_reader.hpp"
#include "narsese/printer.hpp"
#include "tests/narsese/random_term.hpp"
#include "tests/narsese/shapes.hpp"
#include "tests/support/catch.hpp"

using namespace engram::narsese;
using namespace engram::narsese::testing;

namespace {

namespace fs = std::filesystem;

// Of any stream that has something, on any machine.
ReadAheadOptions always(std::size_t lines) {
  return {.least_bytes = 1, .least_processors = 0, .batch = {.lines = lines}};
}
ReadAheadOptions line_by_line(std::size_t lines) {
  return {.least_bytes = ReadAheadOptions::never, .batch = {.lines = lines}};
}

std::string told(const NalLine& line) {
  std::string text = std::to_string(line.number) + ' ' + std::to_string(static_cast<int>(line.kind)) + ' ' +
                     line.text + " | " + std::to_string(line.constructs) + ' ' + std::to_string(line.cycles);
  if (line.kind == NalLine::Kind::sentence) text += " | " + print(line.sentence);
  if (line.kind == NalLine::Kind::error)
    text += " | " + std::to_string(line.error.line) + ':' + std::to_string(line.error.column) + ": " +
            line.error.message();
  for (const ParseWarning& warning : line.warnings)
    text += " | " + std::to_string(warning.column) + ": " + warning.message;
  const Expectation& expected = line.expectation;
  text += " | " + std::to_string(static_cast<int>(expected.kind)) + ' ' + expected.text;
  if (expected.sentence) text += " = " + print(*expected.sentence);
  return text;
}

// All that is told, and what was in the table meanwhile; at the end what was thrown.
std::vector<std::string> read_all(std::istream& in, const ReadAheadOptions& ahead, Dialect dialect,
                                  std::size_t table_bytes) {
  std::vector<std::string> all;
  TermTable table;
  table.limit(table_bytes);
  NalReader reader(in, table, {}, dialect, ahead);
  try {
    while (const auto line = reader.next())
      all.push_back(told(*line) + " | " + std::to_string(table.size()) + (reader.is_ahead() ? " ahead" : ""));
  } catch (const std::exception& error) {
    all.push_back(error.what());
  }
  all.push_back(in.bad() ? "bad" : "good");
  return all;
}

void check_same(const std::string& text, Dialect dialect, std::size_t table_bytes = ReadAheadOptions::never) {
  for (const std::size_t lines : {1U, 3U, 128U}) {
    CAPTURE(lines, facts(dialect).name, table_bytes);
    std::istringstream one(text), other(text);
    CHECK(read_all(one, always(lines), dialect, table_bytes) ==
          read_all(other, line_by_line(lines), dialect, table_bytes));
  }
}

std::string all_files_of(const char* folder) {
  std::string text;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(ENGRAM_SOURCE_DIR) / folder))
    if (entry.is_regular_file() && entry.file_size() < 300'000) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    text += std::string(std::istreambuf_iterator<char>(in), {}) + '\n';
  }
  return text;
}

constexpr auto all_dialects = {Dialect::any, Dialect::common, Dialect::ona, Dialect::opennars,
                               Dialect::pynars};

/// Gives a text a few bytes at a time, and then fails once as a file does on a read error.
class Failing : public std::streambuf {
 public:
  explicit Failing(std::string text) : text_(std::move(text)) {}

 protected:
  int_type underflow() override {
    if (at_ == text_.size() && std::exchange(has_failed_, true)) return traits_type::eof();
    if (at_ == text_.size()) throw std::runtime_error("read error");
    const std::size_t size = std::min<std::size_t>(7, text_.size() - at_);
    setg(text_.data() + at_, text_.data() + at_, text_.data() + at_ + size);
    at_ += size;
    return traits_type::to_int_type(*gptr());
  }
  std::streamsize showmanyc() override { return 1; }

 private:
  std::string text_;
  std::size_t at_ = 0;
  bool has_failed_ = false;
};

}  // namespace

TEST_CASE("files are read ahead as line by line, in every dialect", "[narsese][read_ahead]") {
  for (const Dialect dialect : all_dialects)
    for (const char* folder : {"experiments/data", "tests/fuzz/corpus", "tests/hostile"}) {
      CAPTURE(folder);
      check_same(all_files_of(folder), dialect);
    }
}

TEST_CASE("hostile lines, variables and what fills the table are read ahead as line by line",
          "[narsese][read_ahead]") {
  std::string hostile;
  for (const HostileShape& shape : hostile_lines) hostile += shape.text(3000) + '\n';
  Random random(5);
  std::string sentences = "\xEF\xBB\xBF//expected: Answer: <a --> b>.\r\n//needed: <a --> b>.\n";
  for (int i = 0; i < 600; ++i) {
    TermTable table;
    sentences += print(RandomTerms(random, table).sentence());
    sentences += random.one_in(3) ? "\r\n" : "\n";
    if (random.one_in(9)) sentences += random.one_in(2) ? "12\n" : "//needed: <$1 --> (&&,b,a)>.\n";
  }
  for (const Dialect dialect : all_dialects) {
    check_same(hostile, dialect);
    check_same(sentences, dialect);
    for (const std::size_t bytes : {0U, 5000U, 50000U}) check_same(sentences, dialect, bytes);
  }
  check_same("", Dialect::any);
  check_same("<a --> b>.", Dialect::any);
  check_same(std::string(200'000, 'x') + "\n<a --> b>.\n" + std::string(70'000, '\n'), Dialect::any);
}

TEST_CASE("a stream that breaks while it is read ahead breaks where it does line by line",
          "[narsese][read_ahead]") {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "<a" + std::to_string(i) + " --> b>.\n";
  for (const auto exceptions : {std::ios::goodbit, std::ios::badbit}) {
    const auto read = [&](const ReadAheadOptions& options) {
      Failing buffer(text);
      std::istream in(&buffer);
      in.exceptions(exceptions);
      return read_all(in, options, Dialect::any, ReadAheadOptions::never);
    };
    CHECK(read(always(16)) == read(line_by_line(16)));
    CHECK(read(always(16)).size() > 1000);
  }
}

TEST_CASE("who stops reading early waits for no more than a batch", "[narsese][read_ahead]") {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "<a --> b>.\n";
  for (const std::size_t lines_read : {0U, 1U, 200U, 5000U}) {
    std::istringstream in(text);
    {
      TermTable table;
      NalReader reader(in, table, {}, Dialect::any, always(128));
      for (std::size_t i = 0; i < lines_read; ++i) REQUIRE(reader.next()->number == i + 1);
    }
    const auto left = static_cast<std::size_t>(in.rdbuf()->in_avail()), line = text.find('\n') + 1;
    CHECK(text.size() - left <= (lines_read + (ReadAhead::depth + 2) * 128) * line);
  }
}

TEST_CASE("no thread is started for little, nor where there is one processor alone",
          "[narsese][read_ahead]") {
  ReadAheadOptions options;
  options.least_processors = 0;
  CHECK_FALSE(options.wants_thread(1 << 20));
  CHECK(options.wants_thread((1 << 20) + 1));
  options.least_processors = 1'000'000;
  CHECK_FALSE(options.wants_thread(1 << 30));
  CHECK_FALSE(line_by_line(1).wants_thread(std::numeric_limits<std::streamsize>::max()));
}
