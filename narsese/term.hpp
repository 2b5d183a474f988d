// SPDX-License-Identifier: MIT
// Terms: immutable, shared Narsese expressions. The table that owns them makes equal terms one object.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "narsese/arena.hpp"
#include "narsese/byte_scan.hpp"
#include "narsese/hash_index.hpp"
#include "narsese/symbols.hpp"

namespace engram::narsese {

/// Kind of a term.
enum class TermKind : std::uint8_t { atom, op, variable, interval, compound, statement };

/// Whether terms of this kind have a name: atoms and operators.
constexpr bool is_name(TermKind kind) { return kind <= TermKind::op; }
/// Whether terms of this kind have components: compounds and statements.
constexpr bool has_components(TermKind kind) { return kind >= TermKind::compound; }

/// Everything about a term except its payload (the bytes of its name, its number, or its components). One word, so
/// labels compare in one instruction.
struct TermLabel {
  TermKind kind = TermKind::atom;
  std::uint8_t symbol = 0;     // VariableKind, Connector or Copula
  std::uint16_t position = 0;  // position of an image's placeholder
  std::uint32_t size = 0;      // bytes of the name, number of components; 1 for a number

  /// The label as one word, with the size in the upper half.
  std::uint64_t bits() const {
    // bit_cast, because compilers do not recognise the shifts below.
    if constexpr (std::endian::native == std::endian::little) return std::bit_cast<std::uint64_t>(*this);
    return static_cast<std::uint64_t>(kind) | std::uint64_t{symbol} << 8 | std::uint64_t{position} << 16 |
           std::uint64_t{size} << 32;
  }
  /// Returns the label with these bits(); the inverse of bits().
  static TermLabel of_bits(std::uint64_t bits) {
    if constexpr (std::endian::native == std::endian::little) return std::bit_cast<TermLabel>(bits);
    return {static_cast<TermKind>(bits & 0xFF), static_cast<std::uint8_t>(bits >> 8),
            static_cast<std::uint16_t>(bits >> 16), static_cast<std::uint32_t>(bits >> 32)};
  }
  friend bool operator==(TermLabel a, TermLabel b) { return a.bits() == b.bits(); }
};

/// Whether the order of the components is irrelevant in terms with this label.
inline bool is_commutative(TermLabel label) {
  return label.kind == TermKind::compound    ? facts(static_cast<Connector>(label.symbol)).commutative
         : label.kind == TermKind::statement ? facts(static_cast<Copula>(label.symbol)).symmetric
                                             : false;
}

/// Mixes two words: the exclusive or of both halves of their 128-bit product (wyhash, Wang Yi). Every bit of both
/// factors affects the result.
inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// Term hash, keyed by a secret that each process draws, so nobody can write names that collide and slow down
/// look-ups. Use a hash only to find terms within the process: nothing written, and no order of processing, may
/// depend on it. 32 bits keep a term's overhead at 16 bytes.
class TermHash {
 public:
  using Key = std::array<std::uint64_t, 3>;

  TermHash();  // uses the key of the process
  explicit TermHash(const Key& key) : key_(key) {}

  /// Hash of a name at `bytes`. The function reads steps of 16 bytes, so the last step must be readable to its end.
  std::uint32_t name(TermLabel label, const char* bytes) const {
    if (label.size <= scan_bytes) return short_name(label, bytes);
    std::uint64_t hash = key_[0];
    for (std::size_t i = 0; i < label.size; i += scan_bytes)
      hash = of_two(label, words_of(bytes + i, std::min(label.size - i, scan_bytes)), hash);
    return static_cast<std::uint32_t>(hash);
  }
  /// Hash of a name of at most 16 bytes; 16 bytes must be readable. Equals name().
  std::uint32_t short_name(TermLabel label, const char* bytes) const {
    return static_cast<std::uint32_t>(of_two(label, words_of(bytes, label.size), key_[0]));
  }
  /// Hash of a variable or an interval with this number.
  std::uint32_t number(TermLabel label, std::int64_t number) const {
    return static_cast<std::uint32_t>(of_two(label, {static_cast<std::uint64_t>(number), 0}, key_[0]));
  }
  /// Hash of a compound or statement. component(i) is the hash of the i-th component. Commutative terms add the
  /// hashes, other terms use a polynomial.
  template <class Component>
  std::uint32_t inner(TermLabel label, bool commutative, Component component) const {
    std::uint64_t sum = 0;
    if (commutative)
      for (std::size_t i = 0; i < label.size; ++i) sum += component(i);
    else
      for (std::size_t i = 0; i < label.size; ++i) sum = (sum + component(i)) * factor;
    return static_cast<std::uint32_t>(fold(sum ^ label.bits(), key_[2]));
  }

