// SPDX-License-Identifier: MIT
// Index of the occurrences of names in the statements of a memory, by name and by position. Walks from statement to
// statement use it at each step.
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

/// Occurrence: a name at one leaf of a statement. `id` is the concept of the name. `place` is the number of the leaf's
/// position. `first` is the number of the first occurrence of the name at that place in the same statement, usually of
/// this occurrence itself.
struct Occurrence {
  ConceptId id = 0;
  std::uint32_t place = 0, first = 0;
};

/// Entry in the list of a name's occurrences: the statement, and the number of the occurrence in it.
struct Mention {
  StatementId statement = 0;
  std::uint32_t occurrence = 0;
};

/// Entry in the list of a name's places: a place where the name occurs, and the number of the row that lists its
/// occurrences there. Pass it to Occurrences::mentions().
struct PlaceOfName {
  std::uint32_t place = 0, mentions = 0;
};

/// Index of the names at the leaves of statements (core/index/unification.hpp). It leaves out rules, and names that the
/// statement does not activate. A place is the number of a leaf's position; places are numbered in the order of their
/// first occurrence.
class Occurrences {
 public:
  Occurrences() { statement_start_.push_back(0); }
  /// Adds the statements that are new since the last call. `rules` lists the rules of the memory, ascending.
  /// Errors   WorkStopped; std::length_error for more than 2^32 - 1 leaves
  /// Cost     O(size of their terms), and about 32 bytes a leaf
  void catch_up(const Memory& memory, std::span<const StatementId> rules);

  /// The position in a term that has the number `place`.
  Position position(std::uint32_t place) const { return positions_[place]; }

  /// Occurrences are numbered by statement, then by leaf. Statement e has the numbers [begin_of(e), begin_of(e + 1)).
  std::size_t size() const { return occurrences_.size(); }
  const Occurrence& operator[](std::uint32_t number) const { return occurrences_[number]; }
  std::uint32_t begin_of(StatementId e) const { return statement_start_[e]; }
  /// The occurrences in statement e, in the order of its leaves.
  auto of_statement(StatementId e) const {
    const auto all = occurrences_.begin();
    return boost::make_iterator_range(all + begin_of(e), all + begin_of(e + 1));
  }

  /// The places where a name occurs, ascending by position.
  std::span<const PlaceOfName> places_of(ConceptId id) const { return places_[id]; }
  /// The occurrences of a name at one of its places, by statement, then by leaf. `at` must be from places_of().
  std::span<const Mention> mentions(const PlaceOfName& at) const { return mentions_[at.mentions]; }
  /// The number of occurrences of a name, at all its places.
  std::size_t count_of(ConceptId id) const;
  /// Whether any statement has the name at more than one leaf.
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
