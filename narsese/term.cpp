// SPDX-License-Identifier: MIT
#include "narsese/term.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

namespace engram::narsese {
std::strong_ordering compare(Term a, Term b) {
  if (a == b) return std::strong_ordering::equal;
  if (const auto c = a.kind() <=> b.kind(); c != 0) return c;
  switch (a.kind()) {
    case TermKind::atom:
    case TermKind::op:
      return a.name() <=> b.name();
    case TermKind::variable:
      if (const auto c = a.variable_kind() <=> b.variable_kind(); c != 0) return c;
      return a.number() <=> b.number();
    case TermKind::interval:
      return a.number() <=> b.number();
    case TermKind::compound:
      if (const auto c = a.connector() <=> b.connector(); c != 0) return c;
      if (const auto c = a.image_position() <=> b.image_position(); c != 0) return c;
      break;
    case TermKind::statement:
      if (const auto c = a.copula() <=> b.copula(); c != 0) return c;
      break;
  }
  if (const auto c = a.components().size() <=> b.components().size(); c != 0) return c;
  for (std::size_t i = 0; i < a.components().size(); ++i)
    if (const auto c = compare(a.components()[i], b.components()[i]); c != 0) return c;
  return std::strong_ordering::equal;
}

TermTable::TermTable() : arena_(std::make_unique<std::pmr::monotonic_buffer_resource>()) {}

Term TermTable::leaf(TermKind kind, std::uint8_t symbol, std::string_view name, std::int64_t number) {
  std::uint64_t hash = hash_combine(static_cast<std::uint64_t>(kind), symbol);
  hash = hash_combine(hash, name.empty() ? static_cast<std::uint64_t>(number) : hash_bytes(name));
  const std::uint32_t found = index_.find(hash, [&](std::uint32_t id) {
    const Term::Node& node = *nodes_[id];
    if (node.hash != hash || node.kind != kind || node.symbol != symbol || node.size != name.size())
      return false;
    return name.empty() ? node.number == number : Term(&node).name() == name;
  });
  if (found != HashIndex::none) return Term(nodes_[found]);

  auto* node = new (arena_->allocate(sizeof(Term::Node), alignof(Term::Node))) Term::Node();
  node->hash = hash;
  node->kind = kind;
  node->symbol = symbol;
  node->has_variables = kind == TermKind::variable;
  node->size = static_cast<std::uint32_t>(name.size());
  if (name.empty()) {
    node->number = number;
  } else {
    char* text = static_cast<char*>(arena_->allocate(name.size(), 1));
    std::memcpy(text, name.data(), name.size());
    node->text = text;
  }
  index_.insert(hash, static_cast<std::uint32_t>(nodes_.size()));
  nodes_.push_back(node);
  return Term(node);
}

Term TermTable::inner(TermKind kind, std::uint8_t symbol, std::span<const Term> components,
                      std::size_t position) {
  std::uint64_t hash = hash_combine(static_cast<std::uint64_t>(kind), symbol);
  hash = hash_combine(hash, position);
  for (const Term component : components) hash = hash_combine(hash, component.hash());
  const std::uint32_t found = index_.find(hash, [&](std::uint32_t id) {
    const Term::Node& node = *nodes_[id];
    return node.hash == hash && node.kind == kind && node.symbol == symbol && node.position == position &&
           std::ranges::equal(Term(&node).components(), components);
  });
  if (found != HashIndex::none) return Term(nodes_[found]);

  if (components.size() > max_components) throw std::invalid_argument("too many components in one term");
  std::uint32_t depth = 0;
  for (const Term component : components) depth = std::max(depth, component.depth());
  if (depth >= max_depth) throw std::invalid_argument("term nested too deeply");

  auto* node = new (arena_->allocate(sizeof(Term::Node), alignof(Term::Node))) Term::Node();
  node->hash = hash;
  node->kind = kind;
  node->symbol = symbol;
  node->depth = depth + 1;
  node->size = static_cast<std::uint32_t>(components.size());
  node->position = static_cast<std::uint32_t>(position);
  auto* copy = static_cast<Term*>(arena_->allocate(components.size_bytes(), alignof(Term)));
  std::uninitialized_copy(components.begin(), components.end(), copy);
  node->components = copy;
  for (const Term component : components) {
    node->complexity += component.complexity();
    node->has_variables = node->has_variables || component.has_variables();
  }
  index_.insert(hash, static_cast<std::uint32_t>(nodes_.size()));
  nodes_.push_back(node);
  return Term(node);
}

Term TermTable::atom(std::string_view name) {
  if (name.empty() || name.size() > max_name_bytes)
    throw std::invalid_argument("atom name empty or too long");
  return leaf(TermKind::atom, 0, name, 0);
}

Term TermTable::op(std::string_view name) {
  if (name.empty() || name.size() > max_name_bytes)
    throw std::invalid_argument("operator name empty or too long");
  return leaf(TermKind::op, 0, name, 0);
}

Term TermTable::variable(VariableKind kind, std::int64_t number) {
  if (number < 1) throw std::invalid_argument("variables are numbered from 1");
  return leaf(TermKind::variable, static_cast<std::uint8_t>(kind), {}, number);
}

Term TermTable::interval(std::int64_t length) {
  if (length < 0) throw std::invalid_argument("an interval is not negative");
  return leaf(TermKind::interval, 0, {}, length);
}

Term TermTable::compound(Connector connector, std::span<const Term> components) {
  const ConnectorFacts& rule = facts(connector);
  if (is_image(connector)) throw std::invalid_argument("an image needs the position of its placeholder");
  if (components.size() < rule.min_arity || components.size() > rule.max_arity)
    throw std::invalid_argument("wrong number of components for " + std::string(rule.text));
  const auto symbol = static_cast<std::uint8_t>(connector);
  if (!rule.commutative) return inner(TermKind::compound, symbol, components, 0);

  std::vector<Term> sorted(components.begin(), components.end());
  std::sort(sorted.begin(), sorted.end(), [](Term a, Term b) { return compare(a, b) < 0; });
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (sorted.size() < rule.min_arity) return sorted.front();
  return inner(TermKind::compound, symbol, sorted, 0);
}

Term TermTable::image(Connector connector, std::span<const Term> relation_and_arguments,
                      std::size_t position) {
  if (!is_image(connector)) throw std::invalid_argument("not an image connector");
  if (relation_and_arguments.empty()) throw std::invalid_argument("an image needs a relation");
  if (position < 1 || position > relation_and_arguments.size())
    throw std::invalid_argument("an image's placeholder stands after the relation");
  return inner(TermKind::compound, static_cast<std::uint8_t>(connector), relation_and_arguments, position);
}

Term TermTable::statement(Copula copula, Term subject, Term predicate) {
  std::array<Term, 2> sides{subject, predicate};
  if (facts(copula).symmetric && compare(predicate, subject) < 0) std::swap(sides[0], sides[1]);
  return inner(TermKind::statement, static_cast<std::uint8_t>(copula), sides, 0);
}

Term TermTable::with_components(Term term, std::span<const Term> components) {
  if (term.kind() == TermKind::statement) {
    if (components.size() != 2) throw std::invalid_argument("a statement has two sides");
    return statement(term.copula(), components[0], components[1]);
  }
  if (term.kind() != TermKind::compound) return term;
  return is_image(term.connector()) ? image(term.connector(), components, term.image_position())
                                    : compound(term.connector(), components);
}

}  // namespace engram::narsese
