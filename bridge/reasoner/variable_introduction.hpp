// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "bridge/reasoner/term_making.hpp"

namespace engram::bridge {

/// A term in which something named became a variable.
struct Generalization {
  narsese::Term term;
  std::size_t variables = 0;  // that are new
};

/// OpenNARS's factor on confidence for each new variable but the first.
inline constexpr double confidence_for_variable = 0.9;

/// What the first and the last component of a conjunction, or both sides of an implication or equivalence, have in
/// common as subjects, predicates or what these are made of (not an image's relation, not one of several components of a
/// set, nothing with variables, and only the whole of what is common), and so all in one: each choice of up to three such terms becomes new variables, $x where
/// the term stands on both sides of an implication or equivalence, else #x. A term that is a whole side's predicate or
/// subject is left as it is where nothing else of that side would be.
/// A set of several components is a union or intersection of sets: its components are no subjects or predicates.
/// Source  OpenNARS 3, CompositionalRules.introduceVariables, which takes parts of what is common, too; sets: ONA,
///         VARS_IN_MULTI_ELEMENT_SETS_FILTER
/// `label` and `parts` are of that conjunction, implication or equivalence, which itself need not be made.
std::vector<Generalization> introduce_variables(narsese::TermTable& table, narsese::TermLabel label,
                                                std::span<const narsese::Term> parts,
                                                const TermLimits& limits);

}  // namespace engram::bridge
