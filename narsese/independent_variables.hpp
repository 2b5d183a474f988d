// SPDX-License-Identifier: MIT
// What the independent variables of a term do: $x stands for anything, on both sides of an implication or
// equivalence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "narsese/term.hpp"

namespace engram::narsese {

/// How the independent variables of a term stand in it.
struct IndependentVariables {
  explicit IndependentVariables(Term term);

  /// Those that link nothing, by their numbers: they are on both sides of no implication or equivalence, and
  /// do not stand twice within one of which both sides have independent variables. ($2 does in
  /// <(&&,<(*,$1,$2) --> on>,<(*,me,$2) --> at>) ==> <(*,me,$1) --> near>>; #2 would say the same.)
  std::vector<std::int64_t> idle;
  /// Whether some variable is not within one implication or equivalence of which it links the sides: then a
  /// conclusion with it may come about that holds of everything.
  bool open = false;
};

/// The variables of one kind as a line writes them, in the order of their first places: `$x` and its offset.
/// What stands before `from` does not count. It takes words alone for names.
std::vector<std::pair<std::string_view, std::size_t>> written_variables(std::string_view text,
                                                                        VariableKind kind,
                                                                        std::size_t from = 0);

}  // namespace engram::narsese
