// SPDX-License-Identifier: MIT
// Search in the bipartite graph of statements and the names in them: the ends of a question, the neighbourhood of
// names, and the shortest paths between names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/index/memory_index.hpp"
#include "core/index/unification.hpp"
#include "core/numbers/names.hpp"

namespace engram::core {

/// A name in the cue that paths start from or lead to.
struct QuestionEnd {
  ConceptId id = 0;
  std::optional<Position> place;  // in the cue's term, if the cue has one
};

/// The ends of a question, at most 16, by id: the cue's concepts at open positions if there are at least two; otherwise
/// all concepts that are not operators (which are hubs) if there are at least two; otherwise all. Positions are open if
/// rules have variables there (`is_open`): they hold individuals, and the other positions hold names of relations.
/// Cost  O(names of the cue)
std::vector<QuestionEnd> question_ends(const MemoryIndex& memory, const Cue& cue,
                                       const std::function<bool(Position)>& is_open);
/// Takes as open every position at which a premise or conclusion of the memory's rules has a variable.
/// Cost  O(size of all rules)
std::vector<QuestionEnd> question_ends(const MemoryIndex& memory, const Cue& cue);

/// Whether the concept is an operation, such as ^go.
bool is_operator(const MemoryIndex& memory, ConceptId id);

/// Limits of a neighbourhood.
struct NeighbourhoodOptions {
  int hops = 3;
  std::size_t most = 1000;  // statements
};

/// A statement with its distance.
struct Neighbour {
  StatementId statement = 0;
  int hop = 0;  // 1: mentions one of the names; k + 1: mentions a name in a statement of hop k
};

/// The statements within `hops` of the names, by hop, then by id. The last hop is cut off after `most` statements in
/// total. Denied statements (expectation below 1/2) are found, but the search does not continue from them.
/// Shapes   any number of concepts -> at most `most` statements, each once
/// Cost     the number of mentions of all names that were reached before the last hop
/// Source   breadth-first search (Moore 1959)
std::vector<Neighbour> neighbourhood(const MemoryIndex& memory, std::span<const ConceptId> names,
                                     const NeighbourhoodOptions& options);

/// Treatment of hubs: names in so many statements that a path through them means little.
enum class Hubs : std::uint8_t {
  open,    // a path may go through them, as through any name
  closed,  // a path may not go through a name in more than hub_size statements
  dear,    // a path through a name costs log(1 + statements that mention it)
};
inline constexpr std::array<NamedValue<Hubs>, 3> hub_rules{
    {{Hubs::open, "open"}, {Hubs::closed, "closed"}, {Hubs::dear, "dear"}}};

/// The steps that a path may take.
enum class Along : std::uint8_t {
  any,          // from any name of a statement to any other
  inheritance,  // only from a to b, for names a and b with <a --> b>, <{a} --> b>, <a --> [b]>, ...
};
inline constexpr std::array<NamedValue<Along>, 2> path_steps{
    {{Along::any, "any"}, {Along::inheritance, "inheritance"}}};

/// Options of shortest_paths().
struct ShortestPathOptions {
  Hubs hubs = Hubs::closed;  // the most accurate on WordNet, and the cheapest
  std::size_t hub_size = 200;
  Along along = Along::any;
  std::size_t paths = 8;  // chosen: with three statements each, enough for 18 places
};

/// The statements on a path between two names, in order.
using StatementPath = std::vector<StatementId>;

/// Finds the best path between any two ends, then the best one that shares no statement with it, and so on, up to
/// `paths` paths. A path costs 1 per statement; with `dear` hubs it costs log(1 + n) for every inner name, n the number
/// of statements that mention it. The two ends of a path are never closed. Denied statements (expectation below 1/2)
/// and forgotten ones are skipped. Ties are broken by the order of terms (narsese/term.hpp), so the order of input does
/// not matter: first by the ends, the smaller end first, then by the names and statements, from the last end back.
/// Shapes   ends (k) -> at most `paths` paths, none empty, pairwise disjoint
/// Errors   WorkStopped
/// Cost     for each path and each pair of ends that is searched again: the part of the graph nearer than the end,
///          times its logarithm with `dear` hubs
/// Source   breadth-first search (Moore 1959); Dijkstra 1959
std::vector<StatementPath> shortest_paths(const MemoryIndex& memory, std::span<const ConceptId> ends,
                                          const ShortestPathOptions& options);

}  // namespace engram::core
