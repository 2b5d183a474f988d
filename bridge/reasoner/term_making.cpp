// SPDX-License-Identifier: MIT
#include "bridge/reasoner/term_making.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "narsese/term_queries.hpp"

namespace engram::bridge {
namespace {

using narsese::Connector;
using narsese::Copula;
using narsese::Term;
using narsese::TermKind;
using narsese::TermLabel;
using narsese::TermTable;
using narsese::VariableKind;

bool flattens(Connector connector) {
  return connector == Connector::conjunction || connector == Connector::disjunction ||
         connector == Connector::extensional_intersection ||
         connector == Connector::intensional_intersection || connector == Connector::parallel;
}

bool are(std::span<const Term> terms, Connector connector) {
  return std::ranges::all_of(terms, [&](Term term) { return term.is(connector); });
}

// What the sets' difference or intersection has, of sets of one kind.
Term set_of(TermTable& table, std::span<const Term> sets, bool in_others) {
  std::vector<Term> kept;
  for (const Term member : sets[0].components()) {
    const bool in_all = std::ranges::all_of(sets.subspan(1), [&](Term set) {
      return (std::ranges::find(set.components(), member) != set.components().end()) == in_others;
    });
    if (in_all) kept.push_back(member);
  }
  return kept.empty() ? Term() : table.compound(sets[0].connector(), kept);
}

Term union_of(TermTable& table, std::span<const Term> sets) {
  std::vector<Term> all;
  for (const Term set : sets) all.insert(all.end(), set.components().begin(), set.components().end());
  return table.compound(sets[0].connector(), all);
}

bool has_part(Term whole, Term part) {
  if (whole.complexity() <= part.complexity()) return false;
  if (whole.components().empty()) return false;
  const bool compound = whole.kind() == TermKind::compound;
  if (compound && (whole.is(Connector::product) || narsese::is_image(whole.connector()))) return false;
  return std::ranges::any_of(whole.components(),
                             [&](Term inner) { return inner == part || has_part(inner, part); });
}

Term make_compound(TermTable& table, Connector connector, std::span<const Term> components) {
  switch (connector) {
    case Connector::negation:
      if (components[0].is(Connector::negation)) return components[0].components()[0];
      break;
    case Connector::extensional_difference:
    case Connector::intensional_difference: {
      if (components[0] == components[1]) return {};
      const Connector set = connector == Connector::extensional_difference ? Connector::extensional_set
                                                                           : Connector::intensional_set;
      if (are(components, set)) return set_of(table, components, false);
      break;
    }
    case Connector::extensional_intersection:
      if (are(components, Connector::extensional_set)) return set_of(table, components, true);
      if (are(components, Connector::intensional_set)) return union_of(table, components);
      break;
    case Connector::intensional_intersection:
      if (are(components, Connector::intensional_set)) return set_of(table, components, true);
      if (are(components, Connector::extensional_set)) return union_of(table, components);
      break;
    default:
      break;
  }
  if (!flattens(connector) || std::ranges::none_of(components, [&](Term c) { return c.is(connector); }))
    return table.compound(connector, components);
  std::vector<Term> flat;
  for (const Term component : components) {
    if (component.is(connector))
      flat.insert(flat.end(), component.components().begin(), component.components().end());
    else
      flat.push_back(component);
  }
  return table.compound(connector, flat);
}

Term make_image(TermTable& table, TermLabel label, std::span<const Term> components) {
  const Term relation = components[0];
  const auto position = static_cast<std::size_t>(label.position);
  if (relation.is(Connector::product) && relation.components().size() == components.size()) {
    bool others_alike = true;
    for (std::size_t i = 0, argument = 1; i < relation.components().size(); ++i)
      if (i + 1 != position)
        others_alike = others_alike && relation.components()[i] == components[argument++];
    if (others_alike) return relation.components()[position - 1];
  }
  return table.image(static_cast<Connector>(label.symbol), components, position);
}

bool is_within(std::span<const Term> components, const TermLimits& limits) {
  std::uint64_t complexity = 1;
  for (const Term component : components) {
    complexity += component.complexity();
    if (component.depth() >= limits.max_depth) return false;
  }
  return complexity <= limits.max_complexity;
}

// Calls see(variable) for each $x.
template <class See>
void each_independent(Term term, const See& see) {
  if (!term.has_variables()) return;
  if (term.kind() == TermKind::variable) {
    if (term.variable_kind() == VariableKind::independent) see(term);
    return;
  }
  for (const Term part : term.components()) each_independent(part, see);
}

std::size_t times_in(Term whole, Term variable) {
  std::size_t times = 0;
  each_independent(whole, [&](Term other) { times += other == variable; });
  return times;
}

}  // namespace

Term make_term(TermTable& table, TermLabel label, std::span<const Term> components,
               const TermLimits& limits) {
  if (!is_within(components, limits)) return {};
  if (label.kind == TermKind::statement) {
    const Term subject = components[0], predicate = components[1];
    if (subject == predicate || has_part(subject, predicate) || has_part(predicate, subject)) return {};
    return table.statement(static_cast<Copula>(label.symbol), subject, predicate);
  }
  const auto connector = static_cast<Connector>(label.symbol);
  return narsese::is_image(connector) ? make_image(table, label, components)
                                      : make_compound(table, connector, components);
}

bool says_something(Term term) {
  if (!term.has_variables()) return true;
  if (narsese::has_variable(term, VariableKind::query)) return false;
  if (narsese::is_higher_order(term)) {
    bool joins = true;
    each_independent(term, [&](Term variable) { joins = joins && times_in(term, variable) > 1; });
    return joins;
  }
  // A conjunction may have an implication with its own variables within; a plain statement may not have any.
  if (term.kind() == TermKind::compound)
    return std::ranges::all_of(term.components(), [](Term part) { return says_something(part); });
  return !narsese::has_variable(term, VariableKind::independent);
}

}  // namespace engram::bridge
