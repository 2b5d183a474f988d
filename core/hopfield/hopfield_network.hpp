// SPDX-License-Identifier: MIT
// The dynamics of a classical Hopfield network: n spins s_i of +1 or -1, coupled by a dense matrix W and in
// an external field b (none: 0). The local field of spin i is h_i = sum_j W_ij s_j + b_i, the energy E = -1/2
// s' W s - b s. A field of magnitude 1e-12 or less (core/hopfield/hopfield.hpp) counts as zero.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/hopfield/hopfield.hpp"
#include "core/numbers/names.hpp"

namespace engram::core {

/// What a spin in a zero field does: it keeps its state, or becomes +1 or -1. Packages differ, so it is said.
enum class ZeroField : std::uint8_t { keep, plus, minus };
inline constexpr std::array<NamedValue<ZeroField>, 3> zero_field_rules{
    {{ZeroField::keep, "keep"}, {ZeroField::plus, "plus"}, {ZeroField::minus, "minus"}}};

/// In which order spins move, in which field, and how long.
struct HopfieldOptions {
  int max_sweeps = 100;              // chosen: a recall below capacity takes two or three
  std::vector<std::uint32_t> order;  // of the spins within a sweep; empty: 0, 1, 2, ...
  int observations_per_sweep = 1;
  Vector field = {};  // b, external; empty: none
  ZeroField at_zero = ZeroField::keep;
};

/// A recall of a classical network: where it ended, and how it came there.
struct HopfieldRecall {
  Vector state;
  std::vector<double> energies;  // of the cue, then at each observation
  std::vector<int> flips;        // per sweep
  bool converged = false;        // a sweep changed nothing: a fixed point
  int period = 0;                // of synchronous recall: sweeps from a state to itself; 0: none came twice
};

/// Called at each observation with the state then.
using StateObserver = std::function<void(const Vector& state)>;

/// Asynchronous recall: s_i <- sign(h_i), one spin at a time, until a sweep changes nothing. With a symmetric
/// W and W_ii >= 0 the energy never rises, and with the rule `keep` the recall therefore ends.
/// Shapes   W (n, n), cue (n) of +1 and -1
/// Errors   std::invalid_argument if shapes do not fit, the order is no permutation, a spin is not +1 or -1,
///          or a weight or field is not finite
/// Cost     O(n^2) a sweep; deterministic
/// Source   Hopfield 1982
HopfieldRecall recall_hopfield(const Matrix& weights, const Vector& cue, const HopfieldOptions& options = {},
                               const StateObserver& observer = {});

/// Synchronous recall: s <- sign(W s + b), all spins at once, until a state comes a second time. With a
/// symmetric W (and no zero fields) that is a fixed point, period 1, or one of two states that alternate,
/// period 2; with an asymmetric one cycles may be longer. `order` and observations are not its own.
/// Shapes, errors and cost as above; the states met are kept, n bits a sweep
/// Source   Little 1974; Goles, Fogelman and Pellegrin 1985 (periods)
HopfieldRecall recall_synchronous(const Matrix& weights, const Vector& cue,
                                  const HopfieldOptions& options = {});

/// The random part of Glauber dynamics, drawn by the caller: at step t it is the turn of spin sites[t].
struct GlauberDraws {
  double temperature = 1;
  std::vector<std::uint32_t> sites;
  Vector uniforms;  // in [0, 1), one a step
};

/// Where the spins ended, and how they came there.
struct GlauberRecall {
  Vector state;
  std::vector<double> energies;  // of the cue, then after each step
  std::vector<int> flips;        // per step: 1 where the spin changed
  Vector p_plus;                 // per step: the probability of +1
};

/// Glauber dynamics: at step t spin i = sites[t] becomes +1 if uniforms[t] < 1/(1 + exp(-2 h_i/T)), else -1.
/// In the long run states come with probability ~ exp(-E/T) if W is symmetric with a zero diagonal; T -> 0 is
/// asynchronous recall. A zero field leaves it to the draw, p = 1/2.
/// Shapes   W (n, n), cue (n) of +1 and -1, field (n) or empty
/// Errors   std::invalid_argument as above, and if T <= 0, a site is none of the spins, or a uniform number
///          is outside [0, 1)
/// Cost     O(n) a step and O(n^2) a flip, for the energy afresh; deterministic given the draws
/// Source   Glauber 1963
GlauberRecall recall_glauber(const Matrix& weights, const Vector& cue, const GlauberDraws& draws,
                             const Vector& field = {});

/// m_k = x_k s / n, in [-1, 1]: 1 where the state is the pattern, -1 where it is its opposite.
/// Shapes   patterns (k, n), state (n) -> (k)
Vector overlaps(const Matrix& patterns, const Vector& state);

/// The order in which a sweep visits n spins: the one given or, if that is empty, 0, 1, 2, ...
/// Errors   std::invalid_argument unless it names every spin once
std::vector<std::uint32_t> sweep_order(const std::vector<std::uint32_t>& given, Index n);

/// The sign of a field; of one that counts as zero, what the rule says.
double next_spin(double field, double spin, ZeroField at_zero);

/// 1/(1 + exp(-2 h/T)); 1/2 for a field that counts as zero.
double probability_of_plus(double field, double temperature);

/// Throws std::invalid_argument as recall_glauber does; else the number of steps.
std::size_t require_draws(const GlauberDraws& draws, Index spins);

/// Throws std::invalid_argument unless every entry is +1 or -1.
void require_spins(const Vector& state);

}  // namespace engram::core
