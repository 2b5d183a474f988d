// SPDX-License-Identifier: MIT
// Search in the graph that joins statements with the names in them: finds the ends of a question (the names that a path
// should join), the neighbourhood of names, and the shortest paths between names.
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

/// End of a question: a name in the cue that paths start from or lead to.
struct QuestionEnd {
  ConceptId id = 0;
  std::optional<Position> place;  // position of the name in the cue's term, if the cue has a term
};

/// Selects the ends of a question, the names that a search should connect: at most 16, ascending by id. `is_open` tells
/// whether rules have a variable at a position; such positions hold individuals, and the others names of relations. The
/// ends are the cue's concepts at open positions, if there are at least two. Otherwise they are all concepts that are
/// not operators (which are hubs), if there are at least two, and otherwise all.
/// Cost  O(names of the cue)
std::vector<QuestionEnd> question_ends(const MemoryIndex& memory, const Cue& cue,
                                       const std::function<bool(Position)>& is_open);
/// Selects the ends of a question, like the overload with `is_open`. Counts a position as open if a premise or
/// conclusion of any rule in the memory has a variable there.
/// Cost  O(size of all rules)
std::vector<QuestionEnd> question_ends(const MemoryIndex& memory, const Cue& cue);

/// Whether a concept is an operator, such as ^go. Operators are hubs, so searches often skip them.
bool is_operator(const MemoryIndex& memory, ConceptId id);

/// Limits of the search by neighbourhood().
struct NeighbourhoodOptions {
  int hops = 3;             // most statements on the way from a name to a result
  std::size_t most = 1000;  // statements in the result
};

/// Statement near a set of names, with its distance in hops.
struct Neighbour {
  StatementId statement = 0;
  int hop = 0;  // 1: mentions one of the names; k + 1: shares a name with a statement of hop k
};

/// Finds the statements within options.hops of the names, by hop, then by id. A hop leads from a name to all statements
/// that mention it, and so to the other names in them. The last hop is cut off after options.most statements in total.
/// Denied statements (expectation below 1/2) are found, but the search does not continue from them.
/// Shapes   any number of concepts -> at most options.most statements, each once
/// Cost     the number of mentions of all names that were reached before the last hop
/// Source   breadth-first search (Moore 1959)
std::vector<Neighbour> neighbourhood(const MemoryIndex& memory, std::span<const ConceptId> names,
                                     const NeighbourhoodOptions& options);

/// Treatment of hubs by shortest_paths(). A hub is a name in so many statements that a path through it means little.
enum class Hubs : std::uint8_t {
  open,    // a path may go through hubs, as through any name
  closed,  // a path may not go through a name in more than hub_size statements
  dear,    // a path through a name costs log(1 + statements that mention it)
};
inline constexpr std::array<NamedValue<Hubs>, 3> hub_rules{
    {{Hubs::open, "open"}, {Hubs::closed, "closed"}, {Hubs::dear, "dear"}}};

/// Steps that a path of shortest_paths() may take.
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

/// Path between two names: the statements on it, in order.
using StatementPath = std::vector<StatementId>;

/// Finds the best path between any two ends, then the best one that shares no statement with it, and so on, up to
/// options.paths paths. The ends are usually those of question_ends(). A path costs 1 for each statement; with
/// Hubs::dear it costs log(1 + n) for each inner name, with n the number of statements that mention it. The two ends of
/// a path may be hubs. Denied statements (expectation below 1/2) and forgotten ones are skipped. Ties are broken by the
/// order of terms (narsese/term.hpp), so the order of input does not matter: first by the ends, the smaller end first,
/// then by the names and statements, from the last end back.
/// Shapes   ends (k) -> at most options.paths paths, none empty, pairwise disjoint
/// Errors   WorkStopped
/// Cost     for each path and each pair of ends that is searched again: the part of the graph nearer than the end,
///          times its logarithm with Hubs::dear
/// Source   breadth-first search (Moore 1959); Dijkstra 1959
std::vector<StatementPath> shortest_paths(const MemoryIndex& memory, std::span<const ConceptId> ends,
                                          const ShortestPathOptions& options);

}  // namespace engram::core
