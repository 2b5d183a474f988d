// SPDX-License-Identifier: MIT
// Prints terms and sentences in the canonical spelling: prefix compounds with commas, blanks around copulas, images
// with their placeholder, numbered variables. OpenNARS, PyNARS and Narsese.rs read the same meaning from this
// spelling. ONA does so for terms with two components.
#pragma once

#include <string>

#include "narsese/sentence.hpp"

namespace engram::narsese {

/// Prints a term in the canonical spelling. parse_term() reads the text back as the same term.
std::string print(Term term);
std::string print(const TruthValue& truth);    // %1;0.9%
std::string print(const BudgetValue& budget);  // $0.8;0.5;0.95$
std::string print(const Tense& tense);         // :|: and so on; empty for eternal
/// Prints the parts that a sentence has, in the order [$budget$ ]term punctuation[ tense][ truth]. Parsing the text
/// gives the same sentence, with two exceptions. One is a lone atom with a name that ends like a sentence (`a.`), the
/// other a term with more brackets than the parser reads.
std::string print(const Sentence& sentence);

/// Prints a term or sentence as ONA reads it: infix operators between blanks, and the placeholder of an image as a
/// number. The term must have at most two components per compound (see nested_by_twos()).
std::string print_for_ona(Term term);
std::string print_for_ona(const Sentence& sentence);

/// Prints a number as the shortest decimal text without an exponent that reads back as the same number. (Not every
/// system reads exponents.)
std::string print_number(double number);

}  // namespace engram::narsese
