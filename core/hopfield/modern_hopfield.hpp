// SPDX-License-Identifier: MIT
// Modern Hopfield networks and their sparse kin: associative memories whose update is attention.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/numbers/sparse_rows.hpp"

namespace engram::core {

/// How sharply patterns are told apart, and how long a recall goes on.
struct ModernHopfieldOptions {
  double beta = 8.0;  // inverse temperature; chosen, not derived: separates unit-norm patterns well
  Regulariser map = SimplexMap::softmax;
  int max_steps = 100;       // chosen: usual cases settle within ten
  double tolerance = 1e-12;  // on the largest change of a component of the state
  bool every_step = false;   // take max_steps steps even where the state stands still
};

/// Whether one step gives a pattern exactly (for a budget: k whole patterns), told before it is taken: where
/// beta times the gap is at least the map's margin, p is 1 there and 0 elsewhere (a field is added to the
/// pattern). Softmax never gives a pattern exactly, unless there is only one.
/// Source  Santos et al. 2024; margins of Blondel, Martins and Niculae 2020
struct RetrievalCertificate {
  double gap = 0;  // of the largest similarity to the next (budget: of the k-th to the next); infinite: none
  double margin = 0;  // core/maps/simplex_map.hpp
  bool exact = false;
  double beta = 0;
};
RetrievalCertificate certify_retrieval(const Regulariser& map, const Vector& similarity, double beta);

/// Errors   std::invalid_argument unless beta > 0 and finite, max_steps >= 1
void check(const ModernHopfieldOptions& options);
/// The part of the energy (below) that no state changes, of `count` patterns, the longest of which has that
/// square.
double energy_constant(const ModernHopfieldOptions& options, Index count, double largest_square);

/// How far apart patterns of length 1 are: the median of
///     Delta_i = 1 - max_j x_i x_j     over the x_j that are no copies of x_i (x_i x_j < 1 - 1e-9),
/// taken of 64 patterns that are spread evenly over all (chosen: the median of all is within some hundredths),
/// those without entries left out; 1 where none has another that overlaps with it.
/// Shapes   patterns (k, d), transposed (d, k), entries >= 0
/// Cost     O(entries of the columns that those patterns have), 64 times at most
double median_separation(const SparseRows& patterns, const SparseRows& transposed);
/// The same of dense ones, entries of any sign; no overlap is taken for less than 0.  Cost  O(64 k d) at most
double median_separation(const Matrix& patterns);
/// The same of so many patterns, where Delta_i is worked out elsewhere: nothing for one that is left out.
double median_separation(Index patterns, const std::function<std::optional<double>(Index)>& separation);
/// The nearest so far and one overlap more: the greater, but for copies.
double nearest_but_copies(double nearest, double overlap);

/// The beta from which on a typical one of k >= 1 patterns of length 1, Delta apart from the others, is
/// retrieved. Softmax: the least (above its first zero) with
///     Delta >= 2 / (beta k) + ln(2 (k-1) k beta) / beta,
/// where theory tells of a fixed point of its own, near it, to which one step leads from near by with an error
/// that is exponentially small; k at least 2. So it grows with the logarithm of the number of patterns. Other
/// maps: margin / Delta, from where on a pattern is retrieved exactly, but no more than softmax has; 1 / Delta
/// for argmax, to which all are alike.
/// Errors   std::invalid_argument unless separation is in (0, 2]
/// Source   Ramsauer et al. 2021 (well separated patterns, with the largest norm M = 1); Santos et al. 2024
///          (margins)
double separating_beta(const Regulariser& map, Index patterns, double separation);

/// A recall of a modern network: where it ended, and how it came there.
struct ModernRecall {
  Vector state;                  // xi after the last step
  Vector weights;                // p of the last step
  std::vector<double> energies;  // of the cue, then after each step; never rising
  int iterations = 0;
  bool converged = false;            // the last step changed no component by more than the tolerance
  RetrievalCertificate certificate;  // of the cue
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
