// SPDX-License-Identifier: MIT
// Analyses of terms for the linter: names that only the input can introduce, and variables that link nothing.
//
// No rule of NAL invents a name, but some take a term from the question that is in no premise. Examples:
//
//   <(&,a,x) --> c> from <a --> c>            intersections, unions, differences, sets, conjunctions
//   <(*,a,x) --> (*,b,x)> from <a --> b>      both sides of a statement; it answers <(*,a,x) --> ?1> and <x --> ?1>
//   <x --> c> from <$1 --> c>                 statements about every term
//
// Therefore a name cannot occur in an answer without an input that has it, if in all questions it is on one side of a
// first-order statement and only inside of products, images and sets of one component. If the other side has a
// variable, only sets of one component are allowed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "narsese/term.hpp"

namespace engram::narsese {

/// Set of bits: the kinds of positions that an atom has in questions, such as the left side of a statement. Combine the
/// sets of several questions by or, then call may_enter_answers().
using NamePositions = std::uint8_t;

/// An atom and its positions in questions.
struct QuestionName {
  Term atom;
  NamePositions positions = 0;
};

/// Returns the distinct atoms of a question or quest with their positions.
std::vector<QuestionName> question_names(Term question);

/// Whether an atom with these positions in questions may occur in an answer although no judgment or goal has it.
bool may_enter_answers(NamePositions positions);

/// Whether a system can get the name only from its input. Returns false for numbers (systems count and compute) and for
/// names that systems define themselves. Also returns false for names that a system changes: special characters, or
/// more than 31 bytes, which ONA cuts.
bool comes_only_from_input(std::string_view name);

/// Analysis of the independent variables ($x) of a term, for the linter. NAL uses them for statements about all terms.
struct IndependentVariables {
  explicit IndependentVariables(Term term);

  /// Numbers of the variables that link nothing. No implication or equivalence has them on both sides. They do not
  /// occur twice within an implication or equivalence that has independent variables on both sides. (In
  /// <(&&,<(*,$1,$2) --> on>,<(*,me,$2) --> at>) ==> <(*,me,$1) --> near>> $2 does; #2 would mean the same.)
  std::vector<std::int64_t> unbound;
  /// Whether some independent variable is not enclosed by a single implication or equivalence that has the variable on
  /// both sides. Inference may then derive a conclusion about every term.
  bool may_generalise = false;
};

/// Returns the variables of a kind in `text` from the offset `from` on: each distinct name, with its prefix, and its
/// first offset, in order of the offsets. A name ends at the first character that is not a word letter
/// (is_word_letter()). Use it for messages, because terms keep only the numbers of variables.
std::vector<std::pair<std::string_view, std::size_t>> written_variables(std::string_view text,
                                                                        VariableKind kind,
                                                                        std::size_t from = 0);

}  // namespace engram::narsese
