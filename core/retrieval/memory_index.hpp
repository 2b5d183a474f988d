// SPDX-License-Identifier: MIT
// One memory as every retriever reads it: number by number, or as matrices.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/embeddings/embedding_cache.hpp"
#include "core/graph/memory.hpp"
#include "core/numbers/growing_rows.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/numbers/sparse_vector.hpp"
#include "core/numbers/versioned_cache.hpp"
#include "core/numbers/work_budget.hpp"
#include "core/retrieval/hops.hpp"
#include "core/retrieval/name_places.hpp"
#include "core/retrieval/occurrences.hpp"
#include "core/retrieval/proof_rules.hpp"

namespace engram::core {

/// Of a concept ln(1 + total / activity), 0 where its activity is 0: inverse document frequency.
double idf_of(double activity, double total);
/// Divided by its length; zeros stay.
void make_unit_length(std::vector<double>& values);

/// A view of a memory. What is asked of single concepts and statements costs no more than these; what follows
/// from what was said (who mentions a concept, which steps lead from it) is kept up to date by the statements
/// that are new. Matrices of all are made when they are asked for, and kept until the memory changes.
/// With D the evidence of the statements and F D what of it is not denied: links = A' F D A without its
/// diagonal, those above 0; activity = the diagonal of A' D A. Of a statement of many concepts A has all, the
/// links those pairs that it joins (max_partners).
/// Once the memory has changed it must catch up before it is read again. Until it changes it may be read from
/// several threads.
class MemoryIndex {
 public:
  /// Of a memory that outlives it.
  /// Errors  WorkStopped where there are no bytes for it
  /// Cost    8 bytes a concept, and 4 to 8 for each concept of each statement
  explicit MemoryIndex(const Memory& memory);
  /// Those of a copy of their memory. What is made anew for each version of it both have, what follows from what was
  /// said is shared until one of them changes.
  /// Cost  a look at each page of what follows, and a copy of what is known of rules
  MemoryIndex(const MemoryIndex& other, const Memory& copy) : MemoryIndex(other) { memory_ = &copy; }
  MemoryIndex& operator=(const MemoryIndex&) = delete;
  ~MemoryIndex() = default;

  /// Reads what was said since.
  /// Errors  WorkStopped: then it is of no use any more
  /// Cost    that of what is new
  void catch_up();
  bool is_up_to_date() const { return version_ == memory_->version(); }

  const Memory& memory() const { return *memory_; }
  Index concepts() const { return static_cast<Index>(concepts_); }
  Index statements() const { return static_cast<Index>(statements_); }
  double total() const { return memory_->total_evidence(); }  // sum D
  bool has_learner() const { return memory_->learner().has_value(); }

  // Of one concept i, or statement e.
  /// The term that names it.
  narsese::Term term(Index i) const { return memory_->graph().term(static_cast<ConceptId>(i)); }
  /// Its term.
  narsese::Term statement_term(Index e) const { return said().term(static_cast<StatementId>(e)); }
  /// The concepts that e activates, ascending: a row of A.
  std::span<const ConceptId> episode(Index e) const { return said().active(static_cast<StatementId>(e)); }
  /// The statements that activate i, ascending: a row of A'.
  std::span<const StatementId> mentions(Index i) const { return mentions_[static_cast<std::size_t>(i)]; }
  /// D of e.
  double evidence(Index e) const { return memory_->evidence(static_cast<StatementId>(e)); }
  /// c (f - 1/2) + 1/2 of e: how far it is believed.
  double expectation(Index e) const {
    return narsese::expectation(said().truth_or_default(static_cast<StatementId>(e)));
  }
  /// The cycle of e's last episode.
  double last_said(Index e) const { return static_cast<double>(said().updated(static_cast<StatementId>(e))); }
  /// 0 for concepts that hold no activation.
  double activity(Index i) const {
    return memory_->graph().activity(static_cast<ConceptId>(i), memory_->now());
  }
  /// log(1 + sum D / activity), 0 where activity is 0 (inverse document frequency).
  double idf(Index i) const;
  /// The row of `keys` of e: a number for each concept of its episode.
  std::vector<double> key(Index e) const;
  /// W of two concepts; 0 where it is not above 0.
  double link(Index i, Index j) const;
  /// The concepts with W above 0 to i, ascending, and W: a row of W.  Cost  O(links log links) of i
  std::vector<SparseVector::Entry> links_of(Index i) const;
  /// Implications and equivalences with variables, ascending; others link.
  const std::vector<StatementId>& rules() const { return rules_; }

