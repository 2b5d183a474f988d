// SPDX-License-Identifier: MIT
// Classical Hopfield networks: dynamics of n spins s_i of +1 or -1 with a dense coupling matrix W and an external field
// b (default 0), and networks of 0/1 units with sparse couplings and recall by k winners.
//
// The local field of spin i is h_i = sum_j W_ij s_j + b_i, and the energy is E = -1/2 s' W s - b s. A field of
// magnitude 1e-12 or less counts as zero.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/numbers/names.hpp"
#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// Largest magnitude of a local field that counts as zero.
inline constexpr double zero_field = 1e-12;

/// The energy E = -1/2 s' W s - b s.
/// Shapes   W (n, n), s (n), b (n) or empty
double hopfield_energy(const Matrix& weights, const Vector& state, const Vector& field = {});

/// The next state of a spin in a zero field: unchanged, +1 or -1. Software packages differ in this rule.
enum class ZeroField : std::uint8_t { keep, plus, minus };
inline constexpr std::array<NamedValue<ZeroField>, 3> zero_field_rules{
    {{ZeroField::keep, "keep"}, {ZeroField::plus, "plus"}, {ZeroField::minus, "minus"}}};

/// Order, external field and limits of a recall.
struct HopfieldOptions {
  int max_sweeps = 100;              // chosen: a recall below capacity takes two or three
  std::vector<std::uint32_t> order;  // of the spins within a sweep; empty: 0, 1, 2, ...
  int observations_per_sweep = 1;
  Vector field = {};  // b, external; empty: none
  ZeroField at_zero = ZeroField::keep;
};

/// The final state of a recall and its history.
struct HopfieldRecall {
  Vector state;
  std::vector<double> energies;  // of the cue, then at each observation
  std::vector<int> flips;        // per sweep
  bool converged = false;        // the last sweep changed nothing: a fixed point
  int period = 0;  // of synchronous recall: sweeps from a state to its first repetition; 0: no repetition
};

/// Called with the state at each observation.
using StateObserver = std::function<void(const Vector& state)>;

/// Asynchronous recall: s_i <- sign(h_i), one spin at a time, until a sweep changes nothing. With symmetric W and
/// W_ii >= 0 the energy never rises, so with the rule `keep` the recall terminates.
/// Shapes   W (n, n), cue (n) of +1 and -1
/// Errors   std::invalid_argument if shapes do not fit, the order is not a permutation, a spin is not +1 or -1, or a
///          weight or field is not finite
/// Cost     O(n^2) a sweep; deterministic
/// Source   Hopfield 1982
HopfieldRecall recall_hopfield(const Matrix& weights, const Vector& cue, const HopfieldOptions& options = {},
                               const StateObserver& observer = {});

/// Synchronous recall: s <- sign(W s + b), all spins at once, until a state repeats. With symmetric W (and no zero
/// fields) the result is a fixed point, period 1, or two alternating states, period 2. With asymmetric W, cycles can be
/// longer. Ignores `order` and the number of observations.
/// Shapes, errors and cost as above; all states are stored, n bits per sweep
/// Source   Little 1974; Goles, Fogelman and Pellegrin 1985 (periods)
HopfieldRecall recall_synchronous(const Matrix& weights, const Vector& cue,
                                  const HopfieldOptions& options = {});

/// The random numbers of Glauber dynamics, drawn by the caller. Step t updates spin sites[t].
struct GlauberDraws {
  double temperature = 1;
  std::vector<std::uint32_t> sites;
  Vector uniforms;  // in [0, 1), one per step
};

/// The final state of Glauber dynamics and its history.
struct GlauberRecall {
  Vector state;
  std::vector<double> energies;  // of the cue, then after each step
  std::vector<int> flips;        // per step: 1 if the spin changed
  Vector p_plus;                 // per step: the probability of +1
};