 private:
  // At most 16 bytes, padded with zeros, so the hash does not depend on a loop over the bytes.
  static TwoWords words_of(const char* name, std::size_t bytes) {
    const TwoWords words = TwoWords::at(name), mask = TwoWords::mask(bytes);
    return {words.first & mask.first, words.second & mask.second};
  }
  std::uint64_t of_two(TermLabel label, TwoWords words, std::uint64_t before) const {
    return fold(words.first ^ before, words.second ^ label.bits() ^ key_[1]);
  }

  static constexpr std::uint64_t factor = 0x9e3779b97f4a7c15ULL;
  Key key_;
};

class SyntaxNodes;
struct SyntaxNode;

/// Handle to an immutable term: one word, cheap to copy, valid as long as the TermTable that made it.
/// Two terms of one table are equal if and only if they mean the same, whatever their spelling. Components of
/// commutative compounds are sorted, and both image conventions become one form. Comparing costs O(1).
class Term {
 public:
  Term() = default;  // no term: only operator bool and == may be used
  explicit operator bool() const { return node_ != nullptr; }

  TermKind kind() const { return label().kind; }
  TermLabel label() const { return node_->label(); }
  /// Name of an atom, or of an operator without its ^.
  std::string_view name() const { return {payload<char>(), label().size}; }
  VariableKind variable_kind() const { return static_cast<VariableKind>(label().symbol); }
  /// Number of a variable (counted from 1 per kind and sentence) or length of an interval.
  std::int64_t number() const { return *payload<std::int64_t>(); }
  Connector connector() const { return static_cast<Connector>(label().symbol); }
  Copula copula() const { return static_cast<Copula>(label().symbol); }
  /// Components of a compound, or subject and predicate of a statement; empty for other terms. An image's first
  /// component is its relation; the placeholder is not a component (see image_position).
  std::span<const Term> components() const {
    return {payload<Term>(), has_components(kind()) ? label().size : 0};
  }
  Term subject() const { return components()[0]; }
  Term predicate() const { return components()[1]; }
  /// Position of an image's placeholder among its arguments: 1 for (/,R,_,B), 2 for (/,R,A,_).
  std::size_t image_position() const { return label().position; }

  /// Whether the term is a compound with this connector.
  bool is(Connector c) const { return kind() == TermKind::compound && connector() == c; }
  /// Whether the term is a statement with this copula.
  bool is(Copula c) const { return kind() == TermKind::statement && copula() == c; }
  bool has_variables() const { return node_->has_variables(); }
  /// Number of nodes of the term (OpenNARS's complexity), at most 2^32 - 1.
  std::uint64_t complexity() const { return node_->complexity; }
  /// Levels of nesting; 1 for a term without components.
  std::uint32_t depth() const { return node_->depth(); }
  /// Hash for look-ups within this process (see TermHash). Equal terms have equal hashes in every table; every run
  /// has other hashes.
  std::uint32_t hash() const { return node_->hash; }

  /// Prefetches the term. Use it before reading many terms.
  void prefetch() const { __builtin_prefetch(node_); }

  /// Whether both are the same term of the same table. Terms of different tables never compare equal; use compare().
  friend bool operator==(Term, Term) = default;

 private:
  friend class TermTable;
  // Header of a term; the payload follows it. One word packs the label (its size leaves the upper bits free), the
  // depth, and whether the term has variables.
  struct Node {
    static constexpr unsigned label_bits = 52, depth_bits = 11;

    Node(std::uint32_t own_hash, TermLabel label, std::uint32_t of_all, std::uint32_t depth, bool variables)
        : hash(own_hash),
          complexity(of_all),
          facts(label.bits() | (depth | std::uint64_t{variables} << depth_bits) << label_bits) {}

