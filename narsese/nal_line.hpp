// SPDX-License-Identifier: MIT
// A line of a .nal file, and what it says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "narsese/dialect.hpp"
#include "narsese/parse_error.hpp"
#include "narsese/sentence.hpp"

namespace engram::narsese {

/// What the author of a file says should come of it.
struct Expectation {
  /// In which form it is written, and what it asks for.
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
  /// What a line is.
  enum class Kind : std::uint8_t { blank, comment, command, cycles, expectation, sentence, error };
  Kind kind = Kind::blank;
  std::size_t number = 0;  // counted from 1
  std::string text;        // as written, without the line end; cut where the line was too long
  Sentence sentence;
  bool tells_link = false;      // the sentence is evidence for a link (narsese/link_judgement.hpp)
  ConstructSet constructs = 0;  // used in the line, up to an error
  /// Warnings: the dialect's system reads the line differently; `//needed:` has no question before it; or a comment is
  /// likely a misspelt directive (misspelt_directive).
  std::vector<ParseWarning> warnings;
  std::uint64_t cycles = 0;
  Expectation expectation;
  ParseError error;
};

}  // namespace engram::narsese
