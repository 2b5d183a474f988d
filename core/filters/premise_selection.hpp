// SPDX-License-Identifier: MIT
// Premise selection by symbols: the filters SInE and MePo of theorem provers, which select axioms by the symbols that
// they share with the conjecture. Here the axioms are all statements of the memory, including negated ones. The symbols
// are names: concepts with activity. In the formulas, occ(s) is the number of statements that mention symbol s.
#pragma once

#include <span>
#include <vector>

#include "core/index/memory_index.hpp"

namespace engram::core {

/// Options of select_by_sine(). The defaults gave most whole proofs among 18 statements, out of t = 1, 1.5, 2, 3 and 3
/// or 7 rounds, on generated chains and taxonomies, real kinship and WordNet together.
struct SineOptions {
  double tolerance = 1.5;  // t: how much commoner than the rarest symbol of a statement a trigger may be
  double generality = 0;   // g: a symbol in at most g statements always triggers
  int depth = 7;           // most rounds
};

/// Statement that select_by_sine() selects, with the round and the reason.
struct SineSelected {
  StatementId statement = 0;
  int depth = 0;  // the first round that selects it; rounds start at 1
  /// The smallest number of statements that mention one of its triggers in that round.
  std::size_t trigger = 0;
};

/// Selects statements by SInE (Sumo Inference Engine): from symbol to symbol, along statements for which a symbol is
/// rare enough. A symbol s triggers a statement A that mentions it if
///   occ(s) <= t min over s' in A of occ(s')   or   occ(s) <= g,
/// with occ(s) the number of statements that mention s, t = options.tolerance and g = options.generality. Round 1
/// selects the statements that `symbols` trigger, usually those of a question. Round k + 1 selects the statements that
/// the symbols of round k trigger.
/// Shapes   concepts (any number) -> each statement at most once, by depth and then by id
/// Ranges   t >= 1, g >= 0, depth >= 1
/// Cost     O(names of all statements that mention a reached symbol)
/// Source   Hoder and Voronkov 2011, "Sine Qua Non for Large Theory Reasoning"
std::vector<SineSelected> select_by_sine(const MemoryIndex& memory, std::span<const ConceptId> symbols,
                                         const SineOptions& options);

/// Options of select_by_mepo(). The defaults are from the paper.
struct MepoOptions {
  double pass_mark = 0.6;    // p in the first round: smallest mark of a selected statement
  double convergence = 2.4;  // c: divisor of 1 - p after each round
};

/// Statement that select_by_mepo() selects, with the round and its mark.
struct MepoSelected {
  StatementId statement = 0;
  int round = 0;    // starts at 1
  double mark = 0;  // in that round: above the pass mark p, at most 1
};

/// Selects statements by MePo (Meng and Paulson): in rounds, by the share of symbols that are already relevant. The set
/// R of relevant symbols is at first `symbols`, usually those of a question. In each round the mark of a statement A is
///   m(A) = w / (w + number of symbols of A outside R)
///   w    = sum over s in A and R of 1 + 2 / ln(occ(s) + 1),
/// with occ(s) the number of statements that mention s. Statements with m(A) > p are selected and their symbols join R.
/// Then p, at first options.pass_mark, becomes p + (1 - p) / c with c = options.convergence. The selection ends with a
/// round that selects nothing.
/// Shapes   concepts (any number) -> each statement at most once, by round and then by id
/// Ranges   p in [0, 1), c >= 1
/// Cost     each round O(names of all statements that mention a symbol of R); about ten rounds
/// Source   Meng and Paulson 2009, "Lightweight relevance filtering for machine-generated resolution problems"
std::vector<MepoSelected> select_by_mepo(const MemoryIndex& memory, std::span<const ConceptId> symbols,
                                         const MepoOptions& options);

}  // namespace engram::core
