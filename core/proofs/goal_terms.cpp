// SPDX-License-Identifier: MIT
#include "core/proofs/goal_terms.hpp"

#include <algorithm>
#include <array>

#include "core/numbers/work_budget.hpp"
#include "narsese/term_queries.hpp"

namespace engram::core {
namespace {

using narsese::Connector;
using narsese::Copula;
using narsese::Term;
using narsese::TermKind;
using narsese::TermLabel;

TermLabel label_of(Copula copula) { return {TermKind::statement, static_cast<std::uint8_t>(copula), 0, 2}; }

TermLabel product_of(std::size_t size) {
  return {TermKind::compound, static_cast<std::uint8_t>(Connector::product), 0,
          static_cast<std::uint32_t>(size)};
}

}  // namespace

Term event_alone(Term term) {
  if (!term.is(Connector::sequence) && !term.is(Connector::parallel)) return term;
  Term event;
  for (const Term part : term.components()) {
    if (part.kind() == TermKind::op || part.kind() == TermKind::interval) continue;
    if (event) return term;
    event = part;
  }
  return event ? event : term;
}

GoalTerm GoalTerms::of(Term term) {
  std::vector<Term> none;
  return of(term, none);
}

GoalTerm GoalTerms::of(Term term, std::vector<Term>& variables) {
  if (term.kind() == TermKind::variable) {
    const auto known = std::ranges::find(variables, term);
    const auto number = static_cast<std::size_t>(known - variables.begin());
    if (known == variables.end()) variables.push_back(term);
    return variable(number);
  }
  if (!term.has_variables())
    if (const auto known = of_memory_.find(term); known != of_memory_.end()) return known->second;
  charge(8);
  GoalTerm made = 0;
  if (term.kind() == TermKind::statement) {
    made = statement_of(term, variables);
  } else {
    std::vector<GoalTerm> components;
    for (const Term part : term.components()) components.push_back(of(part, variables));
    made = compound(term.label(), components, term);
  }
  if (!term.has_variables()) of_memory_.emplace(term, made);
  return made;
}

GoalTerm GoalTerms::statement_of(Term term, std::vector<Term>& variables) {
  Term subject = term.subject(), predicate = term.predicate();
  if (narsese::is_implication(term) && term.copula() != Copula::implication) subject = event_alone(subject);
  // <a --> (/, r, _, b)> and <(\, r, a, _) --> b> say <(*, a, b) --> r>.
  const bool is_extension = term.is(Copula::inheritance) && predicate.is(Connector::extensional_image);
  const bool is_intension = term.is(Copula::inheritance) && subject.is(Connector::intensional_image);
  if (is_extension || is_intension) {
    const Term image = is_extension ? predicate : subject, filler = is_extension ? subject : predicate;
    std::vector<GoalTerm> arguments;
    for (std::size_t i = 1; i < image.components().size(); ++i)
      arguments.push_back(of(image.components()[i], variables));
    const auto place = std::min(image.image_position() - 1, arguments.size());
    arguments.insert(arguments.begin() + static_cast<std::ptrdiff_t>(place), of(filler, variables));
    const std::array sides{compound(product_of(arguments.size()), arguments),
                           of(image.components()[0], variables)};
    return compound(label_of(Copula::inheritance), sides);
  }
  const GoalTerm left = of(subject, variables), right = of(predicate, variables);
  const std::array sides{left, right};
  const bool is_changed = subject != term.subject();
  return compound(term.label(), sides, is_changed ? Term() : term);
}

GoalTerm GoalTerms::variable(std::size_t number) {
  while (variables_.size() <= number) {
    Node node;
    node.label.kind = TermKind::variable;
    node.first = static_cast<std::uint32_t>(variables_.size());
    node.is_open = true;
    variables_.push_back(static_cast<GoalTerm>(nodes_.size()));
    nodes_.push_back(node);
  }
  return variables_[number];
}

GoalTerm GoalTerms::compound(TermLabel label, std::span<const GoalTerm> given, Term known) {
  std::vector<GoalTerm> components(given.begin(), given.end());
  if (narsese::is_commutative(label)) std::ranges::sort(components);
  std::uint64_t hash = narsese::hash_combine(3, label.bits());
  for (const GoalTerm part : components) hash = narsese::hash_combine(hash, part);
  if (components.empty() && known) hash = narsese::hash_combine(hash, known.hash());
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto found = begin; found != end; ++found) {
    Node& node = nodes_[found->second];
    if (node.label != label || !std::ranges::equal(this->components(found->second), components)) continue;
    if (components.empty() && node.term != known) continue;
    if (!node.is_open && known) node.term = known;
    return found->second;
  }
  Node node{label, known, static_cast<std::uint32_t>(children_.size()),
            static_cast<std::uint32_t>(components.size()), false};
  for (const GoalTerm part : components) node.is_open |= nodes_[part].is_open;
  if (node.is_open) node.term = Term();
  children_.insert(children_.end(), components.begin(), components.end());
  nodes_.push_back(node);
  by_hash_.emplace(hash, static_cast<GoalTerm>(nodes_.size() - 1));
  return static_cast<GoalTerm>(nodes_.size() - 1);
}

