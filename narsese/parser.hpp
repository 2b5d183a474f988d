// SPDX-License-Identifier: MIT
// Reads one sentence or term: the common core of what ONA, OpenNARS and PyNARS write, in any of their
// spellings (prefix and infix compounds, both image conventions, both truth forms).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "narsese/result.hpp"
#include "narsese/sentence.hpp"

namespace engram::narsese {

/// What a hostile line may ask for. Beyond any of them there is an error, never a crash or a long wait.
struct ParseLimits {
  std::size_t max_line_bytes = 64 * 1024;  // ONA reads 1023, chosen with ample room
  std::size_t max_depth = 256;             // brackets within brackets
  std::size_t max_components = 4096;       // of one compound
  std::size_t max_name_bytes = 1024;       // of an atom, operator or variable
  std::size_t max_variables = 256;         // different ones, in one sentence
};

/// Where a text stopped being Narsese, and why.
struct ParseError {
  std::size_t offset = 0;  // bytes from the start of the text
  std::size_t line = 1;    // counted from 1; the reader of a file sets it
  std::size_t column = 1;  // code points, counted from 1
  std::string expected;
  std::string found;

  /// "expected X, found Y"
  std::string message() const;
};

/// Reads one sentence: [$p;d;q$] term punctuation [tense] [truth].
/// The term is in canonical form (see TermTable, number_variables); `{--`, `--]`, `{-]` and (^op,..) are
/// written out as inheritance.
/// Errors   a ParseError at the first byte that cannot belong to a sentence; the table may then hold unused
///          terms, nothing else is changed
/// Cost     O(n) time for a line without variables, O(depth) stack; nothing is backtracked
Result<Sentence, ParseError> parse_sentence(std::string_view line, TermTable& table,
                                            const ParseLimits& limits = {});

/// Reads one term and nothing after it.
Result<Term, ParseError> parse_term(std::string_view text, TermTable& table, const ParseLimits& limits = {});

}  // namespace engram::narsese
