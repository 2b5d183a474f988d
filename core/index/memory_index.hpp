// SPDX-License-Identifier: MIT
// The read-only index of a memory that all retrievers share: concepts, statements, matrices and indexes of names.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/embeddings/embedding_cache.hpp"
#include "core/graph/memory.hpp"
#include "core/index/hops.hpp"
#include "core/index/occurrences.hpp"
#include "core/index/proof_rules.hpp"
#include "core/numbers/growing_rows.hpp"
#include "core/numbers/lazy.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/numbers/sparse_vector.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {

/// Read-only index of a memory, for all retrievers. Functions for one concept or statement cost O(1) or O(its entries).
/// Indexes of names and rules are updated with the new statements only. Matrices and vectors over all concepts or
/// statements are computed on demand, and cached until the memory changes.
///
/// In the comments below, e is a statement and i a concept. A (statements by concepts) is 1 where a statement activates
/// a concept. D is the diagonal matrix of the statements' evidence, and F D the part of that evidence that does not
/// deny the statement. The activity of the concepts is the diagonal of A' D A. The links are W = A' F D A, without the
/// diagonal and without weights that are not positive. For a statement with many concepts, A has every concept, but W
/// only the pairs that the statement links (max_partners).
///
/// After a change of the memory, call catch_up() before any other function. While the memory does not change, several
/// threads may read the index.
class MemoryIndex {
 public:
  /// Builds the index of a memory, which must outlive the index.
  /// Errors  WorkStopped if the memory limit is reached
  /// Cost    8 bytes a concept, and 4 to 8 for each concept of each statement
  explicit MemoryIndex(const Memory& memory);
  /// Copies the index `other` for `copy`, a copy of its memory. Both indexes share the cached matrices and the index of
  /// names until one of them changes.
  /// Cost  O(pages of the index), and a copy of the rules
  MemoryIndex(const MemoryIndex& other, const Memory& copy) : MemoryIndex(other) { memory_ = &copy; }
  MemoryIndex& operator=(const MemoryIndex&) = delete;
  ~MemoryIndex() = default;

  /// Brings the index up to date: adds the statements that are new since the last call.
  /// Errors  WorkStopped; the index must not be used after that
  /// Cost    O(size of the new statements)
  void catch_up();
  bool is_up_to_date() const { return version_ == memory_->version(); }

  const Memory& memory() const { return *memory_; }
  Index concepts() const { return static_cast<Index>(concepts_); }
  Index statements() const { return static_cast<Index>(statements_); }
  /// The total evidence of all episodes and link judgements, decayed to the present.
  double total() const { return memory_->total_evidence(); }
  bool has_learner() const { return memory_->learner().has_value(); }

  // Functions of one concept i or one statement e.
  narsese::Term term(Index i) const { return memory_->graph().term(static_cast<ConceptId>(i)); }
  narsese::Term statement_term(Index e) const { return all().term(static_cast<StatementId>(e)); }
  /// The concepts that statement e activates, ascending: a row of A.
  std::span<const ConceptId> episode(Index e) const { return all().active(static_cast<StatementId>(e)); }
  /// The statements that activate concept i, ascending: a row of A'.
  std::span<const StatementId> mentions(Index i) const { return mentions_[static_cast<std::size_t>(i)]; }
  /// The evidence of statement e, decayed to the present: its entry in D.
  double evidence(Index e) const { return memory_->evidence(static_cast<StatementId>(e)); }
  /// The expectation of statement e, c (f - 1/2) + 1/2: above 1/2 if it is believed, below if it is denied.
  double expectation(Index e) const {
    return narsese::expectation(all().truth_or_default(static_cast<StatementId>(e)));
  }
  /// The cycle of the last episode of statement e.
  double last_updated(Index e) const {
    return static_cast<double>(all().updated(static_cast<StatementId>(e)));
  }
  /// The activity of concept i, decayed to the present; 0 if all its evidence has decayed.
  double activity(Index i) const {
    return memory_->graph().activity(static_cast<ConceptId>(i), memory_->now());
  }
  /// The inverse document frequency of concept i, large for rare concepts: ln(1 + total() / activity), or 0 if the
  /// activity is 0.
  double idf(Index i) const;
  /// The key of statement e, its row of keys(): a weight by idf for each concept of episode(e), of length 1 together.
  std::vector<double> key(Index e) const;
  /// Similarity of statement e and a vector over concepts: their inner product, with the key of e.
  /// Cost  O(concepts of e)
  double similarity(Index e, const SparseVector& state) const;
  /// The weight W of the link between two concepts, or 0 without a link.
  double link(Index i, Index j) const;
  /// The row of links() for concept i: the linked concepts, ascending, with their weights W.
  /// Cost  O(links log links) of i
  std::vector<SparseVector::Entry> links_of(Index i) const;
  /// Ids of the rules, ascending. A rule is an implication or equivalence with variables.
  const std::vector<StatementId>& rules() const { return rules_; }

