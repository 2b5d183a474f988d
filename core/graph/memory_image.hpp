// SPDX-License-Identifier: MIT
// Images of memories as plain numbers, for snapshots. A memory that is restored from an image is the same, bit for bit.
// Images leave out data that can be derived: term links, active concepts of statements, link lists and indexes.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "core/graph/memory.hpp"
#include "narsese/shared_pieces.hpp"

namespace engram::core {

/// Largest evidence and largest absolute weight that a memory stores. Sums and products of two such numbers are finite
/// doubles. Chosen: input needs that many cycles to reach it.
inline constexpr double max_evidence = 1e30;
/// The sum of two amounts of evidence, clipped to max_evidence.
inline double add_capped(double known, double more) { return std::min(known + more, max_evidence); }

/// The last cycle that a memory can reach. Chosen: the sum of two times does not overflow.
inline constexpr Time last_moment = Time{1} << 63;

/// State of a ConceptGraph as plain numbers.
struct GraphImage {
  narsese::LargeVector<Concept> concepts;  // by id; components come before their compounds
  narsese::LargeVector<HebbianLink> links;
  /// For each link, the number of concepts that existed when it was created; ascending.
  narsese::LargeVector<std::size_t> concepts_before;
  /// Hints that speed up restoring: the ids of the components of each concept in turn, variables included. A wrong hint
  /// costs a search.
  narsese::LargeVector<ConceptId> components;
};

/// State of a LinkLearner as plain numbers.
struct LearnerImage {
  /// A learned link with its weight, decayed to `step`, the number of an episode.
  struct Link {
    ConceptId to = 0, from = 0;
    double weight = 0;
    std::uint64_t step = 0;
  };
  /// State of one concept of the learner: its level (for stdp a trace), decayed to `step` or `time`.
  struct Unit {
    double level = 0;
    std::uint64_t step = 0;
    Time time = 0;
  };
  std::vector<Link> links;        // in order of creation
  std::vector<Unit> units;        // by ConceptId, up to the last concept that was active
  std::vector<ConceptId> before;  // recently active concepts, in order of activity
  double total = 0;
  std::uint64_t step = 0;
  Time last = 0;
};

/// State of a Memory as plain numbers: the contents of a snapshot.
struct MemoryImage {
  GraphImage graph;
  narsese::LargeVector<Statement> statements;  // without the list `active`
  /// Hints that speed up restoring: the concept of each statement's term.
  narsese::LargeVector<ConceptId> statement_concepts;
  std::optional<LearnerImage> learner;
  Time now = 0;
  double total = 0;  // total evidence, decayed to total_updated
  Time total_updated = 0;
};

/// Upper bound on the bytes of Memory::image().
std::size_t image_bytes(const Memory& memory);

}  // namespace engram::core
