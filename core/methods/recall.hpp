// SPDX-License-Identifier: MIT
// Results of retrieval: what a method returns for a cue, and how concept and statement scores follow from each other.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/index/memory_index.hpp"

namespace engram::core {

/// Whether one step of attention returns a single pattern exactly (with `budget`: k whole patterns). The certificate is
/// known before the step is taken: if beta times the gap is at least the map's margin, the best weight is 1 and all
/// others are 0. With softmax this happens only if there is one pattern.
/// Source  Santos et al. 2024; margins of Blondel, Martins and Niculae 2020
struct RetrievalCertificate {
  double gap =
      0;  // largest similarity minus the next (budget: k-th minus the next); infinite if there is no next
  double margin = 0;  // of the map, see core/maps/simplex_map.hpp
  bool exact = false;
  double beta = 0;
};

/// Error bounds of a local method, which skips part of the memory, relative to the method that reads all of it.
struct LeftOut {
  /// For methods that score statements: upper bound of the score of any statement that got none. For methods that score
  /// concepts: the total weight that is missing from the weights, whose exact sum is 1.
  double weight = 0;
  std::size_t certain = 0;  // number of best items that are certainly the exact method's best, as a set
};

/// Returns the largest j for which the j best scores certainly exceed all others. Each exact score is between the two
/// bounds of its item; an item without a score has at most `beyond`.  Cost  O(n log n)
std::size_t certain_best(const std::vector<SparseVector::Entry>& scores,
                         const std::vector<std::pair<double, double>>& bounds, double beyond);

/// Result of a recall. All methods fill both rankings, so that comparisons favour none.
struct Recall {
  SparseVector concepts;         // (n) activations >= 0
  SparseVector statements;       // (p) scores >= 0
  std::vector<double> energies;  // of the cue, then after each iteration; empty for methods without an energy
  int iterations = 0;
  bool converged = true;
  /// Certificate of the first step, for methods whose scores are the weights of a simplex map.
  std::optional<RetrievalCertificate> certificate;
  /// Period of synchronous spin dynamics: 1 for a fixed point, 2 if two states alternate, 0 otherwise.
  std::optional<int> period;
  /// Stability of each unit (n), for networks of binary units: the rise in energy if the unit were turned off, divided
  /// by the largest such rise; 0 for inactive units.
  Vector depths = {};
  /// Whether the scores are calibrated: a set of statements misses a whole proof with a probability of at most the
  /// largest score outside the set.
  bool promises = false;
  /// Error bounds, for local methods that approximate another method.
  std::optional<LeftOut> left_out = {};
  /// Warning for the user, for example that a search reached its limit; usually empty.
  std::string note = {};
};

/// Default bound on the probability of missing a whole proof, for recalls that promise one. Chosen by convention.
inline constexpr double default_doubt = 0.05;

/// A recall with all scores 0.
inline Recall no_recall(const MemoryIndex& memory) {
  Recall nothing;
  nothing.concepts = SparseVector::zero(memory.concepts());
  nothing.statements = SparseVector::zero(memory.statements());
  return nothing;
}

/// Builds a recall from statement scores. A concept's activation is the share of the total score that lies on
/// statements which mention it.
Recall from_statements(const MemoryIndex& memory, SparseVector statements);
/// Builds a recall from concept activations. A statement's score is its cosine with the activations.
Recall from_concepts(const MemoryIndex& memory, SparseVector concepts);

}  // namespace engram::core
