// SPDX-License-Identifier: MIT
// Premise selection filters of theorem provers, SInE and MePo, which select axioms by the symbols that they share with
// the conjecture. Here the axioms are all statements, including negated ones, and the symbols are names (concepts with
// activity). occ(s) is the number of statements that mention s.
#pragma once

#include <span>
#include <vector>

#include "core/index/memory_index.hpp"

namespace engram::core {

/// Options of SInE. The defaults gave most whole proofs among 18 statements, out of t = 1, 1.5, 2, 3 and 3 or 7
/// rounds, on generated chains and taxonomies, real kinship and WordNet together.
struct SineOptions {
  double tolerance = 1.5;  // t
  double generality = 0;   // g, statements
  int depth = 7;           // rounds
};

/// A statement that SInE selects.
struct SineSelected {
  StatementId statement = 0;
  int depth = 0;            // the first round that selects it; rounds start at 1
  std::size_t trigger = 0;  // the smallest occ of its triggers in that round
};

/// SInE. A symbol s triggers a statement A that mentions it if
///   occ(s) <= t min over s' in A of occ(s')   or   occ(s) <= g.
/// Round 1 selects the statements that `symbols` trigger. Round k + 1 selects those that the symbols of round k
/// trigger.
/// Shapes   concepts (any number) -> each statement at most once, by depth and then by id
/// Ranges   t >= 1, g >= 0, depth >= 1
/// Cost     O(names of all statements that mention a reached symbol)
/// Source   Hoder and Voronkov 2011, "Sine Qua Non for Large Theory Reasoning"
std::vector<SineSelected> select_by_sine(const MemoryIndex& memory, std::span<const ConceptId> symbols,
                                         const SineOptions& options);

/// Options of MePo. The defaults are from the paper.
struct MepoOptions {
  double pass_mark = 0.6;    // p of the first round
  double convergence = 2.4;  // c: divisor of 1 - p after each round
};

/// A statement that MePo selects.
struct MepoSelected {
  StatementId statement = 0;
  int round = 0;    // starts at 1
  double mark = 0;  // in that round, in (p, 1]
};

/// MePo. The relevant symbols R are at first `symbols`. In each round the mark of a statement A is
///   m(A) = w / (w + number of symbols of A outside R)
///   w    = sum over s in A and R of 1 + 2 / ln(occ(s) + 1);
/// Statements with m(A) > p are selected, their symbols join R, and p becomes p + (1 - p) / c. The selection ends with
/// a round that selects nothing.
/// Shapes   concepts (any number) -> each statement at most once, by round and then by id
/// Ranges   p in [0, 1), c >= 1
/// Cost     each round O(names of all statements that mention a symbol of R); about ten rounds
/// Source   Meng and Paulson 2009, "Lightweight relevance filtering for machine-generated resolution
///          problems"
std::vector<MepoSelected> select_by_mepo(const MemoryIndex& memory, std::span<const ConceptId> symbols,
                                         const MepoOptions& options);

}  // namespace engram::core