    TermLabel label() const { return TermLabel::of_bits(facts & ((std::uint64_t{1} << label_bits) - 1)); }
    bool has_label(TermLabel label) const { return (facts ^ label.bits()) << (64 - label_bits) == 0; }
    std::uint32_t depth() const {
      return static_cast<std::uint32_t>(facts >> label_bits) & ((1U << depth_bits) - 1);
    }
    bool has_variables() const { return facts >> (label_bits + depth_bits) != 0; }

    std::uint32_t hash, complexity;
    std::uint64_t facts;
  };
  explicit Term(const Node* node) : node_(node) {}
  template <class T>
  const T* payload() const {
    return reinterpret_cast<const T*>(node_ + 1);
  }

  const Node* node_ = nullptr;
};

/// Hash for unordered containers. The iteration order differs in every run, so use them for look-ups only.
struct HashOfTerm {
  std::size_t operator()(Term term) const { return term.hash(); }
};

/// Structural total order: kind, then name (by bytes), number or symbol, position of the placeholder, number of
/// components, and the components from the left. The order is the same for every table and run.
/// Cost     O(1) for equal terms of one table, otherwise at most O(size)
std::strong_ordering compare(Term a, Term b);

/// Thrown when a term table reaches TermTable::limit.
struct TermTableFull : std::length_error {
  using std::length_error::length_error;
};

/// Makes and owns terms. Equal terms exist once (hash-consing), so memory grows with the number of distinct terms. A
/// term takes 16 bytes, plus 8 for each component or the bytes of its name rounded up to 8, plus 10 to 20 in the
/// index. Temporary terms can be removed with mark() and rollback(). Not thread-safe; different tables are
/// independent.
class TermTable {
 public:
  static constexpr std::uint32_t max_depth = 1024;  // limits the recursion of functions over terms
  static constexpr std::size_t max_components = (1u << 16) - 1;
  static constexpr std::size_t max_name_bytes = 1u << 16;

  TermTable() = default;
  /// A copy has the same terms with the same handles. Terms made later belong only to the table that made them. The
  /// copy does not record new terms; call mark() for that.
  /// Cost     O(pages of 16 KiB), because memory is shared
  TermTable(const TermTable& other)
      : arena_(other.arena_), limit_(other.limit_), index_(other.index_), hash_(other.hash_) {}
  TermTable(TermTable&&) = default;
  TermTable& operator=(TermTable&&) = default;
  ~TermTable() = default;

  /// Makes an atom.
  /// Errors   for this and all other functions that make terms: std::invalid_argument for an empty name, a wrong arity,
  ///          or a term beyond max_depth, max_components or max_name_bytes; TermTableFull, which leaves the table
  ///          unchanged
  Term atom(std::string_view name);
  /// Makes an operator. The name has no ^.
  Term op(std::string_view name);
  /// Makes a variable.
  Term variable(VariableKind kind, std::int64_t number);
  /// Makes an interval of `length` cycles.
  Term interval(std::int64_t length);
  /// Makes a compound other than an image. Commutative connectors drop equal components; if one component remains and
  /// the connector needs two, the result is that component: (&&,a,a) is a. Sets keep a single component.
  Term compound(Connector connector, std::span<const Term> components);
  /// Makes an image. `relation_and_arguments` is the relation followed by the arguments without the placeholder.
  /// `position` is the position of the placeholder among the arguments, counted from 1.
  Term image(Connector connector, std::span<const Term> relation_and_arguments, std::size_t position);
  /// Makes a statement.
  Term statement(Copula copula, Term subject, Term predicate);
  /// Makes a term with the symbol of `term` (connector or copula) but these components.
  Term with_components(Term term, std::span<const Term> components);

  /// Makes the terms of syntax trees and returns them in order. Variables keep the numbers that they have in the trees.
  /// The span is valid until the next term is made. All terms are prefetched first, so interning many trees at once is
  /// faster.
  /// Errors   as atom(); none for trees that a Parser made
  std::span<const Term> intern(const SyntaxNodes& trees);
  /// Prefetches the index buckets of nodes that will be interned later. Call this while other trees are still being
  /// parsed.
  void prefetch_index(std::span<const SyntaxNode> nodes) const;

