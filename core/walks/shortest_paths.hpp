// SPDX-License-Identifier: MIT
// Shortest paths between names through the statements that mention them, one after the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/numbers/names.hpp"
#include "core/retrieval/memory_index.hpp"

namespace engram::core {

/// Names that very many statements mention join what has nothing to do with one another.
enum class Hubs : std::uint8_t {
  open,    // are gone through as any other name
  closed,  // of more than hub_size statements: not gone through
  dear,    // going through a name costs log(1 + statements that mention it)
};
inline constexpr std::array<NamedValue<Hubs>, 3> hub_rules{
    {{Hubs::open, "open"}, {Hubs::closed, "closed"}, {Hubs::dear, "dear"}}};

/// Along what a path may go.
enum class Along : std::uint8_t {
  any,          // from any name of a statement to any other
  inheritance,  // of <a --> b>, <{a} --> b>, <a --> [b]>, ... alone, from a to b; a and b names
};
inline constexpr std::array<NamedValue<Along>, 2> path_steps{
    {{Along::any, "any"}, {Along::inheritance, "inheritance"}}};

/// Along what paths go, what hubs cost, and how many are taken.
struct ShortestPathOptions {
  Hubs hubs = Hubs::closed;  // the best on WordNet, and the cheapest
  std::size_t hub_size = 200;
  Along along = Along::any;
  std::size_t paths = 8;  // chosen: with three statements each, more than 18 places hold
};

/// A path between two names: the statements it goes through, from the one to the other.
using StatementPath = std::vector<StatementId>;

/// The best path between any two of the ends, then the best without the statements of that one, and so on,
/// until none is left or there are `paths` of them. A path costs 1 for every statement, or, where hubs are
/// dear, log(1 + n) for every name between its two ends, with n the statements that mention it; its own two
/// ends are never closed. What is denied (expectation below 1/2) or forgotten is not walked. Of paths that
/// cost the same the first in the order of terms (narsese/term.hpp), whatever was said first: that of the
/// ends, the earlier of a pair first, then of what is passed, from the last end back.
/// Shapes   ends (k) -> at most `paths` paths, none empty, no statement in two
/// Errors   WorkStopped
/// Cost     for each path and pair of ends that it concerns what is reached until the end is found, times its
///          logarithm where hubs are dear
/// Source   breadth-first search (Moore 1959) by Boost.Graph; Dijkstra 1959
std::vector<StatementPath> shortest_paths(const MemoryIndex& memory, std::span<const ConceptId> ends,
                                          const ShortestPathOptions& options);

}  // namespace engram::core
