// SPDX-License-Identifier: MIT
// The classical network under Hebb's rule, W = X'X/N without its diagonal, from its patterns alone: W is
// never formed, and a spin costs P instead of N. Local fields times N are whole numbers, so sums are exact in
// any order and every step is that of core::recall_hopfield and core::recall_glauber on W, as the tests
// check.
#pragma once

#include "experiments/inputs/random_cases.hpp"

namespace engram::experiments {

class PatternNetwork {
 public:
  /// Shapes  patterns (P, N) of +1 and -1
  explicit PatternNetwork(const core::Matrix& patterns);

  core::Index spins() const { return by_spin_.rows(); }
  core::Index patterns() const { return by_spin_.cols(); }

  /// Sets the state.   Shapes  (N) of +1 and -1
  void start(const core::Vector& state);
  const core::Vector& state() const { return state_; }
  /// N h_i.
  double field(core::Index spin) const;
  /// -1/2 s'Ws.
  double energy() const;
  /// x_k s / N.
  double overlap(core::Index pattern) const;

  /// One asynchronous sweep 0, 1, ... without noise, a spin in a zero field keeping its state; the flips.
  int sweep();
  /// Sweeps until one changes nothing, at most `most`.
  void settle(int most = 100);
  /// One spin at temperature T: +1 if the uniform number is below 1/(1 + exp(-2 h/T)).
  void glauber(core::Index spin, double temperature, double uniform);
  /// `sweeps` times N such steps at random spins.
  void glauber_sweeps(core::Rng& rng, double temperature, int sweeps);

 private:
  void flip(core::Index spin);

  core::Matrix by_spin_;  // (N, P)
  core::Vector state_;    // (N)
  core::Vector sums_;     // (P): x_k s
};

}  // namespace engram::experiments
