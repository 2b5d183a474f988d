// SPDX-License-Identifier: MIT
// Dense associative memories: the energy is a steep function F of the overlap with each pattern, E = -sum_k F(x_k s).
// The steeper F, the more patterns a memory holds. Three variants: spins with dense patterns, spins with sparse
// episodes, and continuous units.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/hopfield/hopfield.hpp"
#include "core/numbers/names.hpp"
#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// The steep function F that recall_dense() applies to the overlap x of the state with a pattern:
///   polynomial   x^n        n = 2 is the classical network with Hebb's rule: E = 2N E_classical - N P
///   rectified    max(x, 0)^n
///   exponential  e^x
enum class DenseSeparation : std::uint8_t { polynomial, rectified, exponential };
inline constexpr std::array<NamedValue<DenseSeparation>, 3> dense_separations{
    {{DenseSeparation::polynomial, "polynomial"},
     {DenseSeparation::rectified, "rectified"},
     {DenseSeparation::exponential, "exponential"}}};

/// Options of recall_dense().
struct DenseOptions {
  DenseSeparation separation = DenseSeparation::polynomial;
  unsigned n = 3;  // degree; chosen: the least that holds more than the classical network
  std::vector<std::uint32_t> order = {};  // order of updates in a sweep; empty: 0, 1, 2, ...
  int max_sweeps = 100;                   // chosen, as for the classical network
};

/// Asynchronous recall of N spins s from a cue, in the dense memory of the patterns x_k with the function F. An update
/// sets s_i to the sign of
///     sum_k F(x_ki + r_k) - F(-x_ki + r_k),  r_k = sum_{j != i} x_kj s_j,
/// where r_k is the overlap with pattern k without spin i. Each update chooses the state of lower energy, or keeps the
/// spin if both are equal. Sweeps run until one changes nothing.
/// The recall finds ties exactly: patterns are counted by r before F is applied, so equal terms cancel. Sums of
/// integers up to 2^53 are exact, and other sums below 1e-12 of the sum of magnitudes count as zero. F may exceed the
/// range of double: signs are computed relative to the largest term.
/// Shapes   patterns (k, N), cue (N), all +1 or -1; k >= 1
/// Ranges   energies never rise; an energy beyond the range of double is infinite or NaN
/// Errors   std::invalid_argument if shapes do not fit, a spin is not +1 or -1, the order is not a permutation, or n <
///          1
/// Cost     O(N (k + N)) a sweep; deterministic
/// Source   Krotov and Hopfield 2016; Demircigil et al. 2017 (exponential)
HopfieldRecall recall_dense(const Matrix& patterns, const Vector& cue, const DenseOptions& options = {});

/// The steep function F that recall_dense_episodes() applies to the overlap r of the state with an episode:
///     rectified    max(r, 0)^n
///     exponential  e^(beta r);  with beta = 2 and episodes of equal size equal to recall_dense with F = e^x
enum class EpisodeSeparation : std::uint8_t { rectified, exponential };
inline constexpr std::array<NamedValue<EpisodeSeparation>, 2> episode_separations{
    {{EpisodeSeparation::rectified, "rectified"}, {EpisodeSeparation::exponential, "exponential"}}};

/// Options of recall_dense_episodes().
struct DenseEpisodesOptions {
  EpisodeSeparation separation = EpisodeSeparation::rectified;
  unsigned n =
      5;  // degree of rectified; chosen: with 3, several episodes that share one unit outweigh one with two
  double beta = 8;  // exponent factor of exponential; chosen: enough for a cue of one unit among e^8 episodes
  int max_changes = 256;  // chosen: the largest number of units in an episode
};

/// The final state of a recall from episodes and its history.
struct DenseEpisodesRecall {
  std::vector<std::uint32_t> active;  // active units, ascending
  Vector costs;  // cost of each unit in `active`: the rise in energy if the unit were turned off
  std::vector<double> energies;  // energy of the cue, then after each change; falling
  int changes = 0;
  bool converged = false;  // no single change lowers the energy
};

