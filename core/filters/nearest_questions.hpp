// SPDX-License-Identifier: MIT
// Premise selection from earlier proofs: selects the statements that proved similar questions, and statements that are
// similar to the question.
#pragma once

#include "core/index/memory_index.hpp"

namespace engram::core {

/// Options of nearest_to() and relevance(). The default power and proof weight are from the paper. 40 neighbours gave
/// as many whole proofs among 18 statements of real kinship and WordNet as 160 and 1000 did, and more than 10.
struct NearestOptions {
  std::size_t neighbours = 40;  // k: the nearest statements and questions that count
  double power = 6;             // tau1: exponent of the idf in the weight of a name
  double proof_weight = 2.7;    // tau2: weight of the proofs of similar questions
};

/// Neighbours of a question: the similarity of each statement and each solved question to it; 0 for all that are not
/// among the nearest.
struct Neighbours {
  SparseVector statements;     // (p)
  std::vector<double> solved;  // by index in Cue::solved
};

/// Weight of a name in the similarity of nearest_to(): idf^tau1, with the inverse document frequency of the name and
/// tau1 = options.power; 0^0 = 1.
double weight_of_name(const MemoryIndex& memory, ConceptId name, const NearestOptions& options);

/// Finds the neighbours N of a question: the k = options.neighbours nearest statements and solved questions
/// (Cue::solved), and all that are as near as the k-th. The similarity of an item x to the question is the sum of the
/// weights of the names s that both share,
///   n(x) = sum over shared names s of idf(s)^tau1   > 0.
/// The paper (see relevance()) uses ln(|Phi| / occ(s)) in place of idf, for |Phi| items and a name s in occ(s) items.
/// This weight is 0 in a memory of one statement. The paper also compares patterns of terms; here only names are
/// compared.
/// Shapes   names of solved questions < n, each once
/// Cost     O(statements that mention a name of the question + names of the solved questions)
Neighbours nearest_to(const MemoryIndex& memory, const Cue& cue, const NearestOptions& options);

/// Scores each statement e by its own similarity and by the similarities of the solved questions that it helped to
/// prove:
///   r(e) = n(e) if e in N  +  tau2 sum over solved x in N with e in D(x) of n(x) / |D(x)|,
/// with N the neighbours and n their similarities from nearest_to(), D(x) the proof of x, and tau2 =
/// options.proof_weight. Without solved questions, only the first term remains.
/// Shapes   -> (p), >= 0
/// Source   Blanchette, Greenaway, Kaliszyk, Kühlwein and Urban 2016, "A Learning-Based Fact Selector for
///          Isabelle/HOL": the k nearest neighbours of MaSh (Kühlwein et al. 2013), which raise k until there are as
///          many statements as wanted
SparseVector relevance(const Cue& cue, const Neighbours& neighbours, const NearestOptions& options);

}  // namespace engram::core
