// SPDX-License-Identifier: MIT
#include "narsese/term.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include "narsese/byte_scan.hpp"
#include "narsese/syntax.hpp"

namespace engram::narsese {
namespace {

TermHash::Key draw_key() {
  std::random_device device;
  TermHash::Key key;
  // Odd, so that no word is 0, which would map all terms to one hash.
  for (std::uint64_t& word : key) word = (std::uint64_t{device()} << 32 | device()) | 1;
  return key;
}

// Whether merging equal components leaves a single component: (&&,a,a) is a.
bool is_only_one_left(TermLabel label, std::span<const Term> components) {
  return label.kind == TermKind::compound &&
         components.size() < facts(static_cast<Connector>(label.symbol)).min_arity;
}

// Size of the payload of a node with this label.
std::size_t payload_bytes(TermLabel label) {
  return has_components(label.kind) ? label.size * sizeof(Term)
         : is_name(label.kind)      ? label.size
                                    : sizeof(std::int64_t);
}

}  // namespace

TermHash::TermHash() {
  static const Key key_of_process = draw_key();
  key_ = key_of_process;
}

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

// Search key of a term. Two terms are equal if and only if their labels and payloads are equal.
struct TermTable::Key {
  static_assert(max_depth < 1U << Term::Node::depth_bits);
  static_assert(std::max(max_components, max_name_bytes) < 1U << (Term::Node::label_bits - 32));

  bool is_of(const Term::Node* node) const {
    return node->has_label(label) && same_start(node + 1, payload, std::min(bytes, scan_bytes)) &&
           (bytes <= scan_bytes || std::memcmp(node + 1, payload, bytes) == 0);
  }