  // Matrices and vectors over concepts (n) and statements (p). The first call after a change costs O(all entries).
  // Errors  WorkStopped if the memory limit is reached; the cache stays empty then
  const SparseRows& episodes() const;  // A (p, n): 1 if the statement activates the concept
  const SparseRows& keys() const;      // (p, n): rows of A weighted by idf, of length 1
  const SparseRows& links() const;     // W (n, n), symmetric, without a diagonal
  const SparseRows& learnt() const;    // (n, n): positive weights of the memory's learner; row i: from i
  const SparseRows& mentions() const;  // A' (n, p)
  const Vector& evidence() const;      // (p)
  const Vector& expectation() const;   // (p)
  const Vector& last_updated() const;  // (p)
  const Vector& activity() const;      // (n)
  const Vector& idf() const;           // (n)
  const std::vector<narsese::Term>& terms() const;            // (n)
  const std::vector<narsese::Term>& statement_terms() const;  // (p)
  /// Cache of embeddings of the concepts. Use embedded() (core/index/concept_embedding.hpp) to read one.
  const EmbeddingCache& embeddings() const;
  /// Sets how many numbers embeddings() may cache.
  void keep_embeddings(std::size_t numbers) { most_embedded_ = numbers; }

  const Occurrences& occurrences() const;
  const HopIndex& hops() const;
  const ProofRules& proof_rules() const;
  /// The rows of keys(), split by the roles of names (core/index/hops.hpp).
  const RoleKeys& role_keys() const;
  /// The median separation of the rows of keys(), which tells how well a recall can distinguish statements
  /// (core/numbers/separation.hpp).
  double separation() const;
  /// Bytes of the index and of everything that it has cached so far.
  std::size_t kept_bytes() const;
  /// Upper bound on the additional bytes of a recall over all statements: its own weights on links or keys, and a few
  /// vectors. A recall that needs more must make a Reservation.
  std::size_t recall_bytes() const;

  /// Converts an activation of concepts into a query to compare with keys(): weighted by idf, then scaled to length 1
  /// (or zero).
  SparseVector query(const SparseVector& activation) const;
  /// Scores every statement by its cosine with an activation of concepts, both weighted by idf. Use it to rank
  /// statements if a retriever ranks concepts.
  /// Shapes  (n) -> (p), in [0, 1] for activation >= 0
  /// Cost    O(statements that mention the active concepts) if these are few, otherwise O(entries of A)
  SparseVector statement_scores(const SparseVector& activation) const;
  /// Scores every concept by the sum of the weights of the statements that mention it: A' y for weights y. Use it to
  /// rank concepts if a retriever ranks statements.
  /// Shapes  (p) -> (n)
  /// Cost    O(entries of the statements with a weight)
  SparseVector concept_scores(const SparseVector& statement_weights) const;
  /// The concepts with positive activity, ascending. All other concepts have lost their evidence, so they need not be
  /// ranked.  Cost  O(n)
  std::vector<ConceptId> active_concepts() const;
  /// Selects the entries of a vector over concepts that belong to active_concepts(), in their order.
  /// Shapes  (n) -> (active concepts)
  Vector over_active_concepts(const Vector& over_concepts) const;
  /// Mean number of concepts that a statement activates.
  double mean_episode_size() const;

 private:
  template <class T>
  using Rebuilt = VersionedCache<std::shared_ptr<const T>>;  // computed for each version; shared by copies

  MemoryIndex(const MemoryIndex&) = default;
  const Statements& all() const { return memory_->statements(); }

