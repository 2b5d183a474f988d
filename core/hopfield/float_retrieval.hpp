// SPDX-License-Identifier: MIT
// Modern Hopfield retrieval from very many patterns in single precision. Keys and values are the same here,
// so a step reads the patterns once: a block of them is scored and, still in the cache, weighed.
#pragma once

#include <vector>

#include "core/hopfield/modern_hopfield.hpp"
#include "core/single_precision/float_attention.hpp"

namespace engram::core {

/// A step from one state to the next.
struct FloatStep {
  Vector state;                      // X' p(beta X xi)
  double value;                      // beta^-1 Omega*(beta X xi), of which the energy is made
  RetrievalCertificate certificate;  // of xi, from the scores as rounded
};

/// One step from a state xi. The bits are the same for every number of threads and all instructions: scores
/// are those of core/single_precision/float_attention.hpp; for softmax, 16 parts of each sum are added up in
/// floats over a span of 16 blocks (of 256 patterns; wide ones: fewer), by powers of two of the differences
/// to the largest score so far, then the spans in their order, in double.
/// Shapes   X (k, d), k >= 1; xi (d) -> (d)
/// Ranges   the state differs from exact arithmetic's by no more than attend()'s answer with values X
/// Errors   std::invalid_argument if shapes do not fit, there is no pattern, a number is not finite,
///          beta <= 0, beta log2(e) sum_j |xi_j X_ij| may exceed 2^120, or a map's alpha or k is out of range
/// Cost     O(k d); memory for k / 1024 answers or fewer, and for a sparse map as in attend()
FloatStep modern_step(const PackedKeys& patterns, const Vector& state, double beta,
                      const Regulariser& map = SimplexMap::softmax, const FloatOptions& how = {});

/// Where a recall ended, and how it came there.
struct FloatRecall {
  Vector state;                  // after the last step
  std::vector<double> energies;  // of each state from which a step was taken, the cue's first
  int iterations = 0;
  bool converged = false;
  RetrievalCertificate certificate;  // of the cue
};

/// recall_modern of core/hopfield/modern_hopfield.hpp, its energy, field and options, by the steps above. Two
/// states count as the same if no component differs by more than the tolerance or 2^-20 times the largest
/// number stored, whichever is more: with less, states would be compared by their rounding.
/// Cost     patterns are read once a step, and at no other time
FloatRecall recall_modern(const PackedKeys& patterns, const Vector& cue, const ModernHopfieldOptions& options,
                          const Vector& field = {}, const FloatOptions& how = {});

}  // namespace engram::core
