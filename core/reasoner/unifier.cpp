// SPDX-License-Identifier: MIT
#include "core/reasoner/unifier.hpp"

#include <algorithm>

#include "narsese/term_queries.hpp"

namespace engram::core {

using narsese::Term;
using narsese::TermKind;
using narsese::VariableKind;

Term Unifier::walk(Term term) const {
  while (term.kind() == TermKind::variable) {
    const auto known = std::ranges::find(bound_, term, &std::pair<Term, Term>::first);
    if (known == bound_.end()) break;
    term = known->second;
  }
  return term;
}

bool Unifier::may_bind(Term variable) const {
  if (variable.kind() != TermKind::variable) return false;
  switch (variable.variable_kind()) {
    case VariableKind::independent:
      return bindable_.independent;
    case VariableKind::dependent:
      return bindable_.dependent != Bindable::Dependent::none &&
             (variable.number() > renamed_from) == (bindable_.dependent == Bindable::Dependent::renamed);
    case VariableKind::query:
      return bindable_.query;
  }
  return false;
}

bool Unifier::occurs(Term variable, Term term, std::uint32_t depth) const {
  term = walk(term);
  if (term == variable || depth == 0) return true;
  return term.has_variables() &&
         std::ranges::any_of(term.components(), [&](Term part) { return occurs(variable, part, depth - 1); });
}

bool Unifier::unify(Term a, Term b) {
  if (!a.has_variables() && !b.has_variables()) return a == b;
  a = walk(a);
  b = walk(b);
  if (a == b) return true;
  if (!a.has_variables() && !b.has_variables()) return false;
  if (++steps_ > max_steps) return false;
  if (!may_bind(a) && may_bind(b)) std::swap(a, b);
  if (may_bind(a)) {
    if (occurs(a, b, narsese::TermTable::max_depth)) return false;
    bound_.emplace_back(a, b);
    return true;
  }
  if (a.label() != b.label() || a.components().empty()) return false;
  if (narsese::is_commutative(a.label())) return unify_in_some_order(a, b);
  for (std::size_t i = 0; i < a.components().size(); ++i)
    if (!unify(a.components()[i], b.components()[i])) return false;
  return true;
}

bool Unifier::unify_in_some_order(Term a, Term b) {
  const auto theirs = b.components();
  std::vector<std::size_t> order(theirs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const std::size_t before = size();
  do {
    bool all = true;
    for (std::size_t i = 0; all && i < order.size(); ++i) all = unify(a.components()[i], theirs[order[i]]);
    if (all) return true;
    go_back(before);
  } while (order.size() <= 4 && steps_ <= max_steps && std::ranges::next_permutation(order).found);
  return false;
}

bool Unifier::binds_dependent() const {
  return std::ranges::any_of(
      bound_, [](const auto& pair) { return pair.first.variable_kind() == VariableKind::dependent; });
}

Term Unifier::substitute(Term term, const TermLimits& limits) const {
  return substitute(term, limits, limits.max_depth);
}

Term Unifier::substitute(Term term, const TermLimits& limits, std::uint32_t depth) const {
  if (bound_.empty() || !term.has_variables()) return term;
  if (depth == 0) return {};
  if (term.kind() == TermKind::variable) {
    const Term value = walk(term);
    return value == term ? term : substitute(value, limits, depth - 1);
  }
  Components components;
  bool changed = false;
  for (const Term part : term.components()) {
    components.push_back(substitute(part, limits, depth - 1));
    if (!components.back()) return {};
    changed = changed || components.back() != part;
  }
  return changed ? make_term(table_, term.label(), {components.data(), components.size()}, limits) : term;
}

bool matches_question(narsese::TermTable& table, Term question, Term answer) {
  if (question == answer) return true;
  if (!question.has_variables() || question.label() != answer.label()) return false;
  if (!narsese::is_commutative(question.label()))
    for (std::size_t i = 0; i < question.components().size(); ++i)
      if (const Term part = question.components()[i]; !part.has_variables() && part != answer.components()[i])
        return false;
  Unifier fit(table);
  fit.begin({false, Bindable::Dependent::none, true});
  return fit.unify(question, answer);
}

Term rename_apart(narsese::TermTable& table, Term term) {
  if (!term.has_variables()) return term;
  return narsese::with_leaves(table, term, [&](Term leaf) {
    return leaf.kind() == TermKind::variable
               ? table.variable(leaf.variable_kind(), leaf.number() + renamed_from)
               : leaf;
  });
}

}  // namespace engram::core
