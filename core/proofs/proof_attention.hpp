// SPDX-License-Identifier: MIT
// Attention over the proofs of a question: a probability for each proof, and a budget for each statement in proofs.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/proofs/associations.hpp"
#include "core/proofs/proof_graph.hpp"
#include "core/proofs/proof_search.hpp"

namespace engram::core {

/// The probability that a proof suffices for its answer, if no earlier proof of the answer suffices. This differs from
/// the share of the proof: each of many proofs has a small share, but a single one can suffice.
struct ProofConfidence {
  double proof = 0;  // of a proof, in [0, 1)
  double guess = 0;  // of a guess, in [0, 1)

  friend bool operator==(const ProofConfidence&, const ProofConfidence&) = default;
};
/// The default, learnt together with shipped_proof_weights.
inline constexpr ProofConfidence shipped_confidence{0.9951923076923077, 0.08221343873517786};

/// Options of the search and of the distribution.
struct ProofAttentionOptions {
  ProofSearchOptions search;
  std::size_t proofs = 64;                // the number of best proofs, at most
  double temperature = 1;                 // T, in [0.1, 100]
  Regulariser map = SimplexMap::softmax;  // from the log-weights of the best proofs to their shares
  ProofConfidence confidence = shipped_confidence;
  /// The embedding for `nearness`; incidence: none. It is computed only for training, or if `nearness` has a weight.
  EmbeddingSpec embedding = {EmbeddingKind::incidence, 64};
};

/// A question for attention over proofs: the statement to prove, and the pairs of names between which guesses look for
/// paths.
struct ProofQuery {
  ProofQuestion question;
  std::vector<NamePair> pairs;
  std::optional<ConceptId> answer = {};  // the name that is the known answer of a pair without a second name

  /// Whether several answers are possible.
  bool is_open() const;
  /// The names of the pairs, ascending.
  std::vector<ConceptId> names() const;
};
/// Converts a cue to a question.  Cost  as name_pairs
ProofQuery proof_query(const MemoryIndex& memory, const Cue& cue);

/// The proofs of a question that a search found, as a graph with features on its edges. If the search found none, the
/// graph has guesses instead. Other weights need no other search, which makes training fast.
class FoundProofs {
 public:
  /// `all_features`  whether to compute features with weight 0 as well
  /// Errors  WorkStopped; std::invalid_argument for a temperature out of range
  FoundProofs(const MemoryIndex& memory, const ProofQuery& query, const ProofWeights& theta,
              const ProofAttentionOptions& options, bool all_features);

  bool is_empty() const { return graph_.nodes() == 0; }
  bool are_guesses() const { return are_guesses_; }
  bool is_complete() const { return is_complete_; }
  bool is_spent() const { return is_spent_; }
  std::uint64_t work() const { return work_; }
  const ProofGraph& graph() const { return graph_; }
  ProofGraph::Node question() const { return question_; }
  /// The number of the answer that a proof of the question proves, from 0 on.
  std::size_t answer_of(const ProofGraph::Proof& proof) const { return proof.edge - first_answer_; }
  std::size_t answers() const { return graph_.edges().size() - first_answer_; }
  /// Only for a search without tables: each statement that proved a goal, ascending, with the smallest cost of the
  /// first proof of such a goal. The statement need not be in a proof of the question.
  const std::vector<std::pair<StatementId, double>>& smallest_uses() const { return smallest_uses_; }
  /// The move of an edge that uses a statement.
  ProofMove move(ProofGraph::EdgeId edge) const { return moves_[edge]; }
  /// The features of an edge; all are 0 for an edge from an answer to the question.
  const ProofFeatures& features(ProofGraph::EdgeId edge) const { return features_[edge]; }

  /// theta . f / T of each edge.
  std::vector<double> log_weights(const ProofWeights& theta, double temperature) const;
  /// The log-weights `all`, with -infinity for each edge with a statement that is not among `only` (ascending).
  std::vector<double> log_weights_over(std::span<const double> all, std::span<const StatementId> only) const;
  /// The log-weights `all`, with -infinity for the edges from all answers but the known one.
  std::vector<double> log_weights_to_answer(std::span<const double> all) const;

  /// Sums over all proofs of the question.
  struct Sums {
    double log_total = 0;      // log Z; -infinity without a proof
    ProofFeatures expected{};  // E[f]
  };
  /// The sums with these log-weights (ProofGraph::sums).
  Sums sums(std::span<const double> log_weights) const;

