// SPDX-License-Identifier: MIT
// What lies within so many hops of some names, in the bipartite graph of statements and the names in them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/retrieval/memory_index.hpp"

namespace engram::core {

/// How far a neighbourhood reaches.
struct NeighbourhoodOptions {
  int hops = 3;
  std::size_t most = 1000;  // statements
};

/// A statement, and how far it is.
struct Neighbour {
  StatementId statement = 0;
  int hop = 0;  // 1: it mentions one of the names; k + 1: a name that a statement of hop k mentions
};

/// The statements within `hops` of names, by the least number of hops, within a hop by id; no more than
/// `most`: of the hop that would pass it, the lowest ids. What is denied (expectation below 1/2) is reached,
/// and not gone on from.
/// Shapes   concepts (any number) -> at most `most` statements, each once
/// Cost     of the statements that mention what a hop has reached, each is looked at once for
///          each name in it
/// Source   breadth-first search (Moore 1959)
std::vector<Neighbour> neighbourhood(const MemoryIndex& memory, std::span<const ConceptId> names,
                                     const NeighbourhoodOptions& options);

}  // namespace engram::core
