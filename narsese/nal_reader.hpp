// SPDX-License-Identifier: MIT
// Reads .nal files line by line: sentences, cycle counts, comments, commands and expectations, all kept.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>

#include "narsese/parser.hpp"

namespace engram::narsese {

/// What the author of a file says should come of it.
struct Expectation {
  enum class Kind : std::uint8_t {
    answer,        // //expected: Answer: TERM. ..        (ONA)
    execution,     // //expected: ^op executed with args ..  (ONA)
    contains,      // ''outputMustContain('..')            (OpenNARS, PyNARS)
    contains_not,  // ''outputMustNotContain('..')
    output,        // ''expect-cycle(..): .. and ''expect-contains: ..  (BabelNAR)
    needed,        // //needed: STATEMENT.   a premise of the shortest proof of the last answer (Engram)
  };
  Kind kind = Kind::answer;
  std::string text;                  // what is expected, as written
  std::optional<Sentence> sentence;  // the same, read, where it is a sentence
};

/// One line of a file.
struct NalLine {
  enum class Kind : std::uint8_t { blank, comment, command, cycles, expectation, sentence, error };
  Kind kind = Kind::blank;
  std::size_t number = 0;  // counted from 1
  std::string text;        // as written, without the line end; cut where the line was too long
  Sentence sentence;
  std::uint64_t cycles = 0;
  Expectation expectation;
  ParseError error;
};

/// Reads a stream to its end, one line at a time, in memory bounded by ParseLimits::max_line_bytes. A byte
/// order mark and CRLF line ends are accepted. A bad line is reported in its place and harms no other.
class NalReader {
 public:
  static constexpr std::uint64_t max_cycles = 1'000'000'000;  // of one line; chosen, not derived

  NalReader(std::istream& in, TermTable& table, ParseLimits limits = {})
      : in_(in), table_(table), limits_(limits) {}

  /// The next line, or nothing at the end of the stream (or where it cannot be read further: see in.bad()).
  std::optional<NalLine> next();

 private:
  std::istream& in_;
  TermTable& table_;
  ParseLimits limits_;
  std::size_t number_ = 0;
};

}  // namespace engram::narsese
