// SPDX-License-Identifier: MIT
// Where names stand in the statements of a memory, for walks that ask at every step.
#pragma once

#include <boost/range/iterator_range.hpp>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/graph/memory.hpp"
#include "core/numbers/chunked_vector.hpp"
#include "core/numbers/growing_rows.hpp"
#include "core/retrieval/unification.hpp"

namespace engram::core {

/// A name at a leaf of a statement: the place of the leaf, and the number of the first occurrence of this name
/// in such a place of that statement, often its own.
struct Occurrence {
  ConceptId id = 0;
  std::uint32_t place = 0, first = 0;
};

/// The same, as the name has it: the number of the occurrence.
struct Mention {
  StatementId statement = 0;
  std::uint32_t occurrence = 0;
};

/// A place in which a name stands, and where its mentions there are.
struct PlaceOfName {
  std::uint32_t place = 0, mentions = 0;
};

/// The leaves of all statements that are no rules (core/retrieval/unification.hpp), as far as they name
/// concepts that the statement activates. Places, which are positions of leaves, are numbered as they are met.
class Occurrences {
 public:
  Occurrences() { statement_start_.push_back(0); }
  /// Adds those of the statements that are new; `rules` of the memory, ascending.
  /// Errors   WorkStopped; std::length_error for more than 2^32 - 1 leaves
  /// Cost     O(size of their terms), and some 32 bytes a leaf
  void catch_up(const Memory& memory, std::span<const StatementId> rules);

  /// The statement and the place within it.
  Position position(std::uint32_t place) const { return positions_[place]; }

  /// By their numbers: by statement, then leaf. Those of statement e are [begin_of(e), begin_of(e + 1)).
  std::size_t size() const { return occurrences_.size(); }
  const Occurrence& operator[](std::uint32_t number) const { return occurrences_[number]; }
  /// The number of the first one in a statement.
  std::uint32_t begin_of(StatementId e) const { return statement_start_[e]; }
  /// Those in a statement.
  auto of_statement(StatementId e) const {
    const auto all = occurrences_.begin();
    return boost::make_iterator_range(all + begin_of(e), all + begin_of(e + 1));
  }

  /// By position, ascending.
  std::span<const PlaceOfName> places_of(ConceptId id) const { return places_[id]; }
  /// By statement, then leaf.
  std::span<const Mention> mentions(const PlaceOfName& at) const { return mentions_[at.mentions]; }
  /// How many mentions a name has in all.
  std::size_t count_of(ConceptId id) const;
  /// Whether a statement names it more than once.
  bool is_repeated(ConceptId id) const { return is_repeated_[id]; }
  /// Whether it is an operation, such as ^go.
  bool is_operator(ConceptId id) const { return is_operator_[id]; }

  std::size_t bytes() const;

 private:
  std::uint32_t place_of(Position position);
  void add(StatementId e, ConceptId id, std::uint32_t place);
  std::uint32_t mentions_of(ConceptId id, std::uint32_t place);

  std::vector<Position> positions_;  // by place
  std::map<Position, std::uint32_t> places_by_position_;
  ChunkedVector<std::uint32_t> statement_start_;  // and the end of the last one
  ChunkedVector<Occurrence> occurrences_;
  GrowingRows<PlaceOfName> places_;  // by name
  GrowingRows<Mention> mentions_;    // by name and place
  std::vector<bool> is_repeated_, is_operator_;
};

}  // namespace engram::core
