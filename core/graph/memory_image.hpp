// SPDX-License-Identifier: MIT
// A memory as plain numbers: what it takes to make the same memory again, bit for bit. What follows from the
// rest is left out: structural links, who is active in a statement, which links a concept has, all indices.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "core/graph/memory.hpp"
#include "narsese/large_allocator.hpp"

namespace engram::core {

/// Evidence and weights of a memory, and so of its image, are at most this much in size: no sum or product of
/// two of them leaves the range of a double. Chosen: a memory would need as many cycles for it.
inline constexpr double most_evidence = 1e30;
/// More evidence for what has some.
inline double added_evidence(double known, double more) { return std::min(known + more, most_evidence); }

/// The last cycle of a memory. Chosen: no sum of two times leaves their range.
inline constexpr Time last_moment = Time{1} << 63;

/// All that a concept graph consists of.
struct GraphImage {
  narsese::LargeVector<Concept> concepts;  // by id; what one consists of comes before it
  narsese::LargeVector<HebbianLink> links;
  /// How many concepts there must be before each link is made; ascends.
  narsese::LargeVector<std::size_t> concepts_before;
  /// Where to look first for the components of each concept in turn, variables among them, so that a memory need
  /// not search for them: ids, or anything where they are not known.
  narsese::LargeVector<ConceptId> components;
};

/// All that a learner of links consists of.
struct LearnerImage {
  /// A learnt weight, as of the learner's step.
  struct Link {
    ConceptId to = 0, from = 0;
    double weight = 0;
    std::uint64_t step = 0;
  };
  /// A unit's activity, as of a step and a time.
  struct Unit {
    double level = 0;
    std::uint64_t step = 0;
    Time time = 0;
  };
  std::vector<Link> links;        // in the order in which they were made
  std::vector<Unit> units;        // by concept, up to the last one that was active
  std::vector<ConceptId> before;  // whose activity is not over, in their order
  double total = 0;
  std::uint64_t step = 0;
  Time last = 0;
};

/// All that a memory consists of: what a snapshot writes, and a memory is made of again.
struct MemoryImage {
  GraphImage graph;
  narsese::LargeVector<Statement> statements;  // `active` is not looked at
  /// Where to look first for the concept of each statement's term, likewise.
  narsese::LargeVector<ConceptId> statement_concepts;
  std::optional<LearnerImage> learner;
  Time now = 0;
  double total = 0;  // evidence, as of total_updated
  Time total_updated = 0;
};

/// An upper bound on the bytes that Memory::image() takes.
std::size_t image_bytes(const Memory& memory);

}  // namespace engram::core
