// SPDX-License-Identifier: MIT
#include "narsese/term.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "narsese/byte_scan.hpp"
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

// Two words of a name, with zeros behind its end, so that hashing does not ask for its length where it is
// short. 16 bytes must be readable.
struct Words {
  std::uint64_t first, second;
};

Words words_of(const char* name, std::size_t bytes) {
  static constexpr std::array<unsigned char, 2 * scan_bytes> ones_then_zeros = [] {
    std::array<unsigned char, 2 * scan_bytes> bits{};
    std::fill_n(bits.begin(), scan_bytes, static_cast<unsigned char>(0xFF));
    return bits;
  }();
  Words words, mask;
  std::memcpy(&words, name, scan_bytes);
  std::memcpy(&mask, ones_then_zeros.data() + scan_bytes - std::min(bytes, scan_bytes), scan_bytes);
  return {words.first & mask.first, words.second & mask.second};
}

std::uint64_t hash_of_number(TermKind kind, std::uint8_t symbol, std::int64_t number) {
  return hash_combine(static_cast<std::uint64_t>(kind) << 8 | symbol, static_cast<std::uint64_t>(number));
}

// Of a name behind which 16 bytes are readable. An operator and an atom of the same name differ.
std::uint64_t hash_of_name(TermKind kind, std::string_view name) {
  const auto fold = [](std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
    return hash ^ (hash >> 32);
  };
  std::uint64_t hash = static_cast<std::uint64_t>(kind) << 32 | name.size();
  for (std::size_t i = 0; i < name.size(); i += scan_bytes) {
    const Words words = words_of(name.data() + i, name.size() - i);
    hash = fold(fold(hash, words.first), words.second);
  }
  return mix(hash);
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

std::uint64_t hash_of_inner(TermKind kind, std::uint8_t symbol, std::size_t position,
                            std::span<const Term> components) {
  InnerHash hash(kind, symbol, position);
  for (const Term component : components) hash.add(component.hash());
  return hash.value();
}

bool is_name(TermKind kind) { return kind == TermKind::atom || kind == TermKind::op; }
bool is_number(TermKind kind) { return kind == TermKind::variable || kind == TermKind::interval; }

// A node may lie on two lines of the cache; its payload's start is all that is compared most often.
template <class Node>
void prefetch(const Node* node) {
  __builtin_prefetch(&node->complexity);
  __builtin_prefetch(reinterpret_cast<const char*>(node + 1) + scan_bytes - 1);
}

void check_name(std::string_view name, const char* message) {
  if (name.empty() || name.size() > TermTable::max_name_bytes) throw std::invalid_argument(message);
}

}  // namespace

// What a term is looked up by: two terms are equal iff their labels and payloads are.
struct TermTable::Key {
  bool is_of(const Term::Node* node) const {
    return node->label == label && same_start(node + 1, payload, std::min(bytes, scan_bytes)) &&
           (bytes <= scan_bytes || std::memcmp(node + 1, payload, bytes) == 0);
  }

  Term::Label label;
  std::uint64_t hash;
  const void* payload;  // at least 16 readable bytes
  std::size_t bytes;
};

Term TermTable::find_or_make(const Key& key, const Term::Node* guess) {
  if (guess != nullptr && key.is_of(guess)) return Term(guess);
  return Term(node(index_.find_or_insert(
      key.hash, [&](std::uint32_t number) { return key.is_of(node(number)); }, [&] { return make(key); })));
}

std::uint32_t TermTable::make(const Key& key) {
  Term::Node made{key.hash, 1, 1, key.label.kind() == TermKind::variable, key.label};
  if (!is_name(key.label.kind()) && !is_number(key.label.kind())) describe_inner(made, key);
  const std::uint32_t number = arena_.allocate(sizeof made + key.bytes);
  Term::Node* place = new (arena_.at(number)) Term::Node(made);
  // What is short is copied as if it were not: behind its end stands nothing yet.
  void* const payload = place + 1;
  std::memcpy(payload, key.payload, scan_bytes);
  if (key.bytes > scan_bytes) std::memcpy(payload, key.payload, key.bytes);
  return number;
}

