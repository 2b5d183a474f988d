// SPDX-License-Identifier: MIT
#include "core/retrieval/unification.hpp"

#include "core/numbers/work_budget.hpp"
#include "narsese/hash_index.hpp"
#include "narsese/term_queries.hpp"

namespace engram::core {
namespace {

using narsese::Term;
using narsese::TermKind;

bool is_commutative(Term term) { return narsese::is_commutative(term.label()); }

// Two components in either order. Pairs of pairs of pairs would take the square of their size.
bool may_be_turned(Term term) {
  return is_commutative(term) && term.components().size() == 2 && term.complexity() <= most_turned;
}

void collect_leaves(Term term, Position position, std::vector<Leaf>& found) {
  const TermKind kind = term.kind();
  if (kind == TermKind::atom || kind == TermKind::op || kind == TermKind::variable)
    found.push_back({term, position});
  const auto parts = term.components();
  if (parts.empty()) return;
  const Position within = narsese::hash_combine(position, term.label().bits());
  const bool ordered = !is_commutative(term);
  for (std::size_t i = 0; i < parts.size(); ++i)
    collect_leaves(parts[i], narsese::hash_combine(within, ordered ? i + 1 : 0), found);
}

bool match_parts(Term pattern, Term term, bool turned, Bindings& bindings) {
  const auto parts = pattern.components(), others = term.components();
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!match(parts[i], others[turned ? parts.size() - 1 - i : i], bindings)) return false;
  return true;
}

// All but variables and intervals, of which the number is what they are.
bool same_node(Term a, Term b) { return a.label().bits() == b.label().bits(); }

bool compatible_parts(Term a, Term b, bool turned) {
  const auto parts = a.components(), others = b.components();
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!compatible(parts[i], others[turned ? parts.size() - 1 - i : i])) return false;
  return true;
}

void add_conjuncts(Term term, std::vector<Term>& premises) {
  using narsese::Connector;
  if (!term.is(Connector::conjunction) && !term.is(Connector::sequence) && !term.is(Connector::parallel)) {
    if (term.kind() != TermKind::interval) premises.push_back(term);
    return;
  }
  for (const Term part : term.components()) add_conjuncts(part, premises);
}

void add_reading(std::uint32_t statement, Term condition, Term consequence, std::vector<RulePattern>& rules) {
  constexpr std::size_t most_premises = 8;
  RulePattern rule{statement, {}, consequence};
  add_conjuncts(condition, rule.premises);
  while (is_implication(rule.conclusion)) {
    add_conjuncts(rule.conclusion.subject(), rule.premises);
    rule.conclusion = rule.conclusion.predicate();
  }
  if (!rule.premises.empty() && rule.premises.size() <= most_premises) rules.push_back(std::move(rule));
}

}  // namespace

void add_leaves(Term term, std::vector<Leaf>& found) {
  charge(4 * term.complexity());
  collect_leaves(term, 0, found);
}

std::vector<Leaf> leaves(Term term) {
  std::vector<Leaf> found;
  add_leaves(term, found);
  return found;
}

bool match(Term pattern, Term term, Bindings& bindings) {
  charge(4);
  if (term.kind() == TermKind::variable) return true;
  if (pattern.kind() == TermKind::variable) {
    for (const auto& [variable, value] : bindings)
      if (variable == pattern) return value == term;
    bindings.emplace_back(pattern, term);
    return true;
  }
  if (!pattern.has_variables() && !term.has_variables()) return pattern == term;
  if (pattern.components().empty() || !same_node(pattern, term)) return false;
  const auto before = static_cast<std::ptrdiff_t>(bindings.size());
  if (match_parts(pattern, term, false, bindings)) return true;
  bindings.erase(bindings.begin() + before, bindings.end());
  if (!may_be_turned(pattern)) return false;
  if (match_parts(pattern, term, true, bindings)) return true;
  bindings.erase(bindings.begin() + before, bindings.end());
  return false;
}

bool compatible(Term a, Term b) {
  charge(4);
  if (a == b || a.kind() == TermKind::variable || b.kind() == TermKind::variable) return true;
  if (!a.has_variables() && !b.has_variables()) return false;
  if (a.components().empty() || !same_node(a, b)) return false;
  return compatible_parts(a, b, false) || (may_be_turned(a) && compatible_parts(a, b, true));
}

std::uint64_t shape_of(Term term) {
  if (term.kind() == TermKind::variable) return 1;
  std::uint64_t shape = narsese::hash_combine(2, term.label().bits());
  if (term.kind() == TermKind::atom || term.kind() == TermKind::op)
    return narsese::hash_combine(shape, narsese::hash_bytes(term.name()));
  if (term.kind() == TermKind::interval)
    return narsese::hash_combine(shape, static_cast<std::uint64_t>(term.number()));
  for (const Term part : term.components()) shape = narsese::hash_combine(shape, shape_of(part));
  return shape;
}

void add_rule_patterns(std::uint32_t statement, Term term, std::vector<RulePattern>& rules) {
  if (!narsese::is_higher_order(term)) return;
  const Term left = term.subject(), right = term.predicate();
  add_reading(statement, left, right, rules);
  if (!is_implication(term)) add_reading(statement, right, left, rules);
}

}  // namespace engram::core
