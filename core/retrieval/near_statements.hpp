// SPDX-License-Identifier: MIT
// The statements that are nearest to a state, found without a look at all.
#pragma once

#include <cstdint>
#include <vector>

#include "core/numbers/id_numbers.hpp"
#include "core/retrieval/memory_index.hpp"

namespace engram::core {

/// Statements by their similarity  s_e = k_e x  with a state x >= 0 of few concepts, k_e their keys, concept
/// by concept: first those whose mentions are few for what they weigh. A statement that was not looked at has,
/// of the concepts of x, some of those that are left alone, and a key of length 1: by Cauchy and Schwarz its
/// similarity is at most the length of x there, which falls with every look, so that a concept that all
/// mention is read only where its small part may decide.
/// Source   Turtle and Flood 1995, "Query evaluation" (MaxScore), with lengths in place of largest terms
class NearStatements {
 public:
  /// Of readings that outlive it.  Shapes  state (n) >= 0
  NearStatements(const MemoryIndex& memory, const SparseVector& state);

  /// Takes in the statements that mention one more concept of the state; false: none is left.
  /// Cost  O(concepts of those that are new); 40 bytes each, 24 of which are claimed
  bool look_further();
  /// No other statement has a greater similarity; 0 where all that have any were looked at.
  double beyond() const;
  /// So many others may have any, at most.
  std::uint64_t beyond_count() const;
  /// How many mention the concept that comes next; 0 where none is left.
  std::size_t next_count() const { return read_ < parts_.size() ? parts_[read_].mentions : 0; }
  /// Those that were looked at, in the order in which they came: the bits of keys() times the state.
  const std::vector<SparseVector::Entry>& found() const { return found_; }
  /// The n-th greatest similarity; 0 where fewer were looked at.  Cost  O(found)
  double nth_best(std::size_t n) const;

 private:
  struct Part {
    ConceptId id;
    double weight;
    std::size_t mentions;
  };

  const MemoryIndex* memory_;
  SparseVector state_;
  std::vector<Part> parts_;          // those that are left last
  std::vector<double> lengths_;      // of the state from a part on
  std::vector<std::uint64_t> left_;  // mentions from a part on
  std::size_t read_ = 0;
  IdNumbers ids_;
  std::vector<SparseVector::Entry> found_;
};

/// k_e x of one statement.  Cost  O(its concepts)
double similarity_of(const MemoryIndex& memory, Index e, const SparseVector& state);

}  // namespace engram::core
