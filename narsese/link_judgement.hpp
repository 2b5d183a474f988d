// SPDX-License-Identifier: MIT
// Text form of Hebbian links between concepts, and functions that distinguish links from ordinary judgments.
//
// A link states that two concepts occur together. The relation is separate from similarity, because occurring
// together does not imply similarity. A link is written as the judgment <(*,a,b) --> associated>. %f;c%, which every
// NARS reads as a belief. A memory that reads it back must recognise the link, or it would count as another episode
// with a and b. Therefore a comment begins a section of links and another comment ends it:
//
//   //engram: links
//   <(*,cat,tim) --> associated>. %0.5;0.9%
//   //engram: statements
//
// Within a section, every judgment with the form of a link is evidence for a link, whatever its relation is called.
// Other lines keep their meaning. The end of a file or request ends a section.
//
// Version 0.1 marked each link by 32 decimals in both numbers. This version still reads that form, with a warning.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "narsese/sentence.hpp"

namespace engram::narsese {

/// Default name of the relation in a printed link.
inline constexpr std::string_view link_relation = "associated";

/// The comments that begin and end a section of links.
inline constexpr std::string_view links_begin = "//engram: links", links_end = "//engram: statements";

/// Prints the judgment <(*,a,b) --> relation>. %f;c%, which states evidence for the link between a and b. The term that
/// is smaller by compare() comes first, because links have no direction. Parsing the text gives exactly the same
/// frequency f and confidence c. `relation` is a printed atom.
std::string print_link(Term a, Term b, TruthValue truth, std::string_view relation = link_relation);

/// Returns the two terms a and b that a link connects. Accepted forms: <a <-> b>, and <(*,a,b) --> relation> with an
/// atom as relation. Returns nothing for other terms.
std::optional<std::array<Term, 2>> link_ends(Term term);

/// Whether a sentence has the form of a link: an eternal judgment with a truth value, without a budget, and with a term
/// that link_ends() accepts. In a section of links such a sentence is evidence for a link.
bool has_link_form(const Sentence& sentence);

/// Whether a sentence is a link as version 0.1 wrote it: in `text`, both numbers of its truth value have at least 32
/// decimals.
bool is_marked_link(const Sentence& sentence, std::string_view text);

}  // namespace engram::narsese
