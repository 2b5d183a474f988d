// SPDX-License-Identifier: MIT
// Questions about a term's form that several rules of NAL ask.
#pragma once

#include <algorithm>
#include <vector>

#include "narsese/term.hpp"

namespace engram::narsese {

/// {a} or [a]
inline bool is_singleton_set(Term term) {
  return term.kind() == TermKind::compound && is_set(term.connector()) && term.components().size() == 1;
}

/// The name, or variable, that a term is, or is the only one in: a, {a}, [a]. Nothing of any other term.
inline Term sole_name(Term term) {
  const Term inner = is_singleton_set(term) ? term.components()[0] : term;
  const bool is_name = inner.kind() == TermKind::atom || inner.kind() == TermKind::variable;
  return is_name ? inner : Term();
}

/// The operator of an operation, such as ^left of ^left and of <({SELF} * x) --> ^left>; nothing of any other term.
inline Term operator_of(Term term) {
  if (term.is(Copula::inheritance)) term = term.predicate();
  return term.kind() == TermKind::op ? term : Term();
}

/// The term with replace(part) in place of each part that has no components, from left to right.
template <class Replace>
Term with_leaves(TermTable& table, Term term, Replace&& replace) {
  if (term.components().empty()) return replace(term);
  std::vector<Term> components;
  for (const Term component : term.components()) components.push_back(with_leaves(table, component, replace));
  return std::ranges::equal(components, term.components()) ? term : table.with_components(term, components);
}

/// Whether it is an implication, of any temporal order. The next two are alike.
constexpr bool is_implication(Copula copula) {
  return copula == Copula::implication || copula == Copula::predictive_implication ||
         copula == Copula::concurrent_implication || copula == Copula::retrospective_implication;
}
inline bool is_implication(Term term) {
  return term.kind() == TermKind::statement && is_implication(term.copula());
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

/// Whether such a variable stands anywhere in it.  Cost  O(size of the term)
inline bool has_variable(Term term, VariableKind kind) {
  if (!term.has_variables()) return false;
  if (term.kind() == TermKind::variable) return term.variable_kind() == kind;
  return std::ranges::any_of(term.components(), [&](Term part) { return has_variable(part, kind); });
}

}  // namespace engram::narsese
