// SPDX-License-Identifier: MIT
// One memory, three readings: the matrices that every retriever works on, taken from a memory at one moment.
#pragma once

#include <span>
#include <vector>

#include "core/embeddings/embedding_cache.hpp"
#include "core/graph/memory.hpp"
#include "core/numbers/made_once.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/numbers/work.hpp"
#include "core/retrieval/name_places.hpp"
#include "core/retrieval/occurrences.hpp"
#include "core/retrieval/passes.hpp"

namespace engram::core {

/// A snapshot; later changes of the memory do not touch it, and it may be read from several threads.
/// With D the evidence of the statements and F D what of it is not denied: links = A' F D A without its
/// diagonal, those above 0; activity = the diagonal of A' D A. Of a statement of many concepts A has all, the
/// links those pairs that it joins (max_partners).
struct Readings {
  /// Errors  WorkStopped, before anything is allocated, where bytes_for(memory) are too many
  explicit Readings(const Memory& memory);

  /// How many bytes the readings of a memory take at most, also while they are made.  Cost  O(statements)
  static std::size_t bytes_for(const Memory& memory);
  /// How many a recall takes at most, beside them, for weights of its own on the links or keys and for
  /// vectors. What takes more claims it.
  std::size_t recall_bytes() const;

  Index concepts() const { return activity.size(); }
  Index statements() const { return episodes.rows(); }

  SparseRows episodes;  // A (p, n): 1 where a statement activates a concept
  SparseRows keys;      // (p, n): rows of A weighted by `rarity`, of length 1: what a cue is compared with
  SparseRows links;     // W (n, n), symmetric, no diagonal: the Hebbian reading
  SparseRows learnt;   // (n, n), row i what leads from i: the weights above 0 of the memory's learner, if any
  Vector evidence;     // D (p)
  Vector activity;     // (n), 0 for concepts that hold no activation
  Vector rarity;       // (n): log(1 + sum D / activity), 0 where activity is 0 (inverse document frequency)
  Vector last_said;    // (p): the cycle of each statement's last episode
  Vector expectation;  // (p): c (f - 1/2) + 1/2 of each statement: how far it is believed
  double total = 0;    // sum D
  bool has_learner = false;
  std::vector<narsese::Term> terms;            // of the concepts; valid as long as the table that made them
  std::vector<narsese::Term> statement_terms;  // likewise
  SparseRows mentions;                         // A' (n, p): which statements activate a concept
  std::vector<StatementId> rules;  // implications and equivalences with variables, ascending; others link
  EmbeddingCache embeddings;       // of this snapshot, as it was when they were asked for

  /// Where names stand in the statements: worked out when it is first asked for.
  /// Errors  WorkStopped where there are no bytes for it; nothing is kept then
  const Occurrences& occurrences() const;
  /// Statements as steps between names; likewise.
  const Passes& passes() const;
  /// The keys by the places of names; likewise.
  const PlacedKeys& placed() const;
  /// How far statements are apart: median_separation of `keys` (core/hopfield/modern_hopfield.hpp), worked out
  /// when it is first asked for.
  double separation() const;
  /// Bytes of what was asked for since it was made, and is kept: occurrences, passes, placed keys, embeddings.
  std::size_t kept_bytes() const;

  /// rarity * activation, of length 1 (or zero): an activation as a query against `keys`.
  Vector query(const Vector& activation) const;
  /// Cosine of every statement with an activation, both weighted by rarity: how a retriever that ranks
  /// concepts ranks statements.  Shapes  (n) -> (p), in [0, 1] for activation >= 0
  Vector statement_scores(const Vector& activation) const;
  /// Activation of concepts by weighted statements: A' p.  Shapes  (p) -> (n)
  Vector concept_scores(const Vector& statement_weights) const {
    return episodes.multiply_transposed(statement_weights);
  }
  /// Concepts that hold activation, ascending: the only ones worth ranking.
  std::vector<ConceptId> holders() const;
  /// The entries of a vector over concepts that belong to holders.  Shapes  (n) -> (number of holders)
  Vector of_holders(const Vector& over_concepts) const;
  /// Mean number of concepts a statement activates.
  double mean_episode_size() const;

 private:
  Readings(const Memory& memory, const Claim& bytes);

  MadeOnce<Occurrences> occurrences_;
  MadeOnce<Passes> passes_;
  MadeOnce<PlacedKeys> placed_;
  MadeOnce<double> separation_;
};

/// A question that was asked before, and what proved it.
struct SolvedQuestion {
  std::vector<ConceptId> names;    // that it activates, each once
  std::vector<StatementId> proof;  // each once
};

/// What is asked of a memory: an activation of concepts and, where it was asked in words, the words: by them
/// a retriever may tell <(a * b) --> c> from <(b * a) --> c>. To one that asks for a Vector it is the
/// activation alone.
struct Cue {
  Cue() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): an activation alone is a cue
  template <class Derived>
  Cue(const Eigen::MatrixBase<Derived>& of_concepts, narsese::Term words = {})
      : activation(of_concepts), term(words) {}
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  operator const Vector&() const { return activation; }

  Vector activation;   // (n), each in [0, 1]
  narsese::Term term;  // of the table that made the memory's; no term where there are no words
  /// Of these words the concepts that hold activation, ascending, so that nobody need look for them among all;
  /// empty where they were not looked for.
  std::vector<ConceptId> names = {};
  std::span<const SolvedQuestion> solved = {};  // what may be learnt from: who asks keeps them
};

/// The activation (n) of a term's known concepts: 1 each; and the term.
Cue cue_for(const Memory& memory, narsese::Term term);

}  // namespace engram::core
