// SPDX-License-Identifier: MIT
// How evidence for a Hebbian link is written, and told apart from what was said of two things.
//
// A link says that two concepts go together in what was said. Going together is a relation of its own, because it is
// no evidence of being similar. So a link is written as a judgement <(*,a,b) --> associated>. %f;c%, which every NARS
// reads as a belief. The memory that it came from, or another one, must know it again, or the link would count as one
// more episode in which a and b were active. Therefore a line before the links says what they are, and a line behind
// them ends the section:
//
//   //engram: links
//   <(*,cat,tim) --> associated>. %0.5;0.9%
//   //engram: statements
//
// Within a section every judgement with the form of a link is evidence for a link, whatever the relation is called;
// other lines keep their meaning. A section ends with the file or the request, too.
//
// Version 0.1 marked each link by 32 digits behind the point of both numbers. That form is read for one version more,
// with a warning.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "narsese/sentence.hpp"

namespace engram::narsese {

/// The relation of a link unless a caller asks for another.
inline constexpr std::string_view link_relation = "associated";

/// The comments that begin and end a section of links.
inline constexpr std::string_view links_begin = "//engram: links", links_end = "//engram: statements";

/// <(*,a,b) --> relation>. %f;c%, the terms in the order of `compare`; reading it gives the same two numbers.
/// `relation` is an atom as it is printed.
std::string print_link(Term a, Term b, TruthValue truth, std::string_view relation = link_relation);

/// a and b of <(*,a,b) --> relation>, the relation an atom, or of <a <-> b>; of other terms nothing.
std::optional<std::array<Term, 2>> link_ends(Term term);

/// Whether a sentence has the form of a link: an eternal judgment with the ends of a link and a truth value, without a
/// budget.
bool has_link_form(const Sentence& sentence);

/// Whether a text, of whole lines, leaves a section of links open at its end.  Cost  O(bytes)
bool leaves_links_open(std::string_view text);

/// Whether a sentence, read from `text`, is a link as version 0.1 wrote it: both numbers of its truth value have at
/// least 32 digits behind the point.
bool is_marked_link(const Sentence& sentence, std::string_view text);

}  // namespace engram::narsese
