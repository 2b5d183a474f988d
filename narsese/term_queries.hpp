// SPDX-License-Identifier: MIT
// Questions about a term's form that several rules of NAL ask.
#pragma once

#include <algorithm>

#include "narsese/term.hpp"

namespace engram::narsese {

/// {a} or [a]
inline bool is_singleton_set(Term term) {
  return term.kind() == TermKind::compound && is_set(term.connector()) && term.components().size() == 1;
}

/// Of any temporal order, as all three.
inline bool is_implication(Term term) {
  return term.is(Copula::implication) || term.is(Copula::predictive_implication) ||
         term.is(Copula::concurrent_implication) || term.is(Copula::retrospective_implication);
}
inline bool is_equivalence(Term term) {
  return term.is(Copula::equivalence) || term.is(Copula::predictive_equivalence) ||
         term.is(Copula::concurrent_equivalence);
}
/// An implication or equivalence.
inline bool is_higher_order(Term term) {
  return term.kind() == TermKind::statement && !term.is(Copula::inheritance) &&
         !term.is(Copula::similarity) && !term.is(Copula::continuous_property);
}

inline bool has_variable(Term term, VariableKind kind) {
  if (!term.has_variables()) return false;
  if (term.kind() == TermKind::variable) return term.variable_kind() == kind;
  return std::ranges::any_of(term.components(), [&](Term part) { return has_variable(part, kind); });
}

}  // namespace engram::narsese
