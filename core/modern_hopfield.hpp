// SPDX-License-Identifier: MIT
// Modern Hopfield networks and their sparse kin: associative memories whose update is attention.
#pragma once

#include <functional>
#include <vector>

#include "core/simplex_map.hpp"
#include "core/sparse_rows.hpp"

namespace engram::core {

struct ModernHopfieldOptions {
  double beta = 8.0;  // inverse temperature; chosen, not derived: separates unit-norm patterns well
  Regulariser map = SimplexMap::softmax;
  int max_steps = 100;       // chosen: usual cases settle within ten
  double tolerance = 1e-12;  // on the largest change of a component of the state
};

struct ModernRecall {
  Vector state;                  // xi after the last step
  Vector weights;                // p of the last step
  std::vector<double> energies;  // of the cue, then after each step; never rising
  int iterations = 0;
  bool converged = false;
};

/// Called with the state and its weights after each step.
using StepObserver = std::function<void(const Vector& state, const Vector& weights)>;

/// Iterates  xi <- b + X' p(beta X xi)  from xi = cue until it stands still, where b is an external field
/// (none: 0). With softmax and one step this is attention with Q = cue, K = V = X, scale beta.
/// Energy   E = -Omega*(beta X xi)/beta - Omega(1/k)/beta + |xi|^2/2 + M^2/2 - b xi,  M the largest norm of
///          a row (k times that for a budget of k), so that E >= 0 without a field; a difference of convex
///          functions that every step decreases (CCCP)
/// Shapes   X (k, d), k >= 1; cue and field (d)
/// Errors   std::invalid_argument if shapes do not fit, beta <= 0 or max_steps < 1
/// Cost     O(entries of X) a step; deterministic
/// Source   Ramsauer et al. 2021 (softmax); Santos et al. 2024, "Hopfield-Fenchel-Young" (other maps)
ModernRecall recall_modern(const Matrix& patterns, const Vector& cue, const ModernHopfieldOptions& options,
                           const Vector& field = {}, const StepObserver& observer = {});
ModernRecall recall_modern(const SparseRows& patterns, const Vector& cue,
                           const ModernHopfieldOptions& options, const Vector& field = {},
                           const StepObserver& observer = {});

}  // namespace engram::core
