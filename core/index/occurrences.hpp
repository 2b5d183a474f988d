// SPDX-License-Identifier: MIT
// Index of the occurrences of names in the statements of a memory, by name and by position. Walks use it at each step.
#pragma once

#include <boost/range/iterator_range.hpp>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/graph/memory.hpp"
#include "core/index/unification.hpp"
#include "core/numbers/chunked_vector.hpp"
#include "core/numbers/growing_rows.hpp"

namespace engram::core {

/// A name at a leaf of a statement. `place` is the number of the leaf's position. `first` is the number of the first
/// occurrence of this name in this place of the statement, usually this occurrence itself.
struct Occurrence {
  ConceptId id = 0;
  std::uint32_t place = 0, first = 0;
};

/// An occurrence in the list of a name.
struct Mention {
  StatementId statement = 0;
  std::uint32_t occurrence = 0;
};

/// A place of a name, and the row of its mentions in that place.
struct PlaceOfName {
  std::uint32_t place = 0, mentions = 0;
};

/// Index of the names at the leaves (core/index/unification.hpp) of statements. Rules are left out, and so are names
/// that the statement does not activate. Positions of leaves are numbered as places, in the order of their first
/// occurrence.
class Occurrences {
 public:
  Occurrences() { statement_start_.push_back(0); }
  /// Adds the new statements. `rules` lists the rules of the memory, ascending.
  /// Errors   WorkStopped; std::length_error for more than 2^32 - 1 leaves
  /// Cost     O(size of their terms), and about 32 bytes a leaf
  void catch_up(const Memory& memory, std::span<const StatementId> rules);

  /// The position of a place.
  Position position(std::uint32_t place) const { return positions_[place]; }

  /// Occurrences are numbered by statement, then by leaf. Statement e has the numbers [begin_of(e), begin_of(e + 1)).
  std::size_t size() const { return occurrences_.size(); }
  const Occurrence& operator[](std::uint32_t number) const { return occurrences_[number]; }
  std::uint32_t begin_of(StatementId e) const { return statement_start_[e]; }
  /// The occurrences in a statement.
  auto of_statement(StatementId e) const {
    const auto all = occurrences_.begin();
    return boost::make_iterator_range(all + begin_of(e), all + begin_of(e + 1));
  }

  /// The places of a name, ascending by position.
  std::span<const PlaceOfName> places_of(ConceptId id) const { return places_[id]; }
  /// The mentions of a name in a place, by statement, then by leaf.
  std::span<const Mention> mentions(const PlaceOfName& at) const { return mentions_[at.mentions]; }
  /// The number of mentions of a name in all places.
  std::size_t count_of(ConceptId id) const;
  /// Whether a statement mentions the name more than once.
  bool is_repeated(ConceptId id) const { return is_repeated_[id]; }
  /// Whether the name is an operation such as ^go.
  bool is_operator(ConceptId id) const { return is_operator_[id]; }

  std::size_t bytes() const;

 private:
  std::uint32_t place_of(Position position);
  void add(StatementId e, ConceptId id, std::uint32_t place);
  std::uint32_t mentions_of(ConceptId id, std::uint32_t place);

  std::vector<Position> positions_;  // by place
  std::map<Position, std::uint32_t> places_by_position_;
  ChunkedVector<std::uint32_t> statement_start_;  // by statement, then the end of the last one
  ChunkedVector<Occurrence> occurrences_;
  GrowingRows<PlaceOfName> places_;  // by name
  GrowingRows<Mention> mentions_;    // by PlaceOfName::mentions
  std::vector<bool> is_repeated_, is_operator_;
};

}  // namespace engram::core
