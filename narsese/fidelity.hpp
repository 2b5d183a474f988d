// SPDX-License-Identifier: MIT
// Fidelity of a system: whether it stores a term as given, stores a changed term, or cannot store it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "narsese/dialect.hpp"
#include "narsese/sentence.hpp"
#include "narsese/term.hpp"

namespace engram::narsese {

/// Returns the term that the dialect's system stores if it reads `term`. Some systems flatten nested connectors, join
/// sets, or merge an implication of an implication. `changes` receives a message for every change. Dialect::any and
/// Dialect::common change nothing. Measured on the versions in dialect.cpp.
/// Cost     O(size) plus the TermTable's look-ups
Term as_held_by(Dialect dialect, Term term, TermTable& table, std::vector<std::string>& changes);

/// Returns the reason why the system cannot store the term of the sentence or would garble it, or an empty string.
/// Reasons: names that are too long or contain symbols of the system, nesting beyond its limit, statements that it
/// rejects as meaningless.
std::string unsupported_reason(const Sentence& sentence, Dialect dialect);

/// Returns the reason why the system stores the term but drops its evidence (the truth value), or an empty string if it
/// keeps the evidence.
std::string lost_evidence(const Sentence& sentence, Dialect dialect);

/// Whether PyNARS reads the name without quotes.
bool is_plain_for_pynars(std::string_view name);

/// Returns the term with compounds of more than two components nested in pairs from the left, as ONA stores them:
/// (&&,a,b,c) becomes ((a && b) && c). Sets and images stay unchanged.
Term nested_by_twos(Term term, TermTable& table);

}  // namespace engram::narsese
