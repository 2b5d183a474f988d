// SPDX-License-Identifier: MIT
#include "narsese/term.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include "narsese/syntax.hpp"

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

namespace {

bool is_commutative(TermKind kind, std::uint8_t symbol) {
  return kind == TermKind::statement ? facts(static_cast<Copula>(symbol)).symmetric
                                     : facts(static_cast<Connector>(symbol)).commutative;
}

std::uint64_t hash_of_number(TermKind kind, std::uint8_t symbol, std::int64_t number) {
  return hash_combine(static_cast<std::uint64_t>(kind) << 8 | symbol, static_cast<std::uint64_t>(number));
}

// An operator and an atom of the same name differ.
std::uint64_t hash_of_name(TermKind kind, std::string_view name) {
  return hash_name(name) ^ static_cast<std::uint64_t>(kind);
}

// Hash of a term from those of its components: a sum where their order is without meaning, else a polynomial.
class InnerHash {
 public:
  InnerHash(TermKind kind, std::uint8_t symbol, std::size_t position)
      : sum_(((static_cast<std::uint64_t>(kind) << 8 | symbol) + (position << 16)) * factor),
        commutative_(is_commutative(kind, symbol)) {}
  void add(std::uint64_t component) {
    sum_ = commutative_ ? sum_ + component * factor : (sum_ + component) * factor;
  }
  std::uint64_t value() const { return mix(sum_); }

 private:
  static constexpr std::uint64_t factor = 0x9e3779b97f4a7c15ULL;
  std::uint64_t sum_;
  bool commutative_;
};

}  // namespace

Term::Node& TermTable::make(TermKind kind, std::uint8_t symbol, std::uint64_t hash,
                            std::size_t payload_bytes) {
  const std::uint32_t number = arena_.allocate(sizeof(Term::Node) + payload_bytes);
  auto* node = new (arena_.at(number)) Term::Node{hash, 1, 0, 0, 1, kind, symbol, false};
  index_.insert(hash, number);
  return *node;
}

Term TermTable::name(TermKind kind, std::string_view name, std::uint64_t hash) {
  const std::uint32_t found = index_.find(hash, [&](std::uint32_t number) {
    const Term::Node* other = node(number);
    return other->hash == hash && other->kind == kind && Term(other).name() == name;
  });
  if (found != HashIndex::none) return Term(node(found));
  Term::Node& made = make(kind, 0, hash, name.size());
  made.size = static_cast<std::uint32_t>(name.size());
  std::memcpy(&made + 1, name.data(), name.size());
  return Term(&made);
}

Term TermTable::number(TermKind kind, std::uint8_t symbol, std::int64_t number, std::uint64_t hash) {
  const std::uint32_t found = index_.find(hash, [&](std::uint32_t id) {
    const Term::Node* other = node(id);
    return other->kind == kind && other->symbol == symbol && Term(other).number() == number;
  });
  if (found != HashIndex::none) return Term(node(found));
  Term::Node& made = make(kind, symbol, hash, sizeof number);
  made.has_variables = kind == TermKind::variable;
  new (&made + 1) std::int64_t(number);
  return Term(&made);
}

Term TermTable::inner(TermKind kind, std::uint8_t symbol, std::span<const Term> components,
                      std::size_t position) {
  InnerHash hashing(kind, symbol, position);
  for (const Term component : components) hashing.add(component.hash());
  const std::uint64_t hash = hashing.value();
  const std::uint32_t found = index_.find(hash, [&](std::uint32_t number) {
    const Term::Node* other = node(number);
    return other->hash == hash && other->kind == kind && other->symbol == symbol &&
           other->position == position && std::ranges::equal(Term(other).components(), components);
  });
  if (found != HashIndex::none) return Term(node(found));

  if (components.size() > max_components) throw std::invalid_argument("too many components in one term");
  std::uint32_t depth = 0;
  std::uint64_t complexity = 1;
  bool has_variables = false;
  for (const Term component : components) {
    depth = std::max(depth, component.depth());
    complexity += component.complexity();
    has_variables = has_variables || component.has_variables();
  }
  if (depth >= max_depth) throw std::invalid_argument("term nested too deeply");

  Term::Node& made = make(kind, symbol, hash, components.size_bytes());
  made.complexity = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(complexity, std::numeric_limits<std::uint32_t>::max()));
  made.size = static_cast<std::uint32_t>(components.size());
  made.position = static_cast<std::uint16_t>(position);
  made.depth = static_cast<std::uint16_t>(depth + 1);
  made.has_variables = has_variables;
  std::uninitialized_copy(components.begin(), components.end(), reinterpret_cast<Term*>(&made + 1));
  return Term(&made);
}

