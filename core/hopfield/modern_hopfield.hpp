// SPDX-License-Identifier: MIT
// Modern Hopfield networks: associative memories whose update is an attention step. There are versions for dense
// patterns, for sparse patterns, and in single precision for very many patterns.
#pragma once

#include <functional>
#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/methods/recall.hpp"
#include "core/numbers/separation.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/single_precision/float_attention.hpp"

namespace engram::core {

/// Options of recall_modern().
struct ModernHopfieldOptions {
  double beta = 8.0;  // inverse temperature; chosen: separates patterns of length 1 well
  Regulariser map = SimplexMap::softmax;
  int max_steps = 100;       // chosen: most recalls converge within ten
  double tolerance = 1e-12;  // for convergence: largest change of a component of the state in a step
  bool every_step = false;   // take max_steps steps even after convergence
};

/// Returns the certificate of one step from a state with these similarities to the patterns: whether the step returns
/// a single pattern exactly, as the gap between the best similarities and `map`'s margin show.
RetrievalCertificate certify_retrieval(const Regulariser& map, const Vector& similarity, double beta);

/// Computes the inverse temperature beta from which on a typical one of k >= 1 patterns of length 1 (k is `patterns`)
/// can be retrieved. Delta (`separation`) is the typical separation of a pattern from the others (see
/// median_separation()). For softmax, the result is the least beta (above the first zero) with
///     Delta >= 2 / (beta k) + ln(2 (k-1) k beta) / beta,     k at least 2.
/// By theory a pattern then has its own fixed point near it, and one step from nearby reaches it up to an exponentially
/// small error. This beta grows with log k. For other maps it is margin / Delta, from which on retrieval is exact, but
/// at most the value for softmax. For argmax, which ignores beta, it is 1 / Delta.
/// Errors   std::invalid_argument unless separation is in (0, 2]
/// Source   Ramsauer et al. 2021 (well separated patterns, with the largest norm M = 1); Santos et al. 2024 (margins)
double separating_beta(const Regulariser& map, Index patterns, double separation);

/// The final state of a recall and its history.
struct ModernRecall {
  Vector state;                  // state xi after the last step
  Vector weights;                // weights p of the patterns in the last step
  std::vector<double> energies;  // energy of the cue, then after each step; never rising
  int iterations = 0;
  bool converged = false;            // the last step changed no component by more than the tolerance
  RetrievalCertificate certificate;  // of the cue
};

/// Function that a recall calls with the state and its weights after each step.
using StepObserver = std::function<void(const Vector& state, const Vector& weights)>;

/// Recall of a stored pattern from a cue: iterates  xi <- b + X' p(beta X xi)  from the state xi = cue until
/// convergence. The rows of X are the patterns, p is the map from scores to weights, beta the inverse temperature and b
/// an external field (default 0). With softmax and one step this is attention with Q = cue, K = V = X, scale beta.
/// Energy   E = -Omega*(beta X xi)/beta - Omega(1/k)/beta + |xi|^2/2 + M^2/2 - b xi,  with the map's regulariser
///          Omega, its conjugate Omega* (core/maps/simplex_map.hpp) and the largest norm M of a row (k times that for
///          a budget of k). Without a field E >= 0. E is a difference of convex functions, and every step decreases it
///          (CCCP)
/// Shapes   X (k, d), k >= 1; cue and field (d)
/// Errors   std::invalid_argument if shapes do not fit, beta <= 0 or max_steps < 1
/// Cost     O(entries of X) a step; deterministic
/// Source   Ramsauer et al. 2021 (softmax); Santos et al. 2024, "Hopfield-Fenchel-Young" (other maps)
ModernRecall recall_modern(const Matrix& patterns, const Vector& cue, const ModernHopfieldOptions& options,
                           const Vector& field = {}, const StepObserver& observer = {});
ModernRecall recall_modern(const SparseRows& patterns, const Vector& cue,
                           const ModernHopfieldOptions& options, const Vector& field = {},
                           const StepObserver& observer = {});

/// Result of modern_step(): one step of a modern Hopfield network in single precision, from a state xi with patterns X
/// and map p.
struct FloatStep {
  Vector state;                      // X' p(beta X xi)
  double value;                      // beta^-1 Omega*(beta X xi), a term of the energy
  RetrievalCertificate certificate;  // of xi, from the rounded scores
};

/// One step of a modern Hopfield network from a state xi, in single precision. Each block of patterns is scored and
/// weighed while it is in the cache, so a step reads the patterns once. All processors and numbers of threads give the
/// same bits. Scores are computed as in core/single_precision/float_attention.hpp. For softmax, 16 partial sums
/// relative to the largest score so far are accumulated in floats over a span of 16 blocks. (A block has 256 patterns,
/// or fewer if they are wide.) Spans are added in order in double.
/// Shapes   patterns X (k, d), k >= 1; xi (d) -> (d)
/// Ranges   the error of the new state is at most that of attend() with X as keys and values
/// Errors   std::invalid_argument if shapes do not fit, there are no patterns, a number is not finite, beta <= 0,
///          beta log2(e) sum_j |xi_j X_ij| may exceed 2^120, or a map's alpha or k is out of range
/// Cost     O(k d); memory for at most k / 1024 answers, and for a sparse map as in attend()
FloatStep modern_step(const PackedKeys& patterns, const Vector& state, double beta,
                      const Regulariser& map = SimplexMap::softmax, const FloatOptions& how = {});

/// The final state of a recall in single precision and its history.
struct FloatRecall {
  Vector state;                  // state after the last step
  std::vector<double> energies;  // energy before each step, starting with the cue
  int iterations = 0;
  bool converged = false;
  RetrievalCertificate certificate;  // of the cue
};

/// Recall from very many patterns, like recall_modern() in double but with modern_step(). The tolerance is at least
/// 2^-20 times the largest stored number, because smaller changes are rounding errors.
/// Cost     reads the patterns once per step
FloatRecall recall_modern(const PackedKeys& patterns, const Vector& cue, const ModernHopfieldOptions& options,
                          const Vector& field = {}, const FloatOptions& how = {});

}  // namespace engram::core