GoalTerm GoalTerms::with_component(GoalTerm term, std::size_t place, GoalTerm component) {
  const auto before = components(term);
  std::vector<GoalTerm> parts(before.begin(), before.end());
  parts[place] = component;
  return compound(nodes_[term].label, parts);
}

GoalTerm GoalTerms::replaced(GoalTerm term, GoalTerm part, GoalTerm by) {
  if (term == part) return by;
  std::vector<GoalTerm> parts;
  for (std::size_t i = 0; i < nodes_[term].count && !is_variable(term); ++i)
    parts.push_back(replaced(children_[nodes_[term].first + i], part, by));
  return parts.empty() ? term : compound(nodes_[term].label, parts);
}

GoalTerm GoalTerms::filled_in(GoalTerm pattern, const GoalBindings& bindings, std::vector<GoalTerm>& free) {
  if (!is_open(pattern)) return pattern;
  charge(4);
  if (is_variable(pattern)) {
    const std::uint32_t number = nodes_[pattern].first;
    if (number < bindings.size() && bindings[number] != no_goal_term) return bindings[number];
    const auto known = std::ranges::find(free, pattern);
    const auto place = static_cast<std::size_t>(known - free.begin());
    if (known == free.end()) free.push_back(pattern);
    return variable(place);
  }
  std::vector<GoalTerm> parts;
  for (std::size_t i = 0; i < nodes_[pattern].count; ++i)
    parts.push_back(filled_in(children_[nodes_[pattern].first + i], bindings, free));
  return compound(nodes_[pattern].label, parts);
}

bool GoalTerms::match(GoalTerm pattern, GoalTerm wanted, GoalBindings& bindings) const {
  charge(4);
  if (pattern == wanted && !is_open(pattern)) return true;
  if (is_variable(wanted)) return true;
  if (is_variable(pattern)) {
    const std::uint32_t number = nodes_[pattern].first;
    if (bindings.size() <= number) bindings.resize(number + 1, no_goal_term);
    if (bindings[number] != no_goal_term) return bindings[number] == wanted || is_open(wanted);
    if (!is_open(wanted)) bindings[number] = wanted;
    return true;
  }
  if (!is_open(pattern) && !is_open(wanted)) return false;
  if (nodes_[pattern].label != nodes_[wanted].label || nodes_[pattern].count == 0) return false;
  const auto parts = components(pattern), others = components(wanted);
  const GoalBindings before = bindings;
  bool matches = true;
  for (std::size_t i = 0; matches && i < parts.size(); ++i) matches = match(parts[i], others[i], bindings);
  if (matches || parts.size() != 2 || !narsese::is_commutative(nodes_[pattern].label)) return matches;
  bindings = before;
  return match(parts[0], others[1], bindings) && match(parts[1], others[0], bindings);
}

}  // namespace engram::core
