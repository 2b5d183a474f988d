// SPDX-License-Identifier: MIT
// Statements as steps between names: by which name each can be entered, and by which it is left then.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/graph/memory.hpp"
#include "core/numbers/growing_rows.hpp"

namespace engram::core {

/// What a step between two names is.
enum class StepKind : std::uint8_t {
  inheritance,  // <a --> b>, <{a} --> [b]>: from a to b; back from b to a
  similarity,   // <a <-> b>, <a <=> b>: either way is on
  implication,  // <a ==> b>, <(&/, a, ^go) =/> b>, and of a rule with the premise <$1 --> a> and the
                // conclusion <$2 --> b>: from a to b
  relation,     // <(*, a, b) --> r>: from a to b
  other,        // any other two names of a statement, by the order in which they stand
};
inline constexpr std::size_t step_kinds = 5;

/// A statement entered by one name and left by another.
struct Hop {
  StatementId statement = 0;
  ConceptId to = 0;        // where it is left
  ConceptId relation = 0;  // of a relation: its name
  StepKind kind = StepKind::other;
  bool back = false;  // against the direction that its kind has

  /// The same statement the other way round, but for where it leads.
  Hop turned() const { return {statement, to, relation, kind, !back && kind != StepKind::similarity}; }
};

/// What a statement says of two names, in the direction that its kind has.
struct Relation {
  narsese::Term from, to, relation;  // atoms or variables; relation: of a relation
  StepKind kind = StepKind::other;
};
/// Nothing where it is of no kind, or of more names.
std::optional<Relation> relation_of(narsese::Term statement);

/// The class b of <$1 --> b>, <$1 --> [b]>, <$1 --> {b}>; nothing of any other term.
narsese::Term class_of_variable(narsese::Term term);

/// Statements of more names are no steps.
inline constexpr std::size_t most_named = 8;  // chosen

/// The hops of all statements, indexed by the name at which they start. Operators do not count as names. Rules (with
/// variables) are hops between the classes that they name.
class HopIndex {
 public:
  /// Adds those of the statements that are new.
  /// Errors   WorkStopped
  /// Cost     O(size of their terms); 16 bytes a hop, and as much in reserve: two for each statement of two
  ///          names
  void catch_up(const Memory& memory);

  /// By statement, then as they stand in it.
  std::span<const Hop> from(ConceptId id) const { return by_name_[id]; }
  std::size_t bytes() const { return by_name_.bytes(); }

 private:
  std::size_t statements_ = 0;  // that are known
  GrowingRows<Hop> by_name_;
};

}  // namespace engram::core