  // Of all. Made when they are asked for; each costs O(all) once after the memory has changed, and is claimed.
  // Errors  WorkStopped where there are no bytes; nothing is kept then
  const SparseRows& episodes() const;               // A (p, n): 1 where a statement activates a concept
  const SparseRows& keys() const;                   // (p, n): rows of A weighted by idf, of length 1
  const SparseRows& links() const;                  // W (n, n), symmetric, no diagonal
  const SparseRows& learnt() const;                 // (n, n): the weights above 0 of the memory's learner
  const SparseRows& mentions() const;               // A' (n, p)
  const Vector& evidence() const;                   // (p)
  const Vector& expectation() const;                // (p)
  const Vector& last_said() const;                  // (p)
  const Vector& activity() const;                   // (n)
  const Vector& idf() const;                        // (n)
  const std::vector<narsese::Term>& terms() const;  // of the concepts
  const std::vector<narsese::Term>& statement_terms() const;
  /// Embeddings of the memory as it is.
  const EmbeddingCache& embeddings() const;
  /// How many numbers of these are kept at most.
  void keep_embeddings(std::size_t numbers) { most_embedded_ = numbers; }

  /// Where names stand in the statements.
  const Occurrences& occurrences() const;
  /// Statements as steps between names.
  const HopIndex& hops() const;
  /// Rules by what they conclude.
  const ProofRules& proof_rules() const;
  /// The keys by the places of names.
  const PlacedKeys& placed() const;
  /// How far statements are apart: median_separation of `keys` (core/hopfield/modern_hopfield.hpp).
  double separation() const;
  /// Bytes of all that is kept.
  std::size_t kept_bytes() const;
  /// How many a recall that looks at all takes at most, beside them, for weights of its own on the links or keys
  /// and for vectors. What takes more claims it.
  std::size_t recall_bytes() const;

  /// idf * activation, of length 1 (or zero): an activation as a query against `keys`.
  SparseVector query(const SparseVector& activation) const;
  /// Cosine of every statement with an activation, both weighted by idf: how a retriever that ranks
  /// concepts ranks statements.  Shapes  (n) -> (p), in [0, 1] for activation >= 0
  /// Cost  of an activation of few concepts, that of the statements that mention them
  SparseVector statement_scores(const SparseVector& activation) const;
  /// Activation of concepts by weighted statements: A' p.  Shapes  (p) -> (n)
  /// Cost  that of the statements with a weight
  SparseVector concept_scores(const SparseVector& statement_weights) const;
  /// Concepts that hold activation, ascending: the only ones worth ranking.  Cost  O(n)
  std::vector<ConceptId> holders() const;
  /// The entries of a vector over concepts that belong to holders.  Shapes  (n) -> (number of holders)
  Vector of_holders(const Vector& over_concepts) const;
  /// Mean number of concepts a statement activates.
  double mean_episode_size() const;

 private:
  MemoryIndex(const MemoryIndex&) = default;
  const Statements& said() const { return memory_->statements(); }

  const Memory* memory_;
  std::uint64_t version_ = 0;
  std::size_t concepts_ = 0, statements_ = 0;
  GrowingRows<StatementId> mentions_;
  std::vector<StatementId> rules_;

  // Those that follow what is new.
  VersionedCache<HopIndex> hops_;
  VersionedCache<ProofRules> proof_rules_;
  VersionedCache<Occurrences> occurrences_;
  // Those that are made anew, which copies share.
  template <class T>
  using MadeAnew = VersionedCache<std::shared_ptr<const T>>;
  MadeAnew<PlacedKeys> placed_;
  VersionedCache<double> separation_;
  MadeAnew<SparseRows> episodes_, keys_, links_, learnt_, mentions_as_rows_;
  MadeAnew<Vector> evidence_, expectation_, last_said_, activity_, idf_;
  MadeAnew<std::vector<narsese::Term>> terms_, statement_terms_;
  std::size_t most_embedded_ = EmbeddingCache::max_numbers;
  VersionedCache<EmbeddingCache> embeddings_;
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
  Cue(SparseVector of_concepts, narsese::Term words = {}) : activation(std::move(of_concepts)), term(words) {}
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  template <class Derived>
  Cue(const Eigen::MatrixBase<Derived>& of_concepts, narsese::Term words = {})
      : activation(of_concepts), term(words) {}
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  operator const Vector&() const { return activation; }
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  operator const SparseVector&() const { return activation; }

  /// Concepts with an activation above 0, ascending.
  std::vector<ConceptId> names() const;

  SparseVector activation;  // (n), each in [0, 1]
  narsese::Term term;       // of the table that made the memory's; no term where there are no words
  std::span<const SolvedQuestion> solved = {};  // what may be learnt from: who asks keeps them
};

/// The activation (n) of a term's known concepts: 1 each; and the term.
Cue cue_for(const Memory& memory, narsese::Term term);

}  // namespace engram::core
