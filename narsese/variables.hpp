// SPDX-License-Identifier: MIT
// One numbering of a term's variables for all spellings of it.
#pragma once

#include "narsese/term.hpp"

namespace engram::narsese {

/// The same term with its variables numbered 1, 2, ... per kind, in an order that depends neither on their
/// names nor on the written order of commutative components: terms that differ in these alone become equal.
/// Of all orders of components that look alike but for their variables, the one is taken in which the
/// numbers, read from the left, are least; where there are more than max_orders, components are told apart by
/// where their variables stand in the rest of the term (colour refinement, with one variable after the other
/// singled out), which leaves open only ties of great symmetry, in terms that take more than max_work steps.
/// Cost  O(size) for terms without commutative components that look alike, else O(max_orders * size)
Term number_variables(TermTable& table, Term term);

}  // namespace engram::narsese
