// SPDX-License-Identifier: MIT
// Classical Hopfield networks: dynamics of n spins s_i of +1 or -1 with a dense matrix W of couplings and an external
// field b (default 0). Also networks of 0/1 units with sparse couplings, in which the k units in the strongest fields
// are active.
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

/// Computes the energy E = -1/2 s' W s - b s of a state s, with the couplings W (`weights`) and the external field b
/// (`field`).
/// Shapes   W (n, n), s (n), b (n) or empty
double hopfield_energy(const Matrix& weights, const Vector& state, const Vector& field = {});

/// The next state of a spin in a zero field: unchanged, +1 or -1. Software packages differ in this rule.
enum class ZeroField : std::uint8_t { keep, plus, minus };
inline constexpr std::array<NamedValue<ZeroField>, 3> zero_field_rules{
    {{ZeroField::keep, "keep"}, {ZeroField::plus, "plus"}, {ZeroField::minus, "minus"}}};

/// Options of a recall: the order in which spins are updated, the external field, and limits.
struct HopfieldOptions {
  int max_sweeps = 100;  // a sweep updates every spin; chosen: a recall below capacity takes two or three
  std::vector<std::uint32_t> order;  // order of updates in a sweep; empty: 0, 1, 2, ...
  int observations_per_sweep = 1;
  Vector field = {};  // external field b; empty: none
  ZeroField at_zero = ZeroField::keep;
};

/// The final state of a recall and its history.
struct HopfieldRecall {
  Vector state;
  std::vector<double> energies;  // energy of the cue, then at each observation
  std::vector<int> flips;        // number of flips in each sweep
  bool converged = false;        // the last sweep changed nothing: a fixed point
  int period = 0;  // of synchronous recall: sweeps from a state to its first repetition; 0: no repetition
};

/// Function that a recall calls with the state at each observation.
using StateObserver = std::function<void(const Vector& state)>;

/// Asynchronous recall from a cue: sets one spin at a time to the sign of its local field, s_i <- sign(h_i), until a
/// sweep over all spins changes nothing. With symmetric couplings W (`weights`) and W_ii >= 0 the energy never rises,
/// so with the rule `keep` the recall terminates.
/// Shapes   W (n, n), cue (n) of +1 and -1
/// Errors   std::invalid_argument if shapes do not fit, the order is not a permutation, a spin is not +1 or -1, or a
///          weight or field is not finite
/// Cost     O(n^2) a sweep; deterministic
/// Source   Hopfield 1982
HopfieldRecall recall_hopfield(const Matrix& weights, const Vector& cue, const HopfieldOptions& options = {},
                               const StateObserver& observer = {});

/// Synchronous recall from a cue: updates all spins at once, s <- sign(W s + b), until a state repeats. With symmetric
/// W (and no zero fields) the result is a fixed point, period 1, or two alternating states, period 2. With asymmetric
/// W, cycles can be longer. Ignores `order` and the number of observations.
/// Shapes, Errors, Cost  as recall_hopfield(); the function stores all states, n bits per sweep
/// Source   Little 1974; Goles, Fogelman and Pellegrin 1985 (periods)
HopfieldRecall recall_synchronous(const Matrix& weights, const Vector& cue,
                                  const HopfieldOptions& options = {});

/// The temperature and the random numbers of recall_glauber(), which the caller draws. Step t updates spin sites[t].
struct GlauberDraws {
  double temperature = 1;
  std::vector<std::uint32_t> sites;
  Vector uniforms;  // in [0, 1), one per step
};

/// The final state of Glauber dynamics and its history.
struct GlauberRecall {
  Vector state;
  std::vector<double> energies;  // energy of the cue, then after each step
  std::vector<int> flips;        // per step: 1 if the spin changed
  Vector p_plus;                 // per step: the probability of +1
};

/// Glauber dynamics, a random recall at a temperature T. At step t, spin i = sites[t] becomes +1 if uniforms[t] is
/// below probability_of_plus(h_i, T), where h_i is its local field, else -1. If W is symmetric with a zero diagonal,
/// the stationary distribution is proportional to exp(-E/T). For T -> 0 it becomes asynchronous recall, except that a
/// spin in a zero field is drawn with probability 1/2.
/// Shapes   W (n, n), cue (n) of +1 and -1, field (n) or empty
/// Errors   std::invalid_argument as recall_hopfield(), and if T <= 0, a site is out of range, or a uniform number is
///          outside [0, 1)
/// Cost     O(n) a step, and O(n^2) a flip for the new energy; deterministic for given draws
/// Source   Glauber 1963
GlauberRecall recall_glauber(const Matrix& weights, const Vector& cue, const GlauberDraws& draws,
                             const Vector& field = {});

/// Computes the overlap m_k = x_k s / n of a state s with each pattern x_k, in [-1, 1]: 1 if the state is the pattern,
/// -1 if it is the inverted pattern.
/// Shapes   patterns (k, n), state (n) -> (k)
Vector overlaps(const Matrix& patterns, const Vector& state);

/// Returns the order of spins within a sweep: `given`, or 0, 1, 2, ... if `given` is empty.
/// Errors   std::invalid_argument unless it is a permutation
std::vector<std::uint32_t> sweep_order(const std::vector<std::uint32_t>& given, Index n);

/// Returns the state of a spin after an update: the sign of its local field, or the state by the rule `at_zero` if the
/// field is zero.
double next_spin(double field, double spin, ZeroField at_zero);

/// Probability 1/(1 + exp(-2 h/T)) that Glauber dynamics sets a spin in the field h to +1; 1/2 for a zero field.
double probability_of_plus(double field, double temperature);

/// Checks the draws for a network of `spins` spins.
/// Errors   std::invalid_argument as recall_glauber()
void require_draws(const GlauberDraws& draws, Index spins);

/// Checks that a state consists of spins.
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
  /// Coupling W_ij of two units.  Cost  O(log links of i)
  double weight(Index i, Index j) const;
  /// Local fields h = W s + b of all units, with the state s and the external field b.
  Vector field(const Vector& state, const Vector& external) const;
};

/// The final state of a k-winners recall and its history.
struct WinnersRecall {
  std::vector<std::uint32_t> winners;  // ids of the active units, ascending
  Vector field;                        // local field h of every unit in the final state
  std::vector<double> energies;        // E = -1/2 s' W s - b s of the cue, then after each change; falling
  int changes = 0;
  bool converged = false;
};

/// Recall of 0/1 units with at most k active. The recall starts with the cue's units; if there are more than k, with
/// the k in the strongest fields. Each change is the one that lowers the energy most: the strongest inactive unit joins
/// (below k), the weakest winner leaves, or both. The recall stops if no change lowers the energy.
/// Shapes   cue (n) in [0, 1], the cue's units have entries above 0; external field b = cue_strength * cue
/// Errors   std::invalid_argument if shapes do not fit or k < 1
/// Cost     O(n + degree) a change, at most max_changes; deterministic (ties: the lower id wins)
WinnersRecall recall_winners(const SparseCouplings& couplings, const Vector& cue, Index k,
                             double cue_strength, int max_changes = 1000);

}  // namespace engram::core
