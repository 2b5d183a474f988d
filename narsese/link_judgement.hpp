// SPDX-License-Identifier: MIT
// How evidence for a Hebbian link is written, and told apart from knowledge of what is similar.
//
// Both say <a <-> b>. %f;c% and every NARS should read both as that. A NARS that is given a link takes it for
// a belief, which is what it is for; but the memory it came from, or another one, must know it again, or it
// would count as one more episode in which a and b were active. The mark is in the digits: a link's truth
// value has both numbers written in full, with `least_decimals` behind the point, zeros at the end where the
// number has fewer. Every system reads such numbers as the shorter ones, a line stays one line whatever
// becomes of the lines around it, and nobody else writes them: to be read wrongly, f and c of a sentence
// would both have to be below 1e-15 in shortest form. A comment beside the line would not survive a filter
// or a sort. What a reasoner or a translator prints again has lost the mark: it is then its own knowledge.
// (ONA drops every judgement with a confidence below 0.01, and so what is that weakly linked.)
#pragma once

#include <string>
#include <string_view>

#include "narsese/sentence.hpp"

namespace engram::narsese {

inline constexpr std::size_t least_decimals = 32;  // chosen: a double above 1e-15 has no more

/// <a <-> b>. %f;c%, the terms in the order of `compare`, the numbers in full.
std::string print_link(Term a, Term b, TruthValue truth);

/// Whether a sentence, read from `text`, is evidence for a link: an eternal judgment of similarity without
/// budget and both numbers of its truth value in full.
bool is_link_judgement(const Sentence& sentence, std::string_view text);

}  // namespace engram::narsese
