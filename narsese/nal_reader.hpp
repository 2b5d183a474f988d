// SPDX-License-Identifier: MIT
// Reads .nal files line by line: sentences, cycle counts, comments, commands and expectations, all kept.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
    needed,        // //needed: STATEMENT.   a premise of a proof of the last answer (Engram)
    alternative,   // //or:   the premises that follow are those of another proof of it (Engram)
  };
  Kind kind = Kind::answer;
  std::string text;                  // what is expected, as written
  std::optional<Sentence> sentence;  // the same, read, where it is a sentence

  /// Whether it says that there is no answer, as ONA does: `//expected: Answer: None.`
  bool expects_none() const;
};

/// One line of a file.
struct NalLine {
  enum class Kind : std::uint8_t { blank, comment, command, cycles, expectation, sentence, error };
  Kind kind = Kind::blank;
  std::size_t number = 0;  // counted from 1
  std::string text;        // as written, without the line end; cut where the line was too long
  Sentence sentence;
  ConstructSet constructs = 0;  // used in the line, up to an error
  /// Where the dialect's system reads not quite what is written; and of `//needed:`, that no question stands
  /// before it.
  std::vector<ParseWarning> warnings;
  std::uint64_t cycles = 0;
  Expectation expectation;
  ParseError error;
};

/// Reads a stream to its end, in memory bounded by ParseLimits::max_line_bytes and a few dozen lines read
/// ahead, of some 64 KiB; never ahead of what the stream has at hand, so a talk over a pipe does not stall. A
/// byte order mark and CRLF line ends are accepted. A bad line is reported in its place and harms no other.
class NalReader {
 public:
  static constexpr std::uint64_t max_cycles = 1'000'000'000;  // of one line; chosen, not derived

  NalReader(std::istream& in, TermTable& table, const ParseLimits& limits = {},
            Dialect dialect = Dialect::any)
      : in_(in), table_(table), limits_(limits), dialect_(dialect), parser_(dialect, limits) {}

  /// The next line, or nothing at the end of the stream (or where it cannot be read further: see in.bad()).
  std::optional<NalLine> next();
  /// Whether lines were read ahead, whose terms are in the table, that next() has not told yet.
  bool is_ahead() const { return next_ < lines_.size(); }

 private:
  void read_ahead();
  std::optional<NalLine> read_line();
  void check_needed(NalLine& line);
  void check_line_form(NalLine& line, std::string_view text, std::size_t indent) const;

  std::istream& in_;
  TermTable& table_;
  ParseLimits limits_;
  Dialect dialect_;
  Parser parser_;
  std::size_t number_ = 0;
  bool has_asked_ = false;
  std::vector<NalLine> lines_;  // read ahead; those before next_ are gone
  std::size_t next_ = 0;
};

}  // namespace engram::narsese
