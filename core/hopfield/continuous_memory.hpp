// SPDX-License-Identifier: MIT
// A dense associative memory of continuous units: q in [-1, 1]^d, with patterns X as rows, moves by
//     u' = -u + X' g(X q),   q = tanh(beta u),
// in time or, with steps of 1, at once: q <- tanh(beta X' g(X q)). The steeper g, the more it holds.
#pragma once

#include <vector>

#include "core/numbers/shapes.hpp"

namespace engram::core {

/// How a continuous memory moves, and until when.
struct ContinuousMemoryOptions {
  unsigned power = 1;        // g(r) = r^power; 1: the classical network, its units continuous
  double inner_beta = 0;     // above 0: g(r) = e^(inner_beta r) in place of a power
  double beta = 1;           // steepness of tanh
  double step = 1;           // of time, in (0, 1]
  int max_steps = 100;       // chosen, as for other memories
  double tolerance = 1e-12;  // on the largest change of a component of q
  bool every_step = false;   // take max_steps steps even where q stands still
};

/// Where a recall ended, and how it came there.
struct ContinuousMemoryRecall {
  Vector state;                  // q
  std::vector<Vector> iterates;  // q after each step
  std::vector<double> energies;  // of the cue (infinite where that is outside [-1, 1]), then after each step
  bool converged = false;        // the last step changed no component by more than the tolerance
};

/// Recall from q = cue until it stands still.
/// Energy   E = -sum_k G(x_k q) + (1/beta) sum_i ((1 + q_i) log(1 + q_i) + (1 - q_i) log(1 - q_i)) / 2,
///          G' = g.
///          Where g rises (odd powers, exponentials) no step of 1 raises it: G is convex, so that the step
///          minimises a bound on E (CCCP); along the flow in time it falls, too, and so with small steps
/// Shapes   X (k, d), k >= 1; cue (d)
/// Ranges   a step of less than 1 needs a cue in (-1, 1), as it begins at u = artanh(cue) / beta
/// Errors   std::invalid_argument if shapes do not fit, a number is not finite or an option out of range
/// Cost     O(k d) a step; deterministic. Sums beyond the range of double saturate the units
/// Source   Hopfield 1984 (graded response); Krotov and Hopfield 2016, 2021 (steeper g)
ContinuousMemoryRecall recall_continuous(const Matrix& patterns, const Vector& cue,
                                         const ContinuousMemoryOptions& options);

}  // namespace engram::core