void TermTable::describe_inner(Term::Node& made, const Key& key) {
  const std::span components(static_cast<const Term*>(key.payload), key.label.size());
  if (components.size() > max_components) throw std::invalid_argument("too many components in one term");
  std::uint32_t depth = 0;
  std::uint64_t complexity = 1;
  for (const Term component : components) {
    depth = std::max(depth, component.depth());
    complexity += component.complexity();
    made.has_variables |= component.has_variables();
  }
  if (depth >= max_depth) throw std::invalid_argument("term nested too deeply");
  made.depth = static_cast<std::uint16_t>(depth + 1);
  made.complexity = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(complexity, std::numeric_limits<std::uint32_t>::max()));
}

Term TermTable::name(TermKind kind, std::string_view name, Guess guess) {
  return find_or_make({{kind, 0, 0, name.size()}, guess.hash, name.data(), name.size()}, guess.node);
}

Term TermTable::number(TermKind kind, std::uint8_t symbol, std::int64_t number, Guess guess) {
  const std::array<std::int64_t, 2> padded{number, 0};
  return find_or_make({{kind, symbol, 0, 1}, guess.hash, padded.data(), sizeof number}, guess.node);
}

Term TermTable::inner(TermKind kind, std::uint8_t symbol, std::size_t position,
                      std::span<const Term> components, Guess guess) {
  return find_or_make(
      {{kind, symbol, position, components.size()}, guess.hash, components.data(), components.size_bytes()},
      guess.node);
}

// Puts components whose order is without meaning in theirs; equal ones of a compound count once. Gives how
// many are left.
std::size_t TermTable::sort_components(TermKind kind, std::span<Term> components) {
  const auto before = [](Term a, Term b) { return compare(a, b) < 0; };
  if (components.size() == 2) {
    if (before(components[1], components[0])) std::swap(components[0], components[1]);
  } else {
    std::sort(components.begin(), components.end(), before);
  }
  if (kind == TermKind::statement) return components.size();
  return static_cast<std::size_t>(std::unique(components.begin(), components.end()) - components.begin());
}

Term TermTable::canonical(TermKind kind, std::uint8_t symbol, std::size_t position,
                          std::span<const Term> components) {
  stack_.resize(std::max(stack_.size(), components.size() + padding_of_stack));
  std::span<Term> own(stack_.data(), components.size());
  std::ranges::copy(components, own.begin());
  if (own.size() > 1 && is_commutative(kind, symbol)) own = own.first(sort_components(kind, own));
  if (kind == TermKind::compound && own.size() < facts(static_cast<Connector>(symbol)).min_arity)
    return own.front();
  return inner(kind, symbol, position, own, {hash_of_inner(kind, symbol, position, own), nullptr});
}

void TermTable::intern(std::span<const SyntaxTree> trees, std::span<Term> terms) {
  look_ahead(trees);
  const Guess* guesses = guesses_.data();
  for (std::size_t i = 0; i < trees.size(); ++i) {
    terms[i] = intern(trees[i], guesses);
    guesses += trees[i].nodes.size();
  }
}

// The hashes of all nodes, but for what components that count once change: which are equal is not known
// before they are made. And the memory where the terms will be looked for: the index first, and when that has
// been asked for, the nodes.
void TermTable::look_ahead(std::span<const SyntaxTree> trees) {
  std::size_t all = 0, most = 0;
  for (const SyntaxTree& tree : trees) {
    all += tree.nodes.size();
    most = std::max(most, tree.nodes.size());
  }
  guesses_.resize(std::max(guesses_.size(), all));
  hash_stack_.resize(std::max(hash_stack_.size(), most));
  stack_.resize(std::max(stack_.size(), most + padding_of_stack));
  Guess* next = guesses_.data();
  for (const SyntaxTree& tree : trees) {
    std::uint64_t* top = hash_stack_.data();
    for (const SyntaxNode& node : tree.nodes) {
      std::uint64_t hash = 0;
      if (is_name(node.kind)) {
        hash = hash_of_name(node.kind, tree.name(node));
      } else if (is_number(node.kind)) {
        hash = hash_of_number(node.kind, node.symbol, node.value);
      } else {
        InnerHash hashing(node.kind, node.symbol, static_cast<std::size_t>(node.value));
        top -= node.size;
        for (std::size_t i = 0; i < node.size; ++i) hashing.add(top[i]);
        hash = hashing.value();
      }
      *top++ = (next++)->hash = hash;
      index_.prefetch(hash);
    }
  }
  for (std::size_t i = 0; i < all; ++i)
    if (const std::uint32_t number = index_.guess(guesses_[i].hash); number != HashIndex::none) {
      guesses_[i].node = node(number);
      prefetch(guesses_[i].node);
    } else {
      guesses_[i].node = nullptr;
    }
}

