// SPDX-License-Identifier: MIT
// Where names stand in the statements of a memory, for walks that ask at every step.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/graph/memory.hpp"
#include "core/numbers/id_set.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/retrieval/unification.hpp"

namespace engram::core {

/// A name at a leaf of a statement: the number of the leaf's position among Occurrences::positions(), and the
/// first of Occurrences::mentions() that is this name in that place of that statement.
struct Occurrence {
  ConceptId id = 0;
  std::uint32_t place = 0, mention = 0;
};

/// The same, as the name has it: the occurrence, by its number among Occurrences::all().
struct Mention {
  StatementId statement = 0;
  std::uint32_t occurrence = 0;
};

/// The mentions of a name in one place: [first, last).
struct MentionsAt {
  std::uint32_t place = 0, first = 0, last = 0;
};

/// The leaves of all statements that are no rules (core/retrieval/unification.hpp), as far as they name
/// concepts that the statement activates. Each statement's are collected once, by the constructor.
class Occurrences {
 public:
  /// Shapes   episodes (p, n), terms (n), statement_terms (p); rules ascending
  /// Errors   WorkStopped, before it allocates what it has no bytes for; std::length_error for more than
  ///          2^32 - 1 leaves
  /// Cost     O(size of all terms), and some 32 bytes a leaf
  Occurrences(const SparseRows& episodes, std::span<const narsese::Term> terms,
              std::span<const narsese::Term> statement_terms, std::span<const StatementId> rules);

  /// Where anything stands, ascending, each once.
  std::span<const Position> positions() const { return positions_; }

  /// By statement, then leaf. Those of statement e are [begin_of(e), begin_of(e + 1)).
  std::span<const Occurrence> all() const { return occurrences_; }
  std::uint32_t begin_of(StatementId e) const { return statement_start_[e]; }
  std::span<const Occurrence> of_statement(StatementId e) const {
    return all().subspan(begin_of(e), begin_of(e + 1) - begin_of(e));
  }

  /// By name, then place, statement, leaf.
  std::span<const Mention> mentions() const { return mentions_; }
  /// Of a name, by place; together they are all of its mentions, one after the other.
  std::span<const MentionsAt> places_of(ConceptId id) const {
    return std::span(at_places_).subspan(name_start_[id], name_start_[id + 1] - name_start_[id]);
  }
  std::span<const Mention> of_name(ConceptId id) const;
  /// Whether a statement names it more than once.
  bool is_repeated(ConceptId id) const { return repeated_.contains(id); }
  bool is_operator(ConceptId id) const { return operators_.contains(id); }

  std::size_t bytes() const;

 private:
  // `numbers`: those that places have had so far.
  void put_places_in_order(const std::map<Position, std::uint32_t>& numbers);
  void turn_round(std::size_t names);

  std::vector<Position> positions_;
  std::vector<std::uint32_t> statement_start_{0}, name_start_{0};
  std::vector<Occurrence> occurrences_;
  std::vector<Mention> mentions_;
  std::vector<MentionsAt> at_places_;
  IdSet repeated_, operators_;
};

}  // namespace engram::core
