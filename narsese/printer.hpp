// SPDX-License-Identifier: MIT
// The canonical spelling: prefix compounds with commas, blanks around copulas, images with their placeholder,
// numbered variables. It is the part of Narsese that OpenNARS, PyNARS, Narsese.rs and, for terms of two
// components, ONA read alike.
#pragma once

#include <string>

#include "narsese/sentence.hpp"

namespace engram::narsese {

/// A term in Engram's own form, which the parser reads back as the same term.
std::string print(Term term);
std::string print(const TruthValue& truth);    // %1;0.9%
std::string print(const BudgetValue& budget);  // $0.8;0.5;0.95$
std::string print(const Tense& tense);         // :|:, or nothing for eternal
/// [$budget$ ]term punctuation[ tense][ truth]: parse_sentence(print(s)) gives s, but for
/// an atom alone that ends as sentences do (`a.`) and for terms with more brackets than the parser reads.
std::string print(const Sentence& sentence);

/// In ONA's spelling: infix with blanks, images by number. For terms of at most two components.
std::string print_for_ona(Term term);
std::string print_for_ona(const Sentence& sentence);

/// The shortest decimal text without an exponent, which not every system reads, that reads back as
/// the same number.
std::string print_number(double number);

}  // namespace engram::narsese
