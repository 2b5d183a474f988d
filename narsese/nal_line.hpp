// SPDX-License-Identifier: MIT
// One line of a .nal file: its kind and its contents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "narsese/dialect.hpp"
#include "narsese/parse_error.hpp"
#include "narsese/sentence.hpp"

namespace engram::narsese {

/// Expected outcome of a run, which the author of a .nal file states in a comment. A test can compare it with the
/// output of a system.
struct Expectation {
  /// Form of the comment: each form states another kind of outcome. The system that defined a form is in parentheses.
  enum class Kind : std::uint8_t {
    answer,        // //expected: Answer: TERM. ..        (ONA)
    execution,     // //expected: ^op executed with args ..  (ONA)
    contains,      // ''outputMustContain('..')            (OpenNARS, PyNARS)
    contains_not,  // ''outputMustNotContain('..')
    output,        // ''expect-cycle(..): .. and ''expect-contains: ..  (BabelNAR)
    needed,        // //needed: STATEMENT.   a premise of a proof of the last question's answer (Engram)
    alternative,   // //or:   the following premises belong to another proof (Engram)
  };
  Kind kind = Kind::answer;
  std::string text;                  // expected output as written
  std::optional<Sentence> sentence;  // the parsed text, if it is a sentence

  /// Whether the author expects that there is no answer, as in ONA's `//expected: Answer: None.`
  bool expects_none() const;
};

/// A parsed line of a .nal file. Its kind determines which of the other fields are set.
struct NalLine {
  /// Kind of line.
  enum class Kind : std::uint8_t { blank, comment, command, cycles, expectation, sentence, error };
  Kind kind = Kind::blank;
  std::size_t number = 0;  // line number, counted from 1
  std::string text;        // as written, without the line end; shortened if too long
  Sentence sentence;
  bool tells_link = false;      // the sentence is evidence for a link (link_judgement.hpp)
  ConstructSet constructs = 0;  // constructs that the line uses, up to an error
  /// Warnings about the line: the dialect's system reads it differently from this parser, `//needed:` lacks a question
  /// before it, or a comment is likely a misspelt directive.
  std::vector<ParseWarning> warnings;
  std::uint64_t cycles = 0;
  Expectation expectation;
  ParseError error;
};

/// Reads the expectation that a line states. The field `sentence` stays empty; NalReader parses it later. Returns
/// nothing for other lines.
std::optional<Expectation> read_expectation(std::string_view line);

/// Returns the kind of a line that is not blank and states no expectation: comment, command, cycles or, by default,
/// sentence. `text` must be trimmed.
NalLine::Kind kind_of_line(std::string_view text, Dialect dialect);

/// Returns a warning if a comment is likely a misspelt directive, such as `//needd:`, `//Needed:` or `//needed :`, or
/// an unknown form of `//expected:`. `text` must be trimmed; the column of the warning counts from its start. Returns
/// nothing for correct directives and for comments such as `// needed: more birds`.
std::optional<ParseWarning> misspelt_directive(std::string_view text);

/// Whether a line is the command that makes a system forget everything: ONA's `*reset` or its equivalent in other
/// systems.
bool resets_memory(std::string_view line);

}  // namespace engram::narsese
