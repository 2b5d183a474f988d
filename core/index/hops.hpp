// SPDX-License-Identifier: MIT
// Statements as steps between names, and the roles that names have in statements.
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

/// The kind of a step between two names.
enum class StepKind : std::uint8_t {
  inheritance,  // <a --> b>, <{a} --> [b]>: from a to b
  similarity,   // <a <-> b>, <a <=> b>: symmetric
  implication,  // <a ==> b>, <(&/, a, ^go) =/> b>, and a rule with the premise <$1 --> a> and the conclusion
                // <$2 --> b>: from a to b
  relation,     // <(*, a, b) --> r>: from a to b
  other,        // any other two names of a statement, in their order
};

/// A step from one name of a statement to another one.
struct Hop {
  StatementId statement = 0;
  ConceptId to = 0;        // the name at which the step ends
  ConceptId relation = 0;  // for a relation: its name
  StepKind kind = StepKind::other;
  bool back = false;  // whether the step goes against the direction of its kind

  /// The hop in the opposite direction, which ends at `start`.
  Hop reversed(ConceptId start) const {
    return {statement, start, relation, kind, !back && kind != StepKind::similarity};
  }
};

/// A statement about two names, in the direction of its kind.
struct Relation {
  narsese::Term from, to, relation;  // atoms or variables; relation: only for a relation
  StepKind kind = StepKind::other;
};
/// The relation that a statement states; empty if its kind is `other`, or if it is not about two names.
std::optional<Relation> relation_of(narsese::Term statement);

/// Index of hops by their first name. Operators do not count as names. A rule (with variables) has hops between the
/// classes in it. A statement of the kind `other` is ignored if it has more than eight names.
class HopIndex {
 public:
  /// Adds the hops of the new statements.
  /// Errors   WorkStopped
  /// Cost     O(size of their terms); 16 bytes a hop, and up to as much in reserve. A statement about two names has two
  ///          hops
  void catch_up(const Memory& memory);

  /// The hops from a name, ordered by statement and, within a statement, by the position of the names.
  std::span<const Hop> from(ConceptId id) const { return by_name_[id]; }
  std::size_t bytes() const { return by_name_.bytes(); }

 private:
  std::size_t statements_ = 0;  // the number of indexed statements
  GrowingRows<Hop> by_name_;
};

/// The role of a name in a statement. A statement about two names (relation_of) has a first name, a second name and
/// possibly a relation. A rule has the names of its conclusion. All other names have the role `other`, including the
/// names in premises of rules.
enum class NameRole : std::uint8_t { first, second, relation, conclusion, other };
inline constexpr std::size_t name_roles = 5;
inline constexpr std::array<std::string_view, name_roles> name_role_names{"first", "second", "relation",
                                                                          "conclusion", "other"};

/// Keys of statements, split by the roles of names.
struct RoleKeys {
  SparseRows keys;              // (p, 5 n): column a n + i for concept i in role a
  std::vector<StepKind> kinds;  // (p): kinds of statements about two names; StepKind::other for the rest
};

/// Splits keys by role. An entry occurs once for each role of its name; a name in a rule can have two roles. A compound
/// that is a concept has the role `other`.
/// Shapes   keys (p, n), terms (n), statement_terms (p)
/// Cost     O(size of all terms); 12 bytes an entry
RoleKeys split_by_role(const SparseRows& keys, std::span<const narsese::Term> terms,
                       std::span<const narsese::Term> statement_terms);

}  // namespace engram::core
