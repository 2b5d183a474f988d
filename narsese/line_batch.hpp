// SPDX-License-Identifier: MIT
// Lines of a .nal file as far as they are read without a table of terms.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string_view>
#include <vector>

#include "narsese/nal_line.hpp"
#include "narsese/parser.hpp"

namespace engram::narsese {

/// Lines with their kinds. What is missing are the terms of sentences, which are plain trees, and the sentences
/// of expectations.
struct LineBatch {
  std::vector<NalLine> lines;
  std::vector<std::size_t> sentences, expectations;  // which of the lines
  std::vector<std::string_view> texts;               // of the sentences
  ReadSentences trees;                               // of the sentences
};

/// When a batch ends: with the line that makes it as large, or where the stream has no more at hand.
struct BatchSize {
  std::size_t lines = 128, bytes = std::size_t{1} << 16;  // chosen, not derived
};

/// Reads a stream batch by batch.
class LineBatchReader {
 public:
  static constexpr std::uint64_t max_cycles = 1'000'000'000;  // of one line; chosen, not derived

  LineBatchReader(std::istream& in, const ParseLimits& limits, Dialect dialect, const BatchSize& size)
      : in_(in), limits_(limits), dialect_(dialect), size_(size), parser_(dialect, limits) {}

  /// The next lines in place of those that are there, at least one but at the stream's end. A table of terms is
  /// asked to look ahead while trees are read (Parser::read).
  void read(LineBatch& batch, const TermTable* ahead = nullptr);
  /// How many bytes the stream gives without waiting.
  std::streamsize at_hand() const { return in_.bad() ? 0 : in_.rdbuf()->in_avail(); }

 private:
  std::optional<NalLine> read_line();
  void check_line_form(NalLine& line, std::string_view text, std::size_t indent) const;

  std::istream& in_;
  ParseLimits limits_;
  Dialect dialect_;
  BatchSize size_;
  Parser parser_;
  std::size_t number_ = 0;
};

}  // namespace engram::narsese
