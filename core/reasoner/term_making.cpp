// SPDX-License-Identifier: MIT
#include "core/reasoner/term_making.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "narsese/term_queries.hpp"

namespace engram::core {

using narsese::Connector;
using narsese::Copula;
using narsese::Term;
using narsese::TermKind;
using narsese::TermLabel;
using narsese::TermTable;
using narsese::VariableKind;

namespace {

bool flattens(Connector connector) {
  return connector == Connector::conjunction || connector == Connector::disjunction ||
         connector == Connector::extensional_intersection ||
         connector == Connector::intensional_intersection || connector == Connector::parallel;
}

bool all_are(std::span<const Term> terms, Connector connector) {
  return std::ranges::all_of(terms, [&](Term term) { return term.is(connector); });
}

// The members of the first set that all others contain, or with `in_others` false, that no other contains.
Term kept_members(TermTable& table, std::span<const Term> sets, bool in_others) {
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

bool contains_outside_products(Term whole, Term part) {
  if (whole.complexity() <= part.complexity()) return false;
  if (whole.components().empty()) return false;
  const bool compound = whole.kind() == TermKind::compound;
  if (compound && (whole.is(Connector::product) || narsese::is_image(whole.connector()))) return false;
  return std::ranges::any_of(whole.components(), [&](Term inner) {
    return inner == part || contains_outside_products(inner, part);
  });
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
      if (all_are(components, set)) return kept_members(table, components, false);
      break;
    }
    case Connector::extensional_intersection:
      if (all_are(components, Connector::extensional_set)) return kept_members(table, components, true);
      if (all_are(components, Connector::intensional_set)) return union_of(table, components);
      break;
    case Connector::intensional_intersection:
      if (all_are(components, Connector::intensional_set)) return kept_members(table, components, true);
      if (all_are(components, Connector::extensional_set)) return union_of(table, components);
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

// Calls see(variable) for each occurrence of a $x.
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
    if (subject == predicate || contains_outside_products(subject, predicate) ||
        contains_outside_products(predicate, subject))
      return {};
    return table.statement(static_cast<Copula>(label.symbol), subject, predicate);
  }
  const auto connector = static_cast<Connector>(label.symbol);
  return narsese::is_image(connector) ? make_image(table, label, components)
                                      : make_compound(table, connector, components);
}

bool is_informative(Term term) {
  if (!term.has_variables()) return true;
  if (narsese::has_variable(term, VariableKind::query)) return false;
  if (narsese::is_higher_order(term)) {
    bool joins = true;
    each_independent(term, [&](Term variable) { joins = joins && times_in(term, variable) > 1; });
    return joins;
  }
  // A component of a conjunction may be an implication with its own variables. A plain statement must not contain $x.
  if (term.kind() == TermKind::compound)
    return std::ranges::all_of(term.components(), [](Term part) { return is_informative(part); });
  return !narsese::has_variable(term, VariableKind::independent);
}

namespace {

constexpr std::size_t max_introduced = 3;

bool contains(Term whole, Term part) {
  return whole == part ||
         (whole.complexity() > part.complexity() &&
          std::ranges::any_of(whole.components(), [&](Term inner) { return contains(inner, part); }));
}

// Appends the inheritance statements within a side.
void add_statements(Term side, std::vector<Term>& statements) {
  if (side.is(Copula::inheritance)) {
    statements.push_back(side);
  } else if (side.kind() == TermKind::compound || narsese::is_higher_order(side)) {
    for (const Term part : side.components()) add_statements(part, statements);
  }
}

bool is_set_of_several(Term term) {
  return (term.is(narsese::Connector::extensional_set) || term.is(narsese::Connector::intensional_set)) &&
         term.components().size() > 1;
}

// How often `wanted` occurs in `term`, except as the relation of an image and as one of several components of a set.
std::size_t places(Term term, Term wanted) {
  if (term == wanted) return 1;
  if (is_set_of_several(term)) return 0;
  std::size_t found = 0;
  const bool image = term.kind() == TermKind::compound && narsese::is_image(term.connector());
  for (std::size_t i = 0; i < term.components().size(); ++i) {
    if (image && i == 0 && term.components()[0] == wanted) continue;
    found += places(term.components()[i], wanted);
  }
  return found;
}

class VariableIntroduction {
 public:
  VariableIntroduction(TermTable& table, narsese::TermLabel label, std::span<const Term> parts,
                       const TermLimits& limits)
      : table_(table), label_(label), parts_(parts), limits_(limits) {}

