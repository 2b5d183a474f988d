// SPDX-License-Identifier: MIT
// Premise selection from proofs: what proved the questions most like the one asked, and what is itself like it.
#pragma once

#include "core/retrieval/memory_index.hpp"

namespace engram::core {

/// Defaults: power and proof weight of the paper; neighbours chosen: of 10, 40, 160 and 1000 the fewest with as
/// many whole proofs among 18 statements of real kinship and WordNet as any.
struct NearestOptions {
  std::size_t neighbours = 40;  // k
  double power = 6;             // tau1
  double proof_weight = 2.7;    // tau2
};

/// How near each is to what is asked; 0 for those that are no neighbours.
struct Neighbours {
  SparseVector statements;     // (p)
  std::vector<double> solved;  // of each solved question
};

/// idf^tau1 of a name (0^0 = 1).
double weight_of_name(const MemoryIndex& memory, ConceptId name, const NearestOptions& options);

/// The neighbours N of what is asked: of all statements and solved questions the k nearest, and those as near
/// as the k-th. With the names that both have,
///   n(x) = sum over shared names s of idf(s)^tau1   > 0.
/// The paper's weight of a name is ln(|Phi| / occ(s)), which is 0 for a memory of one statement, so idf is used here. Its features
/// include patterns of terms; here they are only names.
/// Shapes   names of solved questions < n, each once
/// Cost     the statements of all names asked for, the names of all solved questions
Neighbours nearest_to(const MemoryIndex& memory, const Cue& cue, const NearestOptions& options);

/// How relevant each statement is, where D(x) is the proof of a solved question:
///   r(e) = n(e) if e in N  +  tau2 sum over solved x in N with e in D(x) of n(x) / |D(x)|.
/// Statements have no proofs; where nothing has been solved they alone are neighbours.
/// Shapes   -> (p), >= 0
/// Source   Blanchette, Greenaway, Kaliszyk, Kühlwein and Urban 2016, "A Learning-Based Fact Selector for
///          Isabelle/HOL": the k nearest neighbours of MaSh (Kühlwein et al. 2013), who raise k until there
///          are as many statements as wanted
SparseVector relevance(const Cue& cue, const Neighbours& neighbours, const NearestOptions& options);

}  // namespace engram::core
