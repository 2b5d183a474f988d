// SPDX-License-Identifier: MIT
#include "core/index/unification.hpp"

#include <algorithm>

#include "core/numbers/work_budget.hpp"
#include "narsese/hash_index.hpp"
#include "narsese/term_queries.hpp"

namespace engram::core {
namespace {

using narsese::Term;
using narsese::TermKind;

bool is_commutative(Term term) { return narsese::is_commutative(term.label()); }

// Whether both orders of the components are tried. Nested pairs would cost the square of their size.
bool has_two_orders(Term term) {
  constexpr std::uint64_t most_complexity = 64;
  return is_commutative(term) && term.components().size() == 2 && term.complexity() <= most_complexity;
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

bool match_parts(Term pattern, Term term, bool reversed, Bindings& bindings) {
  const auto parts = pattern.components(), others = term.components();
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!match(parts[i], others[reversed ? parts.size() - 1 - i : i], bindings)) return false;
  return true;
}

// Whether the terms have the same kind, connector and size.
bool same_node(Term a, Term b) { return a.label().bits() == b.label().bits(); }

bool compatible_parts(Term a, Term b, bool reversed) {
  const auto parts = a.components(), others = b.components();
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!compatible(parts[i], others[reversed ? parts.size() - 1 - i : i])) return false;
  return true;
}

Term substituted(Term term, const Bindings& bindings, narsese::TermTable& table) {
  if (!term.has_variables()) return term;
  if (term.kind() == narsese::TermKind::variable) {
    const auto found = std::ranges::find(bindings, term, &std::pair<Term, Term>::first);
    return found == bindings.end() ? term : found->second;
  }
  std::vector<Term> parts;
  for (const Term part : term.components()) parts.push_back(substituted(part, bindings, table));
  return table.with_components(term, parts);
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
  if (!has_two_orders(pattern)) return false;
  if (match_parts(pattern, term, true, bindings)) return true;
  bindings.erase(bindings.begin() + before, bindings.end());
  return false;
}

bool compatible(Term a, Term b) {
  charge(4);
  if (a == b || a.kind() == TermKind::variable || b.kind() == TermKind::variable) return true;
  if (!a.has_variables() && !b.has_variables()) return false;
  if (a.components().empty() || !same_node(a, b)) return false;
  return compatible_parts(a, b, false) || (has_two_orders(a) && compatible_parts(a, b, true));
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

bool fits(Term question, Term statement, narsese::TermTable& table) try {
  if (question == statement) return true;
  if (!narsese::has_variable(question, narsese::VariableKind::query)) return false;
  Bindings bindings;
  if (!match(question, statement, bindings)) return false;
  for (const auto& [variable, value] : bindings)
    if (variable.variable_kind() != narsese::VariableKind::query && variable != value) return false;
  return narsese::number_variables(table, substituted(question, bindings, table)) == statement;
} catch (const narsese::TermTableFull&) {
  // A term that is not in the table cannot be the statement.
  return false;
}

}  // namespace engram::core
