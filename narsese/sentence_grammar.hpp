// SPDX-License-Identifier: MIT
// The grammar of what stands around a term: [dt=n] [$p;d;q$] term punctuation [tense] [truth].
#pragma once

#include "narsese/cursor.hpp"
#include "narsese/syntax.hpp"
#include "narsese/term_grammar.hpp"

namespace engram::narsese {

/// Reads a whole sentence, up to the end of the text. False after the cursor's error was set.
bool read_sentence(Cursor& cursor, TermGrammar& terms, SyntaxTree& tree);

/// Whether nothing but blanks is left.
bool read_end(Cursor& cursor);

}  // namespace engram::narsese