/// Glauber dynamics: at step t spin i = sites[t] becomes +1 if uniforms[t] < 1/(1 + exp(-2 h_i/T)), else -1. If W is
/// symmetric with a zero diagonal, the stationary distribution is proportional to exp(-E/T). For T -> 0 it becomes
/// asynchronous recall, except that a spin in a zero field is drawn with p = 1/2.
/// Shapes   W (n, n), cue (n) of +1 and -1, field (n) or empty
/// Errors   std::invalid_argument as above, and if T <= 0, a site is out of range, or a uniform number is outside [0,
///          1)
/// Cost     O(n) a step, and O(n^2) a flip for the new energy; deterministic for given draws
/// Source   Glauber 1963
GlauberRecall recall_glauber(const Matrix& weights, const Vector& cue, const GlauberDraws& draws,
                             const Vector& field = {});

/// Overlaps m_k = x_k s / n, in [-1, 1]: 1 if the state is the pattern, -1 if it is the inverted pattern.
/// Shapes   patterns (k, n), state (n) -> (k)
Vector overlaps(const Matrix& patterns, const Vector& state);

/// The order of spins within a sweep: `given`, or 0, 1, 2, ... if that is empty.
/// Errors   std::invalid_argument unless it is a permutation
std::vector<std::uint32_t> sweep_order(const std::vector<std::uint32_t>& given, Index n);

/// The state of a spin after an update in a field.
double next_spin(double field, double spin, ZeroField at_zero);

/// 1/(1 + exp(-2 h/T)); 1/2 for a zero field.
double probability_of_plus(double field, double temperature);

/// Errors   std::invalid_argument as recall_glauber
void require_draws(const GlauberDraws& draws, Index spins);

/// Errors   std::invalid_argument unless all entries are +1 or -1
void require_spins(const Vector& state);

/// Couplings of a network of 0/1 units, learnt from sparse episodes:
///     W_ij = g_i g_j (C_ij - a_i a_j) for i != j, and 0 on the diagonal.
/// C_ij is the share of episodes with both i and j active, a_i the share with i active. Sparse patterns can only be
/// stored if a_i a_j is subtracted (covariance): with plain 0/1 or +1/-1 Hebbian weights the frequent units dominate.
/// The subtracted matrix has rank one, so W is stored sparsely and exactly.
/// Source  Tsodyks and Feigelman 1988
struct SparseCouplings {
  SparseRows together;  // C (n, n), symmetric, zero diagonal
  Vector activity;      // a (n), in [0, 1]; units with a = 0 never become active
  Vector gain;          // g (n): 1 for covariance, 1/sqrt(a (1-a)) for correlation

  Index size() const { return activity.size(); }
  /// Whether the unit was active in any episode.
  bool may_fire(Index i) const { return activity[i] > 0; }
  /// W_ij.  Cost  O(log links of i)
  double weight(Index i, Index j) const;
  /// h = W s + b.
  Vector field(const Vector& state, const Vector& external) const;
};

/// The final state of a k-winners recall and its history.
struct WinnersRecall {
  std::vector<std::uint32_t> winners;  // ids of the active units, ascending
  Vector field;                        // h of every unit in the final state
  std::vector<double> energies;        // E = -1/2 s' W s - b s of the cue, then after each change; falling
  int changes = 0;
  bool converged = false;
};

/// Recall with at most k active units. Starts with the cue's units; if there are more than k, those in the strongest
/// fields. Each change is the one that lowers the energy most: the strongest inactive unit joins (below k), the weakest
/// winner leaves, or both. Stops if no change lowers the energy.
/// Shapes   cue (n) in [0, 1], the cue's units have entries above 0; external field b = cue_strength * cue
/// Errors   std::invalid_argument if shapes do not fit or k < 1
/// Cost     O(n + degree) a change, at most max_changes; deterministic (ties: the lower id wins)
WinnersRecall recall_winners(const SparseCouplings& couplings, const Vector& cue, Index k,
                             double cue_strength, int max_changes = 1000);

}  // namespace engram::core
