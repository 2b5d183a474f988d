// SPDX-License-Identifier: MIT
// A dense associative memory of sparse episodes. Its spins are those of core/hopfield/dense_memory.hpp, +1
// for an active unit and -1 for a silent one; but of a hundred spins an episode has three at +1, so that all
// overlaps x_k s are nearly a hundred, alike for every pattern and every state. They are therefore counted
// from silence, the state of -1 alone: half of what is beyond is
//     r_k = sum over the active units i of x_ki
//         = (active units of the state in episode k) - (those not in it)
// and any F that rises with r_k separates what is near from what is far. Polynomials that are not rectified
// do not: to the square an episode with which the state has nothing in common is as near as its own.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/numbers/names.hpp"
#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// F:  rectified    max(r, 0)^n
///     exponential  e^(beta r);  with beta = 2 and episodes of one size the network of spins with F = e^x
enum class EpisodeSeparation : std::uint8_t { rectified, exponential };
inline constexpr std::array<NamedValue<EpisodeSeparation>, 2> episode_separations{
    {{EpisodeSeparation::rectified, "rectified"}, {EpisodeSeparation::exponential, "exponential"}}};

/// How steep the wells of episodes are, and how long a recall goes on.
struct DenseEpisodesOptions {
  EpisodeSeparation separation = EpisodeSeparation::rectified;
  unsigned n = 5;         // of rectified; chosen: with 3, some that share a unit outweigh one that shares two
  double beta = 8;        // of exponential; chosen: enough for a cue of one unit among e^8 episodes
  int max_changes = 256;  // chosen: as many units as one episode may have
};

/// Where a recall ended, and how it came there.
struct DenseEpisodesRecall {
  std::vector<std::uint32_t> active;  // units, ascending
  Vector costs;                  // of these, in their order: by what the energy would rise without the unit
  std::vector<double> energies;  // of the cue, then after each change; falling
  int changes = 0;
  bool converged = false;  // no single change lowers the energy
};

/// Recall by the steepest descent: of all units the one whose flip lowers the energy most is flipped (ties:
/// the lowest index) until none does. A sum within 1e-12 of its terms' magnitudes counts as zero.
/// Energy   E = -sum_k d_k F(r_k), d_k the weights over their sum; of the exponential, which may leave the
///          range of double, -log(sum_k d_k F(r_k)) / beta, and costs accordingly: the same order
/// Shapes   episodes (k, n), an entry a unit's being active (its value is not read); weights (k) >= 0;
///          cue (n), its units are those above 0 that belong to an episode; without one
///          nothing is recalled
/// Ranges   n in [1, 30], beta in (0, 100], max_changes >= 1; weights with a sum above 0. Silence has r_k = 0
///          for all: of k episodes the exponential forgets a cue of one unit unless e^beta is about k
/// Errors   std::invalid_argument outside these
/// Cost     O(entries + n) a change; deterministic
/// Source   Krotov and Hopfield 2016; Demircigil et al. 2017 (exponential)
DenseEpisodesRecall recall_dense_episodes(const SparseRows& episodes, const Vector& weights,
                                          const Vector& cue, const DenseEpisodesOptions& options = {});

}  // namespace engram::core
