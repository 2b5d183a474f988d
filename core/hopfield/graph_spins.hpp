// SPDX-License-Identifier: MIT
// A classical Hopfield network of +1/-1 spins on a graph's links, W >= 0, in a field that holds it sparse.
// Episodes are sparse, so that with couplings alone, or with Hebb's rule for +1/-1 patterns, nearly every
// unit would follow the silent majority; here a unit follows a share of its neighbourhood. With
// D_i = sum_j W_ij its share of active neighbours is sigma_i = sum over active j of W_ij / D_i, and the
// external field
//     b_i = D_i (1 - 2 threshold + 2 cue_strength cue_i)
// makes its local field  h_i = sum_j W_ij s_j + b_i = 2 D_i (sigma_i + cue_strength cue_i - threshold).
// A threshold of 1/2 is the network without a field.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/numbers/names.hpp"
#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// Which spins move when: one by one, all at once, or one at a temperature.
enum class SpinDynamics : std::uint8_t { async, sync, glauber };
inline constexpr std::array<NamedValue<SpinDynamics>, 3> spin_dynamics{
    {{SpinDynamics::async, "async"}, {SpinDynamics::sync, "sync"}, {SpinDynamics::glauber, "glauber"}}};

/// When a concept becomes active, and how long spins move.
struct GraphSpinsOptions {
  SpinDynamics dynamics = SpinDynamics::async;
  double threshold = 0.3;    // chosen: below a fifth all that is linked follows, above a half nothing does
  double cue_strength = 1;   // of a whole neighbourhood; from the threshold on the cue's units are held
  int max_sweeps = 100;      // of glauber exactly so many; chosen
  double temperature = 0.1;  // of glauber, in units of the mean D_i; chosen, well below where all melts
  std::uint64_t seed = 1;    // of glauber
};

/// Where the spins ended, and how they came there.
struct GraphSpinsRecall {
  Vector active;                 // (n): 1 where the spin is +1, else 0; of glauber its mean probability of +1
  Vector share;                  // (n): sigma_i of the last state, 0 for a unit without links
  std::vector<double> energies;  // E = -1/2 s' W s - b s of the cue, then after each sweep
  int sweeps = 0;
  bool converged = false;  // a fixed point (glauber: the sweeps are done)
  int period = 0;  // of sync: 1 a fixed point, 2 two states that alternate, 0 neither within the sweeps
};

/// Recall from the cue's units active and all others silent. A field within 1e-12 of zero keeps the spin.
///   async    units in the order of their numbers; the energy never rises. While the cue is held none of its
///            units falls, so that units only rise: whatever the order, the end is the smallest set that
///            holds the cue and of which no unit outside has more than the threshold's share
///   sync     all at once; while the cue is held it ends there, too, else two states may alternate
///   glauber  units with links in random order, +1 with probability 1/(1 + e^(-2 h/T)), averaged over the
///            second half of the sweeps. With a threshold below 1/2 all active has less energy than all
///            silent, so that heat spreads to all; the others stop around the cue
/// Shapes   W (n, n) symmetric, without diagonal, entries >= 0; its scale is of no account, as it is divided
///          by the mean of D_i above 0. cue (n) in [0, 1], its units are those above 0
/// Ranges   threshold in [0, 1], cue_strength >= 0, max_sweeps >= 1, temperature > 0
/// Errors   std::invalid_argument outside these
/// Cost     O(n log n + entries), then O(n) a sweep and O(degree) a flip; deterministic
/// Source   Hopfield 1982; Glauber 1963; that order does not matter: bootstrap percolation, Chalupa et al.
///          1979
GraphSpinsRecall recall_graph_spins(const SparseRows& links, const Vector& cue,
                                    const GraphSpinsOptions& options = {});

}  // namespace engram::core
