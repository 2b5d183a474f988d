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

/// Positions of an atom in questions, as bits. The bits of several questions are combined by or.
using NamePositions = std::uint8_t;

/// An atom and its positions in questions.
struct QuestionName {
  Term atom;
  NamePositions positions = 0;
};

/// The distinct atoms of a question or quest.
std::vector<QuestionName> question_names(Term question);

/// Whether an atom with these positions may occur in an answer although no statement has it.
bool may_enter_answers(NamePositions positions);

/// Whether a system can get the name only from its input. False for numbers (systems count and compute), for names
/// that systems define themselves, and for names that a system changes: special characters, or more than 31 bytes,
/// which ONA cuts.
bool comes_only_from_input(std::string_view name);

/// Analysis of the independent variables of a term.
struct IndependentVariables {
  explicit IndependentVariables(Term term);

  /// Numbers of the variables that link nothing. No implication or equivalence has them on both sides. They do not
  /// occur twice within an implication or equivalence that has independent variables on both sides. (In
  /// <(&&,<(*,$1,$2) --> on>,<(*,me,$2) --> at>) ==> <(*,me,$1) --> near>> $2 does; #2 would mean the same.)
  std::vector<std::int64_t> unbound;
  /// Whether some variable is not enclosed by a single implication or equivalence with the variable on both sides.
  /// Inference may then derive a conclusion about every term.
  bool may_generalise = false;
};

/// The variables of a kind as written in `text` from offset `from` on: each distinct name with its first offset, in
/// order. Only word letters count as part of a name.
std::vector<std::pair<std::string_view, std::size_t>> written_variables(std::string_view text,
                                                                        VariableKind kind,
                                                                        std::size_t from = 0);

}  // namespace engram::narsese