  TermLabel label;
  std::uint32_t hash;
  const void* payload;  // at least 16 readable bytes
  std::size_t bytes;
};

Term TermTable::find_or_make(const Key& key) try {
  return Term(node(index_.find_or_insert(
      key.hash, [&](std::uint32_t id) { return key.is_of(node(id)); }, [&] { return make(key); })));
} catch (const std::length_error&) {
  throw_full();
}

void TermTable::throw_full() const {
  throw TermTableFull("the memory is full: terms would take more than the " + std::to_string(limit_) +
                      " bytes that are left for them");
}

Term TermTable::add(const Key& key) try {
  if (!is_bulk_loading_) return find_or_make(key);
  bulk_ids_.push_back(make(key));
  return Term(node(bulk_ids_.back()));
} catch (const TermTableFull&) {
  throw;
} catch (const std::length_error&) {
  throw_full();
}

void TermTable::end_bulk_load() try {
  constexpr std::size_t ahead = 32;
  index_.reserve(index_.size() + bulk_ids_.size());
  for (std::size_t i = 0; i < bulk_ids_.size(); ++i) {
    if (i + ahead < bulk_ids_.size()) index_.prefetch(node(bulk_ids_[i + ahead])->hash);
    const Term::Node* const made = node(bulk_ids_[i]);
    const Key key{made->label(), made->hash, made + 1, payload_bytes(made->label())};
    if (index_.find_or_insert(
            key.hash, [&](std::uint32_t id) { return key.is_of(node(id)); }, [&] { return bulk_ids_[i]; }) !=
        bulk_ids_[i])
      throw std::invalid_argument("two terms are equal");
  }
  bulk_ids_ = {};
  is_bulk_loading_ = false;
} catch (const std::length_error&) {
  throw_full();
}

void TermTable::limit(std::size_t reserved_bytes) {
  limit_ = reserved_bytes;
  share_limit();
}

void TermTable::mark() {
  mark_ = arena_.mark();
  new_ids_.clear();
}

void TermTable::unmark() {
  mark_.reset();
  new_ids_ = {};
}

void TermTable::rollback(std::span<Term> kept) {
  if (!new_ids_.empty()) {
    TermTable aside;  // kept terms must be copied out before their memory is reused
    TermCopies copies(aside);
    for (Term& term : kept) term = copies(term);
    for (auto id = new_ids_.rbegin(); id != new_ids_.rend(); ++id) index_.erase(node(*id)->hash, *id);
    index_.shrink();
    arena_.rewind(*mark_);
    const std::size_t limit = limit_;
    this->limit(std::numeric_limits<std::size_t>::max());  // they fitted before
    TermCopies back(*this);
    for (Term& term : kept) term = back(term);
    this->limit(limit);
  }
  mark();
}

void TermTable::keep_only(std::span<Term> kept) {
  const Arena before = std::exchange(arena_, Arena());
  index_ = HashIndex();
  if (before.is_shared()) {  // the old nodes must not be written to
    const std::size_t limit = std::exchange(limit_, std::numeric_limits<std::size_t>::max());
    TermCopies copies(*this);
    for (Term& term : kept) term = copies(term);
    limit_ = limit;
  } else {
    for (Term& term : kept) term = move_here(term);
  }
  share_limit();
  if (mark_) mark();
}

// Moves a term from the old arena into this one. A moved node keeps its new address in `facts` and has complexity 0.
Term TermTable::move_here(Term term) {
  auto* const old = const_cast<Term::Node*>(term.node_);
  if (old->complexity == 0) return Term(reinterpret_cast<const Term::Node*>(old->facts));
  const TermLabel label = old->label();
  const std::size_t bytes = payload_bytes(label);
  if (has_components(label.kind))
    for (Term& component : std::span(reinterpret_cast<Term*>(old + 1), label.size))
      component = move_here(component);
  const std::uint32_t id = arena_.allocate(sizeof *old + bytes) - 1;
  std::memcpy(static_cast<void*>(node(id)), old, sizeof *old + bytes);
  index_.insert(old->hash, id);
  old->complexity = 0;
  old->facts = reinterpret_cast<std::uint64_t>(node(id));
  return Term(node(id));
}

std::uint32_t TermTable::make(const Key& key) {
  const Term::Node made = has_components(key.label.kind)
                              ? inner_node(key)
                              : Term::Node(key.hash, key.label, 1, 1, key.label.kind == TermKind::variable);
  const std::size_t reserved = arena_.reserved();
  const std::uint32_t id =
      arena_.allocate(sizeof made + key.bytes, limit_ - std::min(limit_, index_.bytes())) - 1;
  if (mark_) new_ids_.push_back(id);
  if (arena_.reserved() != reserved) share_limit();
  Term::Node* place = new (node(id)) Term::Node(made);
  // Copies 16 bytes even if the payload is shorter, because the memory behind it is still unused.
  TwoWords::at(key.payload).copy_to(place + 1);
  if (key.bytes > scan_bytes) std::memcpy(place + 1, key.payload, key.bytes);
  return id;
}

Term::Node TermTable::inner_node(const Key& key) {
  const std::span components(static_cast<const Term*>(key.payload), key.label.size);
  if (components.size() > max_components)
    throw std::invalid_argument("a term must have at most " + std::to_string(max_components) +
                                " components, found " + std::to_string(components.size()));
  std::uint32_t depth = 0;
  std::uint64_t complexity = 1;
  bool has_variables = false;
  for (const Term component : components) {
    depth = std::max(depth, component.depth());
    complexity += component.complexity();
    has_variables |= component.has_variables();
  }
  if (depth >= max_depth)
    throw std::invalid_argument("a term must have at most " + std::to_string(max_depth) +
                                " levels of nesting, found one more");
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  return {key.hash, key.label, static_cast<std::uint32_t>(std::min(complexity, most)), depth + 1,
          has_variables};
}

// Sorts the components of a commutative term and merges equal components of a compound. Returns the remaining ones.
std::span<Term> TermTable::sort_components(TermLabel label, std::span<Term> components) {
  const auto before = [](Term a, Term b) { return compare(a, b) < 0; };
  if (components.size() == 2) {
    if (before(components[1], components[0])) std::swap(components[0], components[1]);
  } else {
    std::sort(components.begin(), components.end(), before);
  }
  if (label.kind == TermKind::statement) return components;
  return {components.begin(), std::unique(components.begin(), components.end())};
}

std::uint32_t TermTable::hash_of_inner(TermLabel label, std::span<const Term> components) const {
  return hash_.inner(label, is_commutative(label), [&](std::size_t i) { return components[i].hash(); });
}

void TermTable::prefetch_index(std::span<const SyntaxNode> nodes) const {
  if (size() == 0) return;
  for (const SyntaxNode& node : nodes) index_.prefetch(node.hash);
}

// Looks up the likely terms of all nodes and prefetches them. Nodes without a likely term get one that matches
// nothing.
void TermTable::guess_terms(const SyntaxNodes& trees) {
  if (stack_.size() < trees.size() + padding_of_stack) stack_.resize(2 * trees.size() + padding_of_stack);
  if (guesses_.size() < trees.size()) guesses_.resize(2 * trees.size());
  if (size() == 0) {
    static const Term::Node no_term(0, {}, 0, 0, false);
    std::fill_n(guesses_.begin(), trees.size(), &no_term);
    return;
  }
  const Term::Node** guess = guesses_.data();
  for (const SyntaxNode& node : trees) {
    *guess = static_cast<const Term::Node*>(arena_.at(index_.guess(node.hash)));
    __builtin_prefetch(*guess++);
  }
}

std::span<const Term> TermTable::intern(const SyntaxNodes& trees) {
  guess_terms(trees);
  const Term::Node* const* guess = guesses_.data();
  Term* top = stack_.data();
  // End of the part of the stack with outdated hashes. Merging equal components changes a hash, and the parser could
  // not foresee it. Terms with a changed component are hashed again.
  const Term* changed = top;
  for (const SyntaxNode& node : trees) {
    const Term::Node* const likely = *guess++;
    top -= node.components;
    // The kind of payload is unpredictable, so the code below selects it without branches.
    const void* const leaf = node.is_number ? static_cast<const void*>(&node.value) : node.text();
    const void* const payload = node.components != 0 ? top : leaf;
    if (!node.is_simple || changed > top) [[unlikely]]
      changed = intern_general(node, payload, likely, top, changed);
    else if (likely->has_label(node.label) && same_start(likely + 1, payload, node.start_bytes)) [[likely]]
      *top = Term(likely);
    else
      *top = find_or_make({node.label, node.hash, payload, node.start_bytes});
    ++top;
  }
  return {stack_.data(), top};
}

// Puts the term of a node of any kind on top of the stack, in place of its components. Returns the new `changed`.
const Term* TermTable::intern_general(const SyntaxNode& node, const void* payload, const Term::Node* likely,
                                      Term* top, const Term* changed) {
  const auto find = [&](const Key& key) { return key.is_of(likely) ? Term(likely) : find_or_make(key); };
  if (node.components == 0) {
    *top = find({node.label, node.hash, payload, node.label.size});
    return changed;
  }
  std::span components(top, node.components);
  if (components.size() > 1 && is_commutative(node.label))
    components = sort_components(node.label, components);
  const bool has_changed = changed > top || components.size() != node.components;
  if (!is_only_one_left(node.label, components)) {
    TermLabel label = node.label;
    label.size = static_cast<std::uint32_t>(components.size());
    const std::uint32_t hash = has_changed ? hash_of_inner(label, components) : node.hash;
    *top = find({label, hash, top, components.size_bytes()});
  }
  return has_changed ? top + 1 : changed;
}

Term TermTable::name(TermKind kind, std::string_view name) {
  if (name.empty() || name.size() > max_name_bytes)
    throw std::invalid_argument("a name must have 1 to " + std::to_string(max_name_bytes) + " bytes, found " +
                                std::to_string(name.size()));
  padded_.assign(name.begin(), name.end());
  padded_.resize(name.size() + scan_bytes);
  const TermLabel label{kind, 0, 0, static_cast<std::uint32_t>(name.size())};
  return add({label, hash_.name(label, padded_.data()), padded_.data(), name.size()});
}

Term TermTable::number(TermKind kind, std::uint8_t symbol, std::int64_t number) {
  const std::array<std::int64_t, 2> padded{number, 0};
  const TermLabel label{kind, symbol, 0, 1};
  return add({label, hash_.number(label, number), padded.data(), sizeof number});
}

// The components may be in any order.
Term TermTable::inner(TermLabel label, std::span<const Term> components) {
  stack_.resize(std::max(stack_.size(), components.size() + padding_of_stack));
  std::span<Term> own(stack_.data(), components.size());
  std::ranges::copy(components, own.begin());
  if (own.size() > 1 && is_commutative(label)) own = sort_components(label, own);
  if (is_only_one_left(label, own)) return own.front();
  label.size = static_cast<std::uint32_t>(own.size());
  return add({label, hash_of_inner(label, own), own.data(), own.size_bytes()});
}

Term TermTable::atom(std::string_view name) { return this->name(TermKind::atom, name); }

Term TermTable::op(std::string_view name) { return this->name(TermKind::op, name); }

Term TermTable::variable(VariableKind kind, std::int64_t number) {
  if (number < 1)
    throw std::invalid_argument("the number of a variable must be at least 1, found " +
                                std::to_string(number));
  return this->number(TermKind::variable, static_cast<std::uint8_t>(kind), number);
}

Term TermTable::interval(std::int64_t length) {
  if (length < 0)
    throw std::invalid_argument("an interval must not be negative, found " + std::to_string(length));
  return number(TermKind::interval, 0, length);
}

Term TermTable::compound(Connector connector, std::span<const Term> components) {
  const ConnectorFacts& rule = facts(connector);
  if (is_image(connector))
    throw std::invalid_argument("an image must be made with the position of its placeholder");
  if (components.size() < rule.min_arity || components.size() > rule.max_arity)
    throw std::invalid_argument("'" + std::string(rule.text) + "' must have " +
                                std::to_string(rule.min_arity) +
                                (rule.max_arity == rule.min_arity ? "" : " or more") + " components, found " +
                                std::to_string(components.size()));
  return inner({TermKind::compound, static_cast<std::uint8_t>(connector)}, components);
}

Term TermTable::image(Connector connector, std::span<const Term> relation_and_arguments,
                      std::size_t position) {
  if (!is_image(connector))
    throw std::invalid_argument("the connector of an image must be / or \\, found " +
                                std::string(facts(connector).text));
  if (relation_and_arguments.empty())
    throw std::invalid_argument("an image must have a relation, found none");
  if (position < 1 || position > relation_and_arguments.size())
    throw std::invalid_argument("the position of a placeholder must be 1 to " +
                                std::to_string(relation_and_arguments.size()) + ", found " +
                                std::to_string(position));
  return inner(
      {TermKind::compound, static_cast<std::uint8_t>(connector), static_cast<std::uint16_t>(position)},
      relation_and_arguments);
}

Term TermTable::statement(Copula copula, Term subject, Term predicate) {
  const std::array<Term, 2> sides{subject, predicate};
  return inner({TermKind::statement, static_cast<std::uint8_t>(copula)}, sides);
}

Term TermTable::with_components(Term term, std::span<const Term> components) {
  if (term.kind() == TermKind::statement) {
    if (components.size() != 2)
      throw std::invalid_argument("a statement must have 2 sides, found " +
                                  std::to_string(components.size()));
    return statement(term.copula(), components[0], components[1]);
  }
  if (term.kind() != TermKind::compound) return term;
  return is_image(term.connector()) ? image(term.connector(), components, term.image_position())
                                    : compound(term.connector(), components);
}

Term TermCopies::operator()(Term term) {
  const auto known = index_.find(term.hash(), [&](std::uint32_t i) { return from_[i] == term; });
  if (known != HashIndex::none) return to_[known];
  const Term copy = made(term);
  index_.insert(term.hash(), static_cast<std::uint32_t>(from_.size()));
  from_.push_back(term);
  to_.push_back(copy);
  return copy;
}

Term TermCopies::made(Term term) {
  switch (term.kind()) {
    case TermKind::atom:
      return table_.atom(term.name());
    case TermKind::op:
      return table_.op(term.name());
    case TermKind::variable:
      return table_.variable(term.variable_kind(), term.number());
    case TermKind::interval:
      return table_.interval(term.number());
    case TermKind::compound:
    case TermKind::statement:
      break;
  }
  std::vector<Term> components;
  for (const Term component : term.components()) components.push_back((*this)(component));
  return table_.with_components(term, components);
}

}  // namespace engram::narsese
