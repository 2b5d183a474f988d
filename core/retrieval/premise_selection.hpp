// SPDX-License-Identifier: MIT
// Premise selection: which axioms to give a prover with a conjecture, by the symbols they share. Statements
// are the axioms, denied ones as well, and names (concepts that hold activation) the symbols; occ(s) is the
// number of statements that mention s.
#pragma once

#include <span>
#include <vector>

#include "core/retrieval/memory_index.hpp"

namespace engram::core {

/// Defaults: of t = 1, 1.5, 2, 3 and 3 or 7 rounds, those that hold most whole proofs among 18 statements, over
/// generated chains and taxonomies, real kinship and WordNet together.
struct SineOptions {
  double tolerance = 1.5;  // t
  double generality = 0;   // g, statements
  int depth = 7;           // rounds
};

/// A statement that SInE selects.
struct SineSelected {
  StatementId statement = 0;
  int depth = 0;            // the first round that selects it, from 1 on
  std::size_t trigger = 0;  // occ of its trigger of that round, the least where there are several
};

/// SInE. A symbol s triggers a statement A that mentions it where
///   occ(s) <= t min over s' in A of occ(s')   or   occ(s) <= g.
/// Round 1 selects what `symbols` trigger, round k + 1 what the symbols of statements of round k do.
/// Shapes   concepts (any number) -> each statement at most once, by depth and then by id
/// Ranges   t >= 1, g >= 0, depth >= 1
/// Cost     each symbol's statements are looked at once, with all of their names
/// Source   Hoder and Voronkov 2011, "Sine Qua Non for Large Theory Reasoning"
std::vector<SineSelected> select_by_sine(const MemoryIndex& memory, std::span<const ConceptId> symbols,
                                         const SineOptions& options);

/// Defaults: of the paper.
struct MepoOptions {
  double pass_mark = 0.6;    // p of the first round
  double convergence = 2.4;  // c: what is left to 1 is divided by
};

/// A statement that MePo selects.
struct MepoSelected {
  StatementId statement = 0;
  int round = 0;    // from 1 on
  double mark = 0;  // in that round, in (p, 1]
};

/// MePo. R, the relevant symbols, begins with `symbols`. In each round a statement's mark is
///   m(A) = w / (w + number of symbols of A outside R)
///   w    = sum over s in A and R of 1 + 2 / ln(occ(s) + 1);
/// those with m(A) > p are selected, their symbols join R, and p becomes p + (1 - p) / c. It ends with a
/// round that selects nothing.
/// Shapes   concepts (any number) -> each statement at most once, by round and then by id
/// Ranges   p in [0, 1), c >= 1
/// Cost     the statements of all symbols of R, once a round with their names; p nears 1 so fast that there
///          are some ten rounds
/// Source   Meng and Paulson 2009, "Lightweight relevance filtering for machine-generated resolution
///          problems"
std::vector<MepoSelected> select_by_mepo(const MemoryIndex& memory, std::span<const ConceptId> symbols,
                                         const MepoOptions& options);

}  // namespace engram::core
