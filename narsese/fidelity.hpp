// SPDX-License-Identifier: MIT
// Fidelity of a system: the term that it stores for a given term, and the terms that it cannot store.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "narsese/dialect.hpp"
#include "narsese/sentence.hpp"
#include "narsese/term.hpp"

namespace engram::narsese {

/// The term that the dialect's system stores for `term`. Some systems flatten nested connectors, join sets, or merge
/// an implication of an implication. `changes` receives a message for every change. `any` and `common` change
/// nothing. Measured on the versions in dialect.cpp.
/// Cost     O(size) plus the TermTable's look-ups
Term as_held_by(Dialect dialect, Term term, TermTable& table, std::vector<std::string>& changes);

/// The reason why the system cannot store the sentence's term or would garble it; otherwise empty. Reasons: names
/// that are too long or contain its own symbols, too deep nesting, statements that it rejects as meaningless.
std::string unsupported_reason(const Sentence& sentence, Dialect dialect);

/// The reason why the system stores the term but drops its evidence; empty if it keeps the evidence.
std::string lost_evidence(const Sentence& sentence, Dialect dialect);

/// Whether PyNARS reads the name without quotes.
bool is_plain_for_pynars(std::string_view name);

/// The term with long compounds nested in pairs from the left, as ONA stores them: (&&,a,b,c) becomes ((a && b) &&
/// c). Sets and images with more than two components stay.
Term nested_by_twos(Term term, TermTable& table);

}  // namespace engram::narsese