 private:
  void add(const ProofForest& forest);
  void find_smallest_uses(const ProofForest& forest);

  ProofGraph graph_;
  std::vector<ProofMove> moves_;
  std::vector<ProofFeatures> features_;
  ProofGraph::Node question_ = 0;
  std::optional<ProofGraph::EdgeId> to_answer_;
  std::vector<std::pair<StatementId, double>> smallest_uses_;
  std::size_t first_answer_ = 0;  // the first edge from an answer to the question; only such edges follow
  bool are_guesses_ = false, is_complete_ = false, is_spent_ = false;
  std::uint64_t work_ = 0;
};

/// One step of a proof.
struct ProofStep {
  StatementId statement = 0;
  ProofMove move = ProofMove::fact;
  std::uint32_t depth = 0;  // 0: the step proves the question; 1: a premise of that step; and so on
};

/// One proof with its probability.
struct WeightedProof {
  std::vector<StatementId> statements;  // ascending, each once
  std::vector<ProofStep> steps;         // each before its premises
  ProofFeatures features{};             // f(proof): the sums over its steps
  double share = 0;                     // p(proof)
  double log_weight_once = 0;           // theta . f / T, with each statement counted once
  std::size_t answer = 0;               // the number of its answer, below ProofAttention::answers()
};

/// The distribution over the proofs of a question,
///   p(proof) = exp(theta . f(proof) / T) / Z,
/// with f(proof) the sum of the features of its steps (core/proofs/proof_features.hpp) and Z the sum over all proofs
/// that the search found. If it found none, the distribution is over guesses: paths of statements between the names of
/// the question (core/proofs/associations.hpp). If the map is not softmax, it maps log p of the best proofs to the
/// shares, and a proof with share 0 is left out.
class ProofAttention {
 public:
  /// Errors  as FoundProofs
  /// Cost    the search, and O(edges of the proof graph + proofs log proofs)
  ProofAttention(const MemoryIndex& memory, const ProofQuery& query, const ProofWeights& theta,
                 const ProofAttentionOptions& options);

  /// The proofs with the largest shares, ordered by log_weight_once, because a reasoner needs a statement only once
  /// even if a proof uses it twice. No two proofs have the same statements. Empty if neither a proof nor a guess was
  /// found.
  const std::vector<WeightedProof>& proofs() const { return proofs_; }
  /// Whether no proof was found, so that these are guesses.
  bool are_guesses() const { return are_guesses_; }
  /// The probability that a proof suffices for its answer if no earlier proof of the answer suffices.
  double confidence() const { return confidence_; }
  /// The number of answers to the question that have a proof. A question without variables, and guesses, have one.
  std::size_t answers() const { return answers_; }
  /// The statements in proofs, ascending, with the mean number of times that a proof uses them.
  const std::vector<std::pair<StatementId, double>>& marginals() const { return marginals_; }
  /// The work of the search.
  std::uint64_t work() const { return work_; }
  /// Whether the search for proofs was exhaustive: without a proof, the question then has none.
  bool is_complete() const { return is_complete_; }
  /// Whether the search for proofs ended because its work was spent.
  bool is_spent() const { return is_spent_; }

 private:
  void share_by(const Regulariser& map);

  std::vector<WeightedProof> proofs_;
  std::vector<std::pair<StatementId, double>> marginals_;
  double confidence_ = 0;
  std::size_t answers_ = 1;
  std::uint64_t work_ = 0;
  bool are_guesses_ = false, is_complete_ = false, is_spent_ = false;
};

/// Compares two proofs by the sorted terms of their statements. Use it for an order of proofs that does not depend on
/// the order of input.
bool precedes(const MemoryIndex& memory, std::vector<StatementId> proof, std::vector<StatementId> other);

/// The budget of each statement in a proof, ascending by statement: the probability that no proof before the first one
/// with this statement suffices. If there are n answers, each has the probability 1 / n to be the wanted one:
///   budget(e) = 1 / n  sum over answers of (1 - confidence)^(number of earlier proofs of this answer)
/// The statements with a budget above x are therefore the smallest set that contains a whole proof with a probability
/// of 1 - x. A statement outside the best proofs gets the probability that these do not suffice, times its marginal.
/// Ranges   (0, 1]
/// Source   the survival function of a hazard in discrete time: Cox 1972, "Regression Models and Life-Tables"
std::vector<std::pair<StatementId, double>> budgets(const ProofAttention& attention);

}  // namespace engram::core