  /// Begins a bulk load: terms are made without a look-up, as if the table had none of them. Use it to read a whole
  /// table of distinct terms.
  void begin_bulk_load() { is_bulk_loading_ = true; }
  /// Ends the bulk load and adds its terms to the index, which is faster than adding them one by one.
  /// Errors   std::invalid_argument if two terms are equal; TermTableFull. The table must not be used after either
  void end_bulk_load();

  /// Number of distinct terms.
  std::size_t size() const { return index_.size(); }
  std::size_t memory_bytes() const { return arena_.bytes() + index_.bytes(); }
  /// Bytes reserved from the system for terms and index.
  std::size_t reserved_bytes() const { return arena_.reserved() + index_.bytes(); }
  /// Limits reserved_bytes(), including the old index while the index grows. Beyond the limit, functions that make
  /// terms throw TermTableFull. Unlimited by default.
  void limit(std::size_t reserved_bytes);

  /// Begins to record which terms are new, so that rollback() can remove them. unmark() ends the record.
  void mark();
  /// Stops recording new terms and keeps them all.
  void unmark();
  std::size_t new_since_mark() const { return new_ids_.size(); }
  /// Removes the terms made since mark() except `kept` and components of `kept`. Kept terms may move: `kept` receives
  /// their new handles, and all other handles to new terms become invalid. The table then begins a new record, as
  /// mark() does.
  /// Cost     O(terms made since the mark + size of kept) expected
  void rollback(std::span<Term> kept = {});
  /// Removes all terms except `kept` and components of `kept`. All kept terms move: `kept` receives their new
  /// handles. Use it to compact a table that lost most of its terms.
  /// Cost     O(size of kept); both copies exist for a moment
  void keep_only(std::span<Term> kept);

 private:
  struct Key;

  // The payload of a key must have at least 16 readable bytes.
  Term find_or_make(const Key& key);
  Term add(const Key& key);
  std::uint32_t make(const Key& key);
  [[noreturn]] void throw_full() const;
  Term move_here(Term term);

  static Term::Node inner_node(const Key& key);
  static std::span<Term> sort_components(TermLabel label, std::span<Term> components);
  Term name(TermKind kind, std::string_view name);
  Term number(TermKind kind, std::uint8_t symbol, std::int64_t number);
  Term inner(TermLabel label, std::span<const Term> components);
  std::uint32_t hash_of_inner(TermLabel label, std::span<const Term> components) const;
  void guess_terms(const SyntaxNodes& trees);
  const Term* intern_general(const SyntaxNode& node, const void* payload, const Term::Node* likely, Term* top,
                             const Term* changed);
  Term::Node* node(std::uint32_t id) const { return static_cast<Term::Node*>(arena_.at(id + 1)); }

  void share_limit() { index_.limit(limit_ - std::min(limit_, arena_.reserved())); }

  Arena arena_;
  std::size_t limit_ = std::numeric_limits<std::size_t>::max();
  std::optional<Arena::Mark> mark_;
  std::vector<std::uint32_t> new_ids_;  // ids since the mark, in order
  bool is_bulk_loading_ = false;
  std::vector<std::uint32_t> bulk_ids_;  // ids of the bulk load, not in the index yet
  HashIndex index_;                      // an id is a node's number in the arena minus 1
  TermHash hash_;
  std::vector<const Term::Node*> guesses_;  // likely terms of the trees' nodes
  static constexpr std::size_t padding_of_stack = 2;
  std::vector<Term> stack_;
  std::vector<char> padded_;  // buffer for a name and its padding
};

/// Copies terms from one table into another. Shared components are copied once.
class TermCopies {
 public:
  /// `table` must outlive this object and the copies.
  explicit TermCopies(TermTable& table) : table_(table) {}

  /// Returns the term of the target table that is equal to `term`, and makes it if the table lacks it.
  /// Errors   as TermTable::atom()
  /// Cost     O(nodes of the term that were not copied yet) expected
  Term operator()(Term term);

 private:
  Term made(Term term);

  TermTable& table_;
  std::vector<Term> from_, to_;
  HashIndex index_;  // index of from_
};

}  // namespace engram::narsese
