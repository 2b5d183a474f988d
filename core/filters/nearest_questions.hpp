// SPDX-License-Identifier: MIT
// Premise selection from earlier proofs: the statements that proved similar questions, and similar statements.
#pragma once

#include "core/index/memory_index.hpp"

namespace engram::core {

/// Options of the nearest neighbours. The default power and proof weight are from the paper. 40 neighbours gave as
/// many whole proofs among 18 statements of real kinship and WordNet as 160 and 1000 did, and more than 10.
struct NearestOptions {
  std::size_t neighbours = 40;  // k
  double power = 6;             // tau1
  double proof_weight = 2.7;    // tau2
};

/// Similarity of each item to the question; 0 for items that are not neighbours.
struct Neighbours {
  SparseVector statements;     // (p)
  std::vector<double> solved;  // for each solved question
};

/// Weight of a name: idf^tau1, with 0^0 = 1.
double weight_of_name(const MemoryIndex& memory, ConceptId name, const NearestOptions& options);

/// Finds the neighbours N of the question: the k nearest statements and solved questions, and all that are as near as
/// the k-th. The similarity is a sum over the shared names,
///   n(x) = sum over shared names s of idf(s)^tau1   > 0.
/// The paper's weight of a name is ln(|Phi| / occ(s)), which is 0 in a memory of one statement, so idf is used here.
/// The paper's features include patterns of terms; here they are only names.
/// Shapes   names of solved questions < n, each once
/// Cost     O(statements that mention a name of the question + names of the solved questions)
Neighbours nearest_to(const MemoryIndex& memory, const Cue& cue, const NearestOptions& options);

/// Scores each statement by its own similarity and the similarities of the questions that it proved. D(x) is the proof
/// of x:
///   r(e) = n(e) if e in N  +  tau2 sum over solved x in N with e in D(x) of n(x) / |D(x)|.
/// Statements have no proofs. Without solved questions, only the first term remains.
/// Shapes   -> (p), >= 0
/// Source   Blanchette, Greenaway, Kaliszyk, Kühlwein and Urban 2016, "A Learning-Based Fact Selector for
///          Isabelle/HOL": the k nearest neighbours of MaSh (Kühlwein et al. 2013), which raise k until there are as
///          many statements as wanted
SparseVector relevance(const Cue& cue, const Neighbours& neighbours, const NearestOptions& options);

}  // namespace engram::core
