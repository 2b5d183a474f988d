// SPDX-License-Identifier: MIT
// The grammar of what stands around a term: [dt=n] [$p;d;q$] term punctuation [tense] [truth].
#pragma once

#include "narsese/scanner.hpp"
#include "narsese/syntax.hpp"
#include "narsese/term_grammar.hpp"

namespace engram::narsese {

/// Reads a whole sentence, up to the end of the text: the frame, and the nodes of the term, which come behind
/// those that are there. False after the error was set.
bool read_sentence(Scanner& scanner, Place at, TermGrammar& terms, Sentence& frame, SyntaxNodes& nodes);

/// Whether nothing but blanks is left.
bool read_end(Scanner& scanner, Place at);

}  // namespace engram::narsese