// Puts components whose order is without meaning in theirs; equal ones of a compound count once.
Term TermTable::canonical(TermKind kind, std::uint8_t symbol, std::span<Term> components,
                          std::size_t position) {
  if (components.size() < 2 || !is_commutative(kind, symbol))
    return inner(kind, symbol, components, position);
  const auto before = [](Term a, Term b) { return compare(a, b) < 0; };
  if (components.size() == 2) {
    if (before(components[1], components[0])) std::swap(components[0], components[1]);
  } else {
    std::sort(components.begin(), components.end(), before);
  }
  if (kind == TermKind::statement) return inner(kind, symbol, components, position);
  const auto end = std::unique(components.begin(), components.end());
  const auto left = static_cast<std::size_t>(end - components.begin());
  if (left < facts(static_cast<Connector>(symbol)).min_arity) return components.front();
  return inner(kind, symbol, components.first(left), position);
}

void TermTable::intern(std::span<const SyntaxTree> trees, std::span<Term> terms) {
  // First the names' hashes, and where they and, by a guess, the compounds will be looked for: components
  // that count once are not known to be equal before they are made.
  hashes_.clear();
  for (const SyntaxTree& tree : trees) {
    hash_stack_.clear();
    for (const SyntaxNode& node : tree.nodes) {
      std::uint64_t hash = 0;
      if (node.kind == TermKind::atom || node.kind == TermKind::op) {
        hash = hash_of_name(node.kind, tree.name(node));
      } else if (node.kind == TermKind::variable || node.kind == TermKind::interval) {
        hash = hash_of_number(node.kind, node.symbol, node.value);
      } else {
        InnerHash hashing(node.kind, node.symbol, static_cast<std::size_t>(node.value));
        for (std::size_t i = hash_stack_.size() - node.size; i < hash_stack_.size(); ++i)
          hashing.add(hash_stack_[i]);
        hash_stack_.resize(hash_stack_.size() - node.size);
        hash = hashing.value();
      }
      hash_stack_.push_back(hash);
      hashes_.push_back(hash);
      index_.prefetch(hash);
    }
  }
  if (trees.size() > 1)
    for (const std::uint64_t hash : hashes_)
      if (const std::uint32_t number = index_.guess(hash); number != HashIndex::none)
        __builtin_prefetch(node(number));
  const std::uint64_t* hashes = hashes_.data();
  for (std::size_t i = 0; i < trees.size(); ++i) {
    terms[i] = intern(trees[i], hashes);
    hashes += trees[i].nodes.size();
  }
}

Term TermTable::intern(const SyntaxTree& tree, const std::uint64_t* hashes) {
  stack_.clear();
  for (const SyntaxNode& node : tree.nodes) {
    const std::uint64_t hash = *hashes++;
    switch (node.kind) {
      case TermKind::atom:
      case TermKind::op:
        stack_.push_back(name(node.kind, tree.name(node), hash));
        break;
      case TermKind::variable:
      case TermKind::interval:
        stack_.push_back(number(node.kind, node.symbol, node.value, hash));
        break;
      default: {
        const std::size_t first = stack_.size() - node.size;
        const Term made = canonical(node.kind, node.symbol, std::span(stack_).subspan(first),
                                    static_cast<std::size_t>(node.value));
        stack_.resize(first);
        stack_.push_back(made);
      }
    }
  }
  return stack_.empty() ? Term() : stack_.back();
}

Term TermTable::atom(std::string_view name) {
  if (name.empty() || name.size() > max_name_bytes)
    throw std::invalid_argument("atom name empty or too long");
  return this->name(TermKind::atom, name, hash_of_name(TermKind::atom, name));
}

Term TermTable::op(std::string_view name) {
  if (name.empty() || name.size() > max_name_bytes)
    throw std::invalid_argument("operator name empty or too long");
  return this->name(TermKind::op, name, hash_of_name(TermKind::op, name));
}

Term TermTable::variable(VariableKind kind, std::int64_t number) {
  if (number < 1) throw std::invalid_argument("variables are numbered from 1");
  const auto symbol = static_cast<std::uint8_t>(kind);
  return this->number(TermKind::variable, symbol, number, hash_of_number(TermKind::variable, symbol, number));
}

Term TermTable::interval(std::int64_t length) {
  if (length < 0) throw std::invalid_argument("an interval is not negative");
  return number(TermKind::interval, 0, length, hash_of_number(TermKind::interval, 0, length));
}

Term TermTable::compound(Connector connector, std::span<const Term> components) {
  const ConnectorFacts& rule = facts(connector);
  if (is_image(connector)) throw std::invalid_argument("an image needs the position of its placeholder");
  if (components.size() < rule.min_arity || components.size() > rule.max_arity)
    throw std::invalid_argument("wrong number of components for " + std::string(rule.text));
  std::vector<Term> own(components.begin(), components.end());
  return canonical(TermKind::compound, static_cast<std::uint8_t>(connector), own, 0);
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
  return canonical(TermKind::statement, static_cast<std::uint8_t>(copula), sides, 0);
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