  const Memory* memory_;
  std::uint64_t version_ = 0;
  std::size_t concepts_ = 0, statements_ = 0;
  GrowingRows<StatementId> mentions_;
  std::vector<StatementId> rules_;
  // Updated with the new statements only.
  VersionedCache<HopIndex> hops_;
  VersionedCache<ProofRules> proof_rules_;
  VersionedCache<Occurrences> occurrences_;
  // Computed again for each version of the memory.
  Rebuilt<RoleKeys> role_keys_;
  VersionedCache<double> separation_;
  Rebuilt<SparseRows> episodes_, keys_, links_, learnt_, mentions_as_rows_;
  Rebuilt<Vector> evidence_, expectation_, last_updated_, activity_, idf_;
  Rebuilt<std::vector<narsese::Term>> terms_, statement_terms_;
  std::size_t most_embedded_ = EmbeddingCache::max_numbers;
  VersionedCache<EmbeddingCache> embeddings_;
};

/// Example for learning methods: an earlier question with the proof of its answer.
struct SolvedQuestion {
  std::vector<ConceptId> names;    // the concepts that the question activates, each once
  std::vector<StatementId> proof;  // the statements of the proof, each once
};

/// Cue: a question to a memory. It is an activation of concepts and, if the question is a sentence, also its term. With
/// the term a retriever can distinguish <(a * b) --> c> from <(b * a) --> c>.
struct Cue {
  Cue() = default;
  explicit Cue(SparseVector concepts, narsese::Term words = {})
      : activation(std::move(concepts)), term(words) {}

  /// Whether the cue activates no concept.
  bool is_empty() const;
  /// The concepts with a positive activation in the cue, ascending.
  std::vector<ConceptId> names() const;

  SparseVector activation;                      // (n), each activation in [0, 1]
  narsese::Term term;                           // from the memory's term table, or no term
  std::span<const SolvedQuestion> solved = {};  // earlier questions to learn from, owned by the caller
};

/// Makes the cue of a term: concepts in the term that the memory knows, and that have activity left, get activation 1.
Cue cue_for(const Memory& memory, narsese::Term term);

/// Incremental search for the statements that are most similar to a sparse vector x >= 0 over concepts, the state. The
/// similarity of a statement is the inner product of its key (MemoryIndex::keys) and x. Each step scores the statements
/// that mention one more concept of the state; concepts with few mentions for their weight come first. Keys have length
/// 1, so by the Cauchy-Schwarz inequality the similarity of a statement without a score is at most the length of the
/// rest of x. This bound falls with each step. A caller can therefore stop before the concepts that nearly all
/// statements mention.
/// Source   Turtle and Flood 1995, "Query evaluation" (MaxScore), with lengths in place of largest terms
class NearestStatements {
 public:
  /// Prepares a search; no statement is scored yet. The index must outlive the search.  Shapes  state (n) >= 0
  NearestStatements(const MemoryIndex& memory, const SparseVector& state);

  /// Scores the statements that mention the next concept of the state; concepts with few mentions for their weight come
  /// first. Returns false, without scoring, if every concept has had its turn.
  /// Cost  O(concepts of the newly scored statements) time. The search keeps 40 bytes for each scored statement, and
  ///       reserves 24 of them in the work budget.
  bool score_next();
  /// Upper bound on the similarity of any statement without a score; 0 after the last concept.
  double upper_bound() const;
  /// Upper bound on the number of statements that have a positive similarity but no score.
  std::uint64_t most_unscored() const;
  /// The number of statements that mention the next concept of the state, to estimate the cost of score_next(); 0 after
  /// the last concept.
  std::size_t next_mentions() const { return read_ < parts_.size() ? parts_[read_].mentions : 0; }
  /// The statements scored so far with their similarities, in the order of scoring. The similarities equal keys() times
  /// the state, bit for bit.
  const std::vector<SparseVector::Entry>& scored() const { return scored_; }
  /// The n-th largest similarity among the scored statements; 0 if fewer are scored.  Cost  O(scored statements)
  double nth_best(std::size_t n) const;

 private:
  struct Part {
    ConceptId id;
    double weight;
    std::size_t mentions;
  };

  const MemoryIndex* memory_;
  SparseVector state_;
  std::vector<Part> parts_;          // the concepts of the state, in their order of scoring
  std::vector<double> lengths_;      // the length of the state from a part on
  std::vector<std::uint64_t> left_;  // the number of mentions from a part on
  std::size_t read_ = 0;
  IdNumbers ids_;
  std::vector<SparseVector::Entry> scored_;
};

}  // namespace engram::core
