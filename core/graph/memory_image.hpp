// SPDX-License-Identifier: MIT
// Images of memories as plain numbers, for snapshots. Restoring one gives the same memory, bit for bit. Derived data is
// left out: term links, active concepts of statements, link lists and indexes.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "core/graph/memory.hpp"
#include "narsese/shared_pieces.hpp"

namespace engram::core {

/// Upper bound on evidence and on absolute weights. Sums and products of two such numbers are finite doubles.
/// Chosen: input needs that many cycles to reach it.
inline constexpr double max_evidence = 1e30;
/// The sum of two amounts of evidence, at most max_evidence.
inline double add_capped(double known, double more) { return std::min(known + more, max_evidence); }

/// The last cycle of a memory. Chosen: the sum of two times does not overflow.
inline constexpr Time last_moment = Time{1} << 63;

/// State of a ConceptGraph.
struct GraphImage {
  narsese::LargeVector<Concept> concepts;  // by id; components come before their compounds
  narsese::LargeVector<HebbianLink> links;
  /// The number of concepts that precede each link; ascending.
  narsese::LargeVector<std::size_t> concepts_before;
  /// Hints: ids of the components of each concept in turn, variables included. A wrong hint costs a search.
  narsese::LargeVector<ConceptId> components;
};

/// State of a LinkLearner.
struct LearnerImage {
  /// A learned weight as of `step`.
  struct Link {
    ConceptId to = 0, from = 0;
    double weight = 0;
    std::uint64_t step = 0;
  };
  /// State of a concept as of `step` and `time`.
  struct Unit {
    double level = 0;
    std::uint64_t step = 0;
    Time time = 0;
  };
  std::vector<Link> links;        // in order of creation
  std::vector<Unit> units;        // by concept, up to the last one that was active
  std::vector<ConceptId> before;  // recently active units, in order
  double total = 0;
  std::uint64_t step = 0;
  Time last = 0;
};

/// State of a Memory: the contents of a snapshot.
struct MemoryImage {
  GraphImage graph;
  narsese::LargeVector<Statement> statements;  // without `active`
  /// Hints: the concept of each statement's term.
  narsese::LargeVector<ConceptId> statement_concepts;
  std::optional<LearnerImage> learner;
  Time now = 0;
  double total = 0;  // evidence, as of total_updated
  Time total_updated = 0;
};

/// Upper bound on the bytes of Memory::image().
std::size_t image_bytes(const Memory& memory);

}  // namespace engram::core
