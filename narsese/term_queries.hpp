// SPDX-License-Identifier: MIT
// Small functions on terms: test their form, find variables, replace leaves, and number variables.
#pragma once

#include <algorithm>
#include <vector>

#include "narsese/term.hpp"

namespace engram::narsese {

/// Whether the term is {a} or [a].
inline bool is_singleton_set(Term term) {
  return term.kind() == TermKind::compound && is_set(term.connector()) && term.components().size() == 1;
}

/// Returns the atom or variable a if the term is a, {a} or [a], otherwise an empty Term.
inline Term sole_name(Term term) {
  const Term inner = is_singleton_set(term) ? term.components()[0] : term;
  const bool is_name = inner.kind() == TermKind::atom || inner.kind() == TermKind::variable;
  return is_name ? inner : Term();
}

/// Returns the operator of an operation: ^left for ^left and for <({SELF} * x) --> ^left>. Returns an empty Term for
/// other terms.
inline Term operator_of(Term term) {
  if (term.is(Copula::inheritance)) term = term.predicate();
  return term.kind() == TermKind::op ? term : Term();
}

/// Returns the term with each leaf replaced by replace(leaf), which is called from left to right. A leaf is a term
/// without components. `table` makes the new compounds.
template <class Replace>
Term with_leaves(TermTable& table, Term term, Replace&& replace) {
  if (term.components().empty()) return replace(term);
  std::vector<Term> components;
  for (const Term component : term.components()) components.push_back(with_leaves(table, component, replace));
  return std::ranges::equal(components, term.components()) ? term : table.with_components(term, components);
}

/// Whether the copula is an implication of any temporal order.
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
/// Whether the term is an implication or equivalence of any kind.
inline bool is_higher_order(Term term) {
  return term.kind() == TermKind::statement && !term.is(Copula::inheritance) &&
         !term.is(Copula::similarity) && !term.is(Copula::continuous_property);
}

/// Whether the term contains a variable of this kind.
/// Cost     O(size of the term)
inline bool has_variable(Term term, VariableKind kind) {
  if (!term.has_variables()) return false;
  if (term.kind() == TermKind::variable) return term.variable_kind() == kind;
  return std::ranges::any_of(term.components(), [&](Term part) { return has_variable(part, kind); });
}

/// Returns the term with its variables numbered 1, 2, ... per kind. The numbers do not depend on the names of the
/// variables or the written order of commutative components. Terms that differ only in names or in this order become
/// equal.
///
/// Components that are equal except for their variables are tried in all orders, and the order with the
/// lexicographically smallest numbers wins. If there are more than 120 orders, colour refinement with individualisation
/// orders these components by the positions of their variables. Its work is limited, so in highly symmetric terms ties
/// may remain.
/// Cost     O(size) without such components, otherwise O(120 size)
Term number_variables(TermTable& table, Term term);

}  // namespace engram::narsese