/// Recall from sparse episodes x_k by steepest descent of the energy: flips the unit that lowers the energy most (ties:
/// the lowest index) until no flip lowers it. Active units are spins s_i of +1 and silent ones -1. Only about 3 % of an
/// episode's units are active, so all overlaps x_k s are nearly equal. The memory therefore uses overlaps relative to
/// the silent state:
///     r_k = sum over the active units i of x_ki = (active units in episode k) - (active units not in it)
/// Unrectified polynomials do not work here: with r^2 an episode without common units is as near as a matching one.
/// Sums below 1e-12 of the sum of magnitudes count as zero.
/// Energy   E = -sum_k d_k F(r_k) with the normalised weights d_k. For the exponential, which may exceed the range of
///          double, E and the costs are in the logarithm, -log(sum_k d_k F(r_k)) / beta, which has the same order
/// Shapes   episodes (k, n), an entry marks an active unit (values are ignored); weights (k) >= 0; cue (n), the cue's
///          units have entries above 0 and occur in an episode; without such units the recall is empty
/// Ranges   n in [1, 30], beta in (0, 100], max_changes >= 1; positive sum of weights. The silent state has r_k = 0 for
///          all k, so with k episodes the exponential forgets a cue of one unit unless e^beta is about k
/// Errors   std::invalid_argument outside these ranges
/// Cost     O(entries + n) a change; deterministic
/// Source   Krotov and Hopfield 2016; Demircigil et al. 2017 (exponential)
DenseEpisodesRecall recall_dense_episodes(const SparseRows& episodes, const Vector& weights,
                                          const Vector& cue, const DenseEpisodesOptions& options = {});

/// Options of recall_continuous().
struct ContinuousMemoryOptions {
  unsigned power = 1;        // g(r) = r^power; 1: the classical network with continuous units
  double inner_beta = 0;     // if above 0: g(r) = e^(inner_beta r) instead of a power
  double beta = 1;           // slope of tanh
  double step = 1;           // time step, in (0, 1]
  int max_steps = 100;       // chosen, as for other memories
  double tolerance = 1e-12;  // for convergence: largest change of a component of q in a step
  bool every_step = false;   // take max_steps steps even after convergence
};

/// The final state of a continuous recall and its history.
struct ContinuousMemoryRecall {
  Vector state;                  // q
  std::vector<Vector> iterates;  // q after each step
  std::vector<double> energies;  // energy of the cue (infinite outside [-1, 1]^d), then after each step
  bool converged = false;        // the last step changed no component by more than the tolerance
};

/// Recall of continuous units q in [-1, 1]^d from q = cue. X has the patterns as rows, g is a function of the overlaps
/// X q, and u are the inner states of the units:
///     u' = -u + X' g(X q),   q = tanh(beta u)
/// With steps of 1 the update is q <- tanh(beta X' g(X q)).
/// Energy   E = -sum_k G(x_k q) + (1/beta) sum_i ((1 + q_i) log(1 + q_i) + (1 - q_i) log(1 - q_i)) / 2,
///          where G' = g.
///          If g is increasing (odd powers, exponentials), G is convex and a step of 1 minimises an upper bound on E
///          (CCCP), so E never rises. The continuous-time flow and small steps lower E as well
/// Shapes   X (k, d), k >= 1; cue (d)
/// Ranges   a step of less than 1 needs a cue in (-1, 1)^d, because it starts at u = artanh(cue) / beta
/// Errors   std::invalid_argument if shapes do not fit, a number is not finite or an option out of range
/// Cost     O(k d) a step; deterministic. Sums beyond the range of double saturate the units
/// Source   Hopfield 1984 (graded response); Krotov and Hopfield 2016, 2021 (steeper g)
ContinuousMemoryRecall recall_continuous(const Matrix& patterns, const Vector& cue,
                                         const ContinuousMemoryOptions& options);

}  // namespace engram::core
