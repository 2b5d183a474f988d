// SPDX-License-Identifier: MIT
// How evidence for a Hebbian link is written, and told apart from what was said of two things.
//
// A link says that two concepts go together in what was said. That is a relation of its own and is written as
// one, <(*,a,b) --> associated>. %f;c%: going together is no evidence of being similar, and a NARS that is
// given a link takes it for a belief. But the memory it came from, or another one, must know it again, or it
// would count as one more episode in which a and b were active. The mark is in the digits: a link's truth
// value has both numbers written in full, with `least_decimals` behind the point, zeros at the end where the
// number has fewer. Every system reads such numbers as the shorter ones, a line stays one line whatever
// becomes of the lines around it, and nobody else writes them: to be read wrongly, f and c of a sentence
// would both have to be below 1e-15 in shortest form. A comment beside the line would not survive a filter
// or a sort. What a reasoner or a translator prints again has lost the mark: it is then its own knowledge.
// By the mark it is known whatever the relation is called. Links were once written as <a <-> b>; with the
// mark that is read as a link still. (ONA drops every judgement with a confidence below 0.01, and so what is
// that weakly linked.)
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "narsese/sentence.hpp"

namespace engram::narsese {

inline constexpr std::size_t least_decimals = 32;  // chosen: a double above 1e-15 has no more

/// What links are called where nothing else is asked for.
inline constexpr std::string_view link_relation = "associated";

/// <(*,a,b) --> relation>. %f;c%, the terms in the order of `compare`, the numbers in full. `relation` is an
/// atom as it is printed.
std::string print_link(Term a, Term b, TruthValue truth, std::string_view relation = link_relation);

/// a and b of <(*,a,b) --> relation>, the relation an atom, or of <a <-> b>; of other terms nothing.
std::optional<std::array<Term, 2>> link_ends(Term term);

/// Whether a sentence, read from `text`, is evidence for a link: an eternal judgment with the ends of a link,
/// without budget and with both numbers of its truth value in full.
bool is_link_judgement(const Sentence& sentence, std::string_view text);

}  // namespace engram::narsese
