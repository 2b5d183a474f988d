// SPDX-License-Identifier: MIT
// What a system makes of a term that it can read: the term it would hold, and the terms it cannot hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "narsese/dialect.hpp"
#include "narsese/sentence.hpp"
#include "narsese/term.hpp"

namespace engram::narsese {

/// The term that the system of a dialect holds when given `term`: some flatten nested connectors, join sets,
/// or write an implication of an implication as one. Each such change is told in `changes`. `any` and
/// `common` change nothing. Measured on the systems that dialect.cpp names. Cost O(size) and what TermTable
/// takes.
Term as_held_by(Dialect dialect, Term term, TermTable& table, std::vector<std::string>& changes);

/// Why the system cannot hold the sentence's term, or would garble it; empty where it holds it: names too
/// long or of characters that it takes for something else, more nesting than fits, statements that it finds
/// meaningless.
std::string excess(const Sentence& sentence, Dialect dialect);

/// Why the system holds the term, but not the evidence that the sentence gives for it; empty where it does.
std::string lost_evidence(const Sentence& sentence, Dialect dialect);

/// Whether PyNARS reads the name without quotes.
bool is_plain_for_pynars(std::string_view name);

/// Components nested two by two, from the left, as ONA keeps them: (&&,a,b,c) becomes ((a && b) && c). Sets
/// and images of more than two stay.
Term nested_by_twos(Term term, TermTable& table);

}  // namespace engram::narsese
