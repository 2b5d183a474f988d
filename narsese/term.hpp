// SPDX-License-Identifier: MIT
// Terms: the immutable, shared expressions of Narsese, and the table that makes equal terms one object.
#pragma once

#include <algorithm>
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
#include "narsese/hash_index.hpp"
#include "narsese/term_hash.hpp"

namespace engram::narsese {

class SyntaxNodes;
struct SyntaxNode;

/// An immutable term: a handle of one word, copied freely, valid as long as the TermTable that made it.
/// Terms of one table are equal iff they mean the same, whatever the spelling: components of commutative
/// compounds are kept in one order, both image conventions become one form. Comparing costs O(1).
class Term {
 public:
  Term() = default;  // no term; every accessor below needs one
  explicit operator bool() const { return node_ != nullptr; }

  TermKind kind() const { return label().kind; }
  TermLabel label() const { return node_->label(); }
  /// Name of an atom or of an operator (without its ^).
  std::string_view name() const { return {payload<char>(), label().size}; }
  VariableKind variable_kind() const { return static_cast<VariableKind>(label().symbol); }
  /// Number of a variable, counted from 1 per kind and sentence, or length of an interval.
  std::int64_t number() const { return *payload<std::int64_t>(); }
  Connector connector() const { return static_cast<Connector>(label().symbol); }
  Copula copula() const { return static_cast<Copula>(label().symbol); }
  /// Components of a compound; subject and predicate of a statement; empty for the rest. An image's first
  /// component is the relation, its placeholder is left out (see image_position).
  std::span<const Term> components() const {
    return {payload<Term>(), has_components(kind()) ? label().size : 0};
  }
  Term subject() const { return components()[0]; }
  Term predicate() const { return components()[1]; }
  /// Where an image's placeholder stands among all its arguments: (/,R,_,B) is 1, (/,R,A,_) is 2.
  std::size_t image_position() const { return label().position; }

  /// Whether it is a compound of this connector.
  bool is(Connector c) const { return kind() == TermKind::compound && connector() == c; }
  /// Whether it is a statement of this copula.
  bool is(Copula c) const { return kind() == TermKind::statement && copula() == c; }
  bool has_variables() const { return node_->has_variables(); }
  /// Nodes of the syntax tree (OpenNARS's complexity): 1 + that of all components; at most 2^32 - 1.
  std::uint64_t complexity() const { return node_->complexity; }
  /// Levels of nesting: 1 for a term without components.
  std::uint32_t depth() const { return node_->depth(); }
  /// For look-ups in this process alone (see TermHash): the same in every table, another one in every run.
  std::uint32_t hash() const { return node_->hash; }

  /// For who is about to read many: begins to bring one near.
  void prefetch() const { __builtin_prefetch(node_); }

  /// The same object of the same table. Terms of different tables are never equal: use compare.
  friend bool operator==(Term, Term) = default;

 private:
  friend class TermTable;
  // The payload stands behind it. In one word are the bits of the label, whose size leaves the upper ones
  // free, the depth, and whether there are variables.
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

/// Of sets and maps in which terms are looked up alone: their order is another one in every run.
struct HashOfTerm {
  std::size_t operator()(Term term) const { return term.hash(); }
};

/// A total order by structure: kind, then name (by bytes) or number, or symbol, an image's position, the
/// number of components, and the components from the left. The same for every table and run. Cost O(1) for
/// equal terms of one table, O(size) at worst.
std::strong_ordering compare(Term a, Term b);

/// What a term table may take is taken: see TermTable::limit.
struct TermTableFull : std::length_error {
  using std::length_error::length_error;
};

/// Makes terms and owns them. Equal terms are made once (hash-consing), so a table's memory grows with the
/// distinct terms it has seen: 16 bytes each, 8 a component or the name's bytes rounded up to 8, and 10 to 20
/// in the index. What was seen in passing can be given back: see mark(). Not thread-safe; two tables are
/// independent.
class TermTable {
 public:
  static constexpr std::uint32_t max_depth = 1024;  // recursion over a term stays within any usual stack
  static constexpr std::size_t max_components = (1u << 16) - 1;
  static constexpr std::size_t max_name_bytes = 1u << 16;

  TermTable() = default;
  /// Has the same terms, of the same handles; those made since are each one's own. Nothing is marked in it.
  /// Cost  a look at each 16 KiB: memory is shared
  TermTable(const TermTable& other)
      : arena_(other.arena_), limit_(other.limit_), index_(other.index_), hash_(other.hash_) {}
  TermTable(TermTable&&) = default;
  TermTable& operator=(TermTable&&) = default;
  ~TermTable() = default;