  std::vector<Generalization> all() {
    std::vector<Term> statements;
    for (const Term part : parts_) add_statements(part, statements);
    for (std::size_t i = 0; i < statements.size(); ++i)
      for (std::size_t j = i + 1; j < statements.size(); ++j)
        for (const Term side : statements[i].components()) add_common(side, statements[j]);
    if (common_.size() > max_introduced) common_.resize(max_introduced);
    std::vector<Generalization> found;
    for (std::uint32_t chosen = 1; chosen < (1U << common_.size()); ++chosen) {
      replaced_.clear();
      for (std::size_t i = 0; i < common_.size(); ++i)
        if ((chosen >> i & 1) != 0) replaced_.push_back(variable_for(common_[i]));
      // A choice that replaces every subject and predicate would leave no name.
      if (std::ranges::all_of(statements,
                              [&](Term s) { return is_replaced(s.subject()) && is_replaced(s.predicate()); }))
        continue;
      if (const Term general = make(label_, parts_)) found.push_back({general, replaced_.size()});
    }
    return found;
  }

 private:
  void add_common(Term part, Term other) {
    if (part.kind() == TermKind::variable || part.kind() == TermKind::interval) return;
    if (!part.has_variables() && places(other, part) > 0) {
      if (std::ranges::find(common_, part) == common_.end()) common_.push_back(part);
      return;
    }
    if (is_set_of_several(part)) return;
    const bool image = part.kind() == TermKind::compound && narsese::is_image(part.connector());
    for (std::size_t i = 0; i < part.components().size(); ++i) {
      // Parts of the relation of an image may be shared, but not the relation itself.
      if (image && i == 0) {
        for (const Term inner : part.components()[0].components()) add_common(inner, other);
        continue;
      }
      add_common(part.components()[i], other);
    }
  }

  std::pair<Term, Term> variable_for(Term common) {
    const bool of_rule =
        label_.kind == TermKind::statement && contains(parts_[0], common) && contains(parts_[1], common);
    const auto kind = of_rule ? VariableKind::independent : VariableKind::dependent;
    // The number is above all numbers in the term. The inference engine renumbers the variables of a conclusion.
    const bool has_others = std::ranges::any_of(parts_, &Term::has_variables);
    const std::int64_t first = has_others ? 1 << 24 : 1;
    return {common, table_.variable(kind, first + static_cast<std::int64_t>(replaced_.size()))};
  }

  bool is_replaced(Term term) const {
    return std::ranges::find(replaced_, term, &std::pair<Term, Term>::first) != replaced_.end();
  }

  bool has_replaced(Term term) const {
    return std::ranges::any_of(replaced_, [&](const auto& pair) { return contains(term, pair.first); });
  }

  Term with_variables(Term term) {
    const auto known = std::ranges::find(replaced_, term, &std::pair<Term, Term>::first);
    if (known != replaced_.end()) return known->second;
    if (term.components().empty() || is_set_of_several(term) || !has_replaced(term)) return term;
    return make(term.label(), term.components());
  }

  Term make(narsese::TermLabel label, std::span<const Term> parts) {
    const bool image =
        label.kind == TermKind::compound && narsese::is_image(static_cast<narsese::Connector>(label.symbol));
    Components components;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      components.push_back(image && i == 0 && is_replaced(parts[i]) ? parts[i] : with_variables(parts[i]));
      if (!components.back()) return {};
    }
    return make_term(table_, label, {components.data(), components.size()}, limits_);
  }

  TermTable& table_;
  narsese::TermLabel label_;
  std::span<const Term> parts_;
  const TermLimits& limits_;
  std::vector<Term> common_;
  std::vector<std::pair<Term, Term>> replaced_;
};

}  // namespace

std::vector<Generalization> introduce_variables(TermTable& table, narsese::TermLabel label,
                                                std::span<const Term> parts, const TermLimits& limits) {
  return VariableIntroduction(table, label, parts, limits).all();
}

}  // namespace engram::core
