// SPDX-License-Identifier: MIT
// Hops: steps from one name in a statement to another name in the same statement. Searches for proofs and paths go from
// name to name along hops. Also the role of each name in its statement, for example subject or relation.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/graph/memory.hpp"
#include "core/numbers/growing_rows.hpp"
#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// Kind of a statement about two names, and so of the hop between them.
enum class StepKind : std::uint8_t {
  inheritance,  // <a --> b>, <{a} --> [b]>: from a to b
  similarity,   // <a <-> b>, <a <=> b>: symmetric
  implication,  // <a ==> b>, <(&/, a, ^go) =/> b>, and a rule with the premise <$1 --> a> and the conclusion
                // <$2 --> b>: from a to b
  relation,     // <(*, a, b) --> r>: from a to b
  other,        // any other two names of a statement, in their order
};

/// Hop: a step from one name of a statement to another name of that statement. The index stores it with the name at
/// which it starts.
struct Hop {
  StatementId statement = 0;
  ConceptId to = 0;        // the name at which the step ends
  ConceptId relation = 0;  // for the kind `relation`: the concept r of <(*, a, b) --> r>, otherwise 0
  StepKind kind = StepKind::other;
  bool back = false;  // whether the step goes against the direction of its kind, from b to a

  /// The hop back over the same statement, which ends at `start`, the name at which this hop starts.
  Hop reversed(ConceptId start) const {
    return {statement, start, relation, kind, !back && kind != StepKind::similarity};
  }
};

/// The two names that a statement relates, in the direction of its kind.
struct Relation {
  narsese::Term from, to, relation;  // atoms or variables; `relation` is set only for the kind `relation`
  StepKind kind = StepKind::other;
};
/// Returns the two names that a statement relates, and the kind of their relation. Empty if the statement is not about
/// exactly two names; such statements have hops of the kind `other`.
std::optional<Relation> relation_of(narsese::Term statement);

/// Index of hops by the name at which they start. Operators such as ^go do not count as names. A rule (a statement with
/// variables) has hops between the classes in it: from a to b in <<$1 --> a> ==> <$1 --> b>>. A statement of the kind
/// `other` has hops between all pairs of its names, but none if it has more than eight names.
class HopIndex {
 public:
  /// Adds the hops of the statements that are new since the last call.
  /// Errors   WorkStopped
  /// Cost     O(size of their terms); 16 bytes a hop, and up to as much in reserve. A statement about two names has two
  ///          hops
  void catch_up(const Memory& memory);

  /// The hops that start at a name, ordered by statement and, within a statement, by the position of the names.
  std::span<const Hop> from(ConceptId id) const { return by_name_[id]; }
  std::size_t bytes() const { return by_name_.bytes(); }

 private:
  std::size_t statements_ = 0;  // the number of indexed statements
  GrowingRows<Hop> by_name_;
};

/// Role that a name has in a statement. In a statement about two names, such as <(*, a, b) --> r>, a is `first`, b
/// `second` and r `relation` (see relation_of). In a rule, names in the conclusion have the role `conclusion`. All
/// other names, including those in premises of rules, have the role `other`.
enum class NameRole : std::uint8_t { first, second, relation, conclusion, other };
inline constexpr std::size_t name_roles = 5;
inline constexpr std::array<std::string_view, name_roles> name_role_names{"first", "second", "relation",
                                                                          "conclusion", "other"};

/// Keys of p statements over n concepts, split by the roles of the names. A key is a row with a weight for each concept
/// of the statement (MemoryIndex::keys).
struct RoleKeys {
  SparseRows keys;  // (p, 5 n): concept i in role a (its number in NameRole) has column a n + i
  /// (p): the kind of each statement about two names; StepKind::other for the rest.
  std::vector<StepKind> kinds;
};

/// Splits the keys of statements by the roles of names, so that a similarity can distinguish <(*, a, b) --> r> from
/// <(*, b, a) --> r>. `terms` are the terms of the concepts. An entry is copied to the column of each role that its
/// name has; a name in a rule can have two roles. A compound that is a concept has the role `other`.
/// Shapes   keys (p, n), terms (n), statement_terms (p)
/// Cost     O(size of all terms); 12 bytes an entry
RoleKeys split_by_role(const SparseRows& keys, std::span<const narsese::Term> terms,
                       std::span<const narsese::Term> statement_terms);

}  // namespace engram::core