  /// Errors, here and below: std::invalid_argument for an empty name, a wrong arity, or past the limits;
  /// TermTableFull, and nothing has changed.
  Term atom(std::string_view name);
  /// The operator of this name, without its ^.
  Term op(std::string_view name);
  /// A variable: its kind and number.
  Term variable(VariableKind kind, std::int64_t number);
  /// An interval of so many cycles.
  Term interval(std::int64_t length);
  /// Any compound but an image. (&&,a,a) is a: where equal components count once and one is left, an n-ary
  /// connector of at least two vanishes; sets stay.
  Term compound(Connector connector, std::span<const Term> components);
  /// relation_and_arguments: the relation, then the arguments without the placeholder.
  Term image(Connector connector, std::span<const Term> relation_and_arguments, std::size_t position);
  /// The statement of these two.
  Term statement(Copula copula, Term subject, Term predicate);
  /// The term with the same symbol and other components.
  Term with_components(Term term, std::span<const Term> components);

  /// The terms of plain trees, in their order, variables numbered as the trees have them; until the next term
  /// is made. For many trees at once, what memory has to bring is asked for before it is needed. Errors: as
  /// above, none for trees that a Parser has read.
  std::span<const Term> intern(const SyntaxNodes& trees);
  /// Asks memory for the index of trees that will be interned, while others are still being read.
  void expect(std::span<const SyntaxNode> nodes) const;

  /// From here on each term that is asked for by its parts is taken for one that the table does not have, and made
  /// without being looked up: for who reads a whole table, whose terms all differ.
  void begin_new_terms() { takes_for_new_ = true; }
  /// From here on terms are looked up again, and those made since can be found: all at once, in less time than
  /// one by one.
  /// Errors  std::invalid_argument where two terms are equal; TermTableFull: then the table is of no use
  void end_new_terms();

  /// Number of distinct terms, and the memory they take with their index.
  std::size_t size() const { return index_.size(); }
  std::size_t memory_bytes() const { return arena_.bytes() + index_.bytes(); }
  /// What it takes from the system for them.
  std::size_t reserved_bytes() const { return arena_.reserved() + index_.bytes(); }
  /// What that may come to, while the index grows, too. Not limited unless told.
  void limit(std::size_t reserved_bytes);

  /// From here on it is known which terms are new, until unmark().
  void mark();
  /// From here on it is no more known which terms are new.
  void unmark();
  std::size_t new_since_mark() const { return made_.size(); }
  /// Forgets the terms made since mark() but those that `kept` consist of; these may move: in `kept` stands
  /// each one's handle from now on. All other handles of terms made since are void. Then marks anew.
  /// Cost  O(terms made since and size of kept) expected
  void give_back(std::span<Term> kept = {});
  /// Forgets all terms but those that `kept` consist of, which move: in `kept` stands each one's handle from now
  /// on, all others are void. For tables that have lost much: what they leave is in one piece again.
  /// Cost  that of what is kept, which for a moment stands beside all there was
  void keep_only(std::span<Term> kept);

 private:
  struct Key;

  // Here payloads must have at least 16 readable bytes.
  Term find_or_make(const Key& key);
  Term asked_for(const Key& key);
  std::uint32_t make(const Key& key);
  [[noreturn]] void refuse_more() const;
  Term moved(Term term);

  static Term::Node inner_node(const Key& key);
  static std::span<Term> sort_components(TermLabel label, std::span<Term> components);
  Term name(TermKind kind, std::string_view name);
  Term number(TermKind kind, std::uint8_t symbol, std::int64_t number);
  Term inner(TermLabel label, std::span<const Term> components);
  std::uint32_t hash_of_inner(TermLabel label, std::span<const Term> components) const;
  void prefetch(const SyntaxNodes& trees);
  const Term* intern_other(const SyntaxNode& node, const void* payload, const Term::Node* likely, Term* top,
                           const Term* changed);
  Term::Node* node(std::uint32_t id) const { return static_cast<Term::Node*>(arena_.at(id + 1)); }

  void share_limit() { index_.limit(limit_ - std::min(limit_, arena_.reserved())); }

  Arena arena_;
  std::size_t limit_ = std::numeric_limits<std::size_t>::max();
  std::optional<Arena::Mark> mark_;
  std::vector<std::uint32_t> made_;  // ids since the mark, in their order
  bool takes_for_new_ = false;
  std::vector<std::uint32_t> new_;  // ids that the index does not have yet
  HashIndex index_;  // of nodes, whose ids are their numbers in the arena less 1: so ids begin with 0
  TermHash hash_;
  std::vector<const Term::Node*> guesses_;  // what the trees' nodes are likely to be
  static constexpr std::size_t padding_of_stack = 2;
  std::vector<Term> stack_;
  std::vector<char> padded_;  // a name
};

}  // namespace engram::narsese
