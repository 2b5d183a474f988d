// SPDX-License-Identifier: MIT
// Result of a recall: scores of concepts and statements for a cue, with certificates and error bounds. Also functions
// that derive one kind of scores from the other.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/index/memory_index.hpp"

namespace engram::core {

/// Certificate of one step of attention: whether it returns a single pattern exactly (with the map `budget`: k whole
/// patterns). The certificate is known before the step. If beta, the inverse temperature, times the gap is at least the
/// margin of the map, the best weight is 1 and all others are 0. With softmax this happens only if there is one
/// pattern.
/// Source  Santos et al. 2024; margins of Blondel, Martins and Niculae 2020
struct RetrievalCertificate {
  /// Largest similarity minus the next (`budget`: k-th minus the next); infinite if there is no next.
  double gap = 0;
  double margin = 0;  // gap from which on the map is exact, see core/maps/simplex_map.hpp
  bool exact = false;
  double beta = 0;  // inverse temperature of the step
};

/// Error bounds of a recall by a local method, which skips part of the memory. The reference is the method that reads
/// the whole memory.
struct LeftOut {
  /// For methods that score statements: upper bound on the exact score of any statement without a score. For methods
  /// that score concepts: the total weight that is missing from the weights, whose exact sum is 1.
  double weight = 0;
  /// Size of the longest prefix of the ranking that is certainly the exact method's, as a set.
  std::size_t certain = 0;
};

/// Returns how many of the best items are certainly right: the largest j for which the j best scores certainly exceed
/// all others. `bounds` has a lower and an upper bound on the exact score of each item in `scores`; an item without a
/// score has at most `beyond`.  Cost  O(n log n)
std::size_t certain_best(const std::vector<SparseVector::Entry>& scores,
                         const std::vector<std::pair<double, double>>& bounds, double beyond);

/// Result of a recall: scores of n concepts and p statements. All methods fill both rankings, so that comparisons
/// favour none.
struct Recall {
  SparseVector concepts;    // (n) activations >= 0
  SparseVector statements;  // (p) scores >= 0
  /// Energy of the cue, then after each iteration; empty for methods without an energy.
  std::vector<double> energies;
  int iterations = 0;
  bool converged = true;
  /// Certificate that the first step is exact, for methods whose scores are the weights of a simplex map.
  std::optional<RetrievalCertificate> certificate;
  /// Period of the dynamics, for networks whose binary units are all updated at once: 1 for a fixed point, 2 if two
  /// states alternate, 0 otherwise.
  std::optional<int> period;
  /// Stability of each unit (n), for networks of binary units: the rise in energy if the unit were turned off, divided
  /// by the largest such rise; 0 for inactive units.
  Vector depths = {};
  /// Whether the scores are calibrated: a set of statements contains no whole proof with a probability of at most the
  /// largest score outside the set.
  bool promises = false;
  /// Error bounds, for local methods that approximate another method.
  std::optional<LeftOut> left_out = {};
  /// Warning for the user, for example that a search reached its limit; usually empty.
  std::string note = {};
};

/// Default bound on the probability that the selected statements contain no whole proof, for recalls with calibrated
/// scores (Recall::promises). Chosen by convention.
inline constexpr double default_doubt = 0.05;

/// Makes a recall with score 0 for all concepts and statements.
inline Recall no_recall(const MemoryIndex& memory) {
  Recall nothing;
  nothing.concepts = SparseVector::zero(memory.concepts());
  nothing.statements = SparseVector::zero(memory.statements());
  return nothing;
}

/// Makes a recall from scores of statements. Use it in methods that rank statements. The activation of a concept is the
/// share of the total score that lies on statements which mention the concept.
Recall from_statements(const MemoryIndex& memory, SparseVector statements);
/// Makes a recall from activations of concepts. Use it in methods that rank concepts. The score of a statement is its
/// cosine with the activations, both weighted by idf.
Recall from_concepts(const MemoryIndex& memory, SparseVector concepts);

}  // namespace engram::core