Term TermTable::intern(const SyntaxTree& tree, const Guess* guesses) {
  Term* top = stack_.data();
  bool exact = true;  // the hashes of what is to come
  for (const SyntaxNode& node : tree.nodes) {
    Guess guess = *guesses++;
    if (is_name(node.kind)) {
      *top++ = name(node.kind, tree.name(node), guess);
    } else if (is_number(node.kind)) {
      *top++ = number(node.kind, node.symbol, node.value, guess);
    } else {
      top -= node.size;
      std::span components(top, node.size);
      const auto position = static_cast<std::size_t>(node.value);
      if (components.size() > 1 && is_commutative(node.kind, node.symbol)) {
        components = components.first(sort_components(node.kind, components));
        exact = exact && components.size() == node.size;
        if (node.kind == TermKind::compound &&
            components.size() < facts(static_cast<Connector>(node.symbol)).min_arity) {
          ++top;  // the one that is left
          continue;
        }
      }
      if (!exact) guess = {hash_of_inner(node.kind, node.symbol, position, components), nullptr};
      *top++ = inner(node.kind, node.symbol, position, components, guess);
    }
  }
  return tree.nodes.size() == 0 ? Term() : stack_.front();
}

// A name with readable bytes behind it.
std::string_view TermTable::padded(std::string_view name) {
  padded_.assign(name.begin(), name.end());
  padded_.resize(name.size() + scan_bytes);
  return {padded_.data(), name.size()};
}

Term TermTable::atom(std::string_view name) {
  check_name(name, "atom name empty or too long");
  const std::string_view own = padded(name);
  return this->name(TermKind::atom, own, {hash_of_name(TermKind::atom, own), nullptr});
}

Term TermTable::op(std::string_view name) {
  check_name(name, "operator name empty or too long");
  const std::string_view own = padded(name);
  return this->name(TermKind::op, own, {hash_of_name(TermKind::op, own), nullptr});
}

Term TermTable::variable(VariableKind kind, std::int64_t number) {
  if (number < 1) throw std::invalid_argument("variables are numbered from 1");
  const auto symbol = static_cast<std::uint8_t>(kind);
  return this->number(TermKind::variable, symbol, number,
                      {hash_of_number(TermKind::variable, symbol, number), nullptr});
}

Term TermTable::interval(std::int64_t length) {
  if (length < 0) throw std::invalid_argument("an interval is not negative");
  return number(TermKind::interval, 0, length, {hash_of_number(TermKind::interval, 0, length), nullptr});
}

Term TermTable::compound(Connector connector, std::span<const Term> components) {
  const ConnectorFacts& rule = facts(connector);
  if (is_image(connector)) throw std::invalid_argument("an image needs the position of its placeholder");
  if (components.size() < rule.min_arity || components.size() > rule.max_arity)
    throw std::invalid_argument("wrong number of components for " + std::string(rule.text));
  return canonical(TermKind::compound, static_cast<std::uint8_t>(connector), 0, components);
}

Term TermTable::image(Connector connector, std::span<const Term> relation_and_arguments,
                      std::size_t position) {
  if (!is_image(connector)) throw std::invalid_argument("not an image connector");
  if (relation_and_arguments.empty()) throw std::invalid_argument("an image needs a relation");
  if (position < 1 || position > relation_and_arguments.size())
    throw std::invalid_argument("an image's placeholder stands after the relation");
  return canonical(TermKind::compound, static_cast<std::uint8_t>(connector), position,
                   relation_and_arguments);
}

Term TermTable::statement(Copula copula, Term subject, Term predicate) {
  const std::array<Term, 2> sides{subject, predicate};
  return canonical(TermKind::statement, static_cast<std::uint8_t>(copula), 0, sides);
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
