// SPDX-License-Identifier: MIT
// What Hopfield networks share (the dynamics of +1/-1 spins: core/hopfield/hopfield_network.hpp), and sparse
// couplings between 0/1 units with recall by k winners.
#pragma once

#include <cstdint>
#include <vector>

#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// A local field no larger than this counts as zero, and a unit in a zero field keeps its state.
inline constexpr double zero_field = 1e-12;

/// E = -1/2 s' W s - b s, the Ising energy with learnt couplings W and an external field b (none: 0).
/// Shapes   W (n, n), s (n), b (n) or empty
double hopfield_energy(const Matrix& weights, const Vector& state, const Vector& field = {});

/// Couplings of a network of 0/1 units learnt from sparse episodes:
///     W_ij = g_i g_j (C_ij - a_i a_j) for i != j, and 0 on the diagonal,
/// C_ij the share of episodes in which i and j were active together, a_i that of i. Subtracting a_i a_j
/// (covariance) is what makes sparse patterns storable at all: with plain 0/1 or +1/-1 Hebb the common
/// units drown the rest. It is of rank one, so W stays sparse in memory and exact.
/// Source  Tsodyks and Feigelman 1988
struct SparseCouplings {
  SparseRows together;  // C (n, n), symmetric, no diagonal
  Vector activity;      // a (n), in [0, 1]; units with a = 0 never become active
  Vector gain;          // g (n): 1 for covariance, 1/sqrt(a (1-a)) for correlation

  Index size() const { return activity.size(); }
  /// Whether the unit was ever active.
  bool may_fire(Index i) const { return activity[i] > 0; }
  /// The coupling of two units.  Cost  O(log links of i)
  double weight(Index i, Index j) const;
  /// h = W s + b.
  Vector field(const Vector& state, const Vector& external) const;
};

/// Which units are active in the end, and how they came to be.
struct WinnersRecall {
  std::vector<std::uint32_t> winners;  // ids of the active units, ascending
  Vector field;                        // h of every unit in the last state
  std::vector<double> energies;        // E = -1/2 s' W s - b s of the cue, then after each change; falling
  int changes = 0;
  bool converged = false;
};

/// Recall with at most k active units (k winners). From the cue's units (the k in the strongest fields, if
/// they are more), one change at a time, each the one of these that lowers the energy most: the strongest
/// loser joins while there is room, the weakest winner leaves, or the two change places. Ends where none
/// lowers it.
/// Shapes   cue (n) in [0, 1], its units are those above 0; external field b = cue_strength * cue
/// Errors   std::invalid_argument if shapes do not fit or k < 1
/// Cost     O(n + degree) a change, at most max_changes; deterministic (ties: the lower id wins)
WinnersRecall recall_winners(const SparseCouplings& couplings, const Vector& cue, Index k,
                             double cue_strength, int max_changes = 1000);
}  // namespace engram::core
