// SPDX-License-Identifier: MIT
// Attention over the proofs of a question: a probability for each proof, and from these a budget for each statement
// that proofs use.
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

/// Learnt probabilities that a reasoner can answer with a single proof. Proofs are tried in their order, best first.
/// Each value is the probability that a proof suffices for its answer if no earlier proof of this answer sufficed. The
/// share of a proof (WeightedProof::share) differs from it: if there are many proofs, each has a small share, but a
/// single one can suffice.
struct ProofConfidence {
  double proof = 0;  // for a proof, in [0, 1)
  double guess = 0;  // for a guess (core/proofs/associations.hpp), in [0, 1)

  friend bool operator==(const ProofConfidence&, const ProofConfidence&) = default;
};
/// The default confidences, learnt together with shipped_proof_weights.
inline constexpr ProofConfidence shipped_confidence{0.9951923076923077, 0.08221343873517786};

/// Options of ProofAttention: the limits of the search, and how proofs get their shares.
struct ProofAttentionOptions {
  ProofSearchOptions search;
  std::size_t proofs = 64;                // most proofs that get a rank
  double temperature = 1;                 // T of the distribution over proofs, in [0.1, 100]
  Regulariser map = SimplexMap::softmax;  // the map from log-probabilities of the best proofs to shares
  ProofConfidence confidence = shipped_confidence;
  /// Embedding of names for the feature `nearness`; the kind `incidence` means no embedding. It is computed only for
  /// training, or if `nearness` has a weight.
  EmbeddingSpec embedding = {EmbeddingKind::incidence, 64};
};

/// A question for ProofAttention: the statement to prove, and pairs of names for the guesses that replace missing
/// proofs.
struct ProofQuery {
  ProofQuestion question;
  std::vector<NamePair> pairs;
  std::optional<ConceptId> answer = {};  // known answer of a pair without a second name

  /// Whether the question can have several answers, because it has a variable or a pair without a second name.
  bool is_open() const;
  /// The names in `pairs`, ascending, each once.
  std::vector<ConceptId> names() const;
};
/// Converts a cue of the memory to a question.  Cost  as name_pairs()
ProofQuery proof_query(const MemoryIndex& memory, const Cue& cue);

/// The proofs of a question, found by one search and stored as a graph with features on its edges. If there is no
/// proof, the graph holds guesses instead. Weights can be changed without another search, which makes training fast.
class FoundProofs {
 public:
  /// Searches for proofs, then for guesses if there is no proof.
  /// `theta`         weights of the features, which give the search its costs
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
  /// The number of the answer that a proof of the question proves. Answers are numbered from 0.
  std::size_t answer_of(const ProofGraph::Proof& proof) const { return proof.edge - first_answer_; }
  std::size_t answers() const { return graph_.edges().size() - first_answer_; }
  /// Each statement that proved a goal, ascending, with the smallest cost at which it did so, whether or not a proof of
  /// the question uses the statement. Empty after a search with tables (ProofSearchOptions::is_tabled).
  const std::vector<std::pair<StatementId, double>>& smallest_uses() const { return smallest_uses_; }
  /// How an edge uses its statement: as a fact, as a rule, and so on.
  ProofMove move(ProofGraph::EdgeId edge) const { return moves_[edge]; }
  /// The features of an edge; all are 0 for an edge from an answer to the question.
  const ProofFeatures& features(ProofGraph::EdgeId edge) const { return features_[edge]; }

  /// The log-weight of each edge: the inner product of `theta` and the features of the edge, divided by the
  /// temperature.
  std::vector<double> log_weights(const ProofWeights& theta, double temperature) const;
  /// Restricts log-weights to proofs from the statements `only` (ascending): returns a copy of `all` with -infinity for
  /// edges that use other statements.
  std::vector<double> log_weights_over(std::span<const double> all, std::span<const StatementId> only) const;
  /// Restricts log-weights to proofs of the known answer: returns a copy of `all` with -infinity for the edges from
  /// other answers.
  std::vector<double> log_weights_to_answer(std::span<const double> all) const;

  /// Sums over all proofs of the question. The weight of a proof is the product of the weights of its edges.
  struct Sums {
    double log_total = 0;      // log Z with Z the sum of weights; -infinity without a proof
    ProofFeatures expected{};  // mean features of a proof drawn by weight
  };
  /// Computes the sums for these log-weights of edges, by ProofGraph::sums().
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

/// One step of a proof: the use of a statement.
struct ProofStep {
  StatementId statement = 0;
  ProofMove move = ProofMove::fact;
  std::uint32_t depth = 0;  // 0: the step proves the question; 1: a premise of that step; and so on
};

/// A proof or guess of ProofAttention, with its probability.
struct WeightedProof {
  std::vector<StatementId> statements;  // ascending, each once
  std::vector<ProofStep> steps;         // each before its premises
  ProofFeatures features{};             // sums of the features of its steps
  double share = 0;                     // probability p(proof), see ProofAttention
  double log_weight_once = 0;           // log-weight of the proof if each statement counts once
  std::size_t answer = 0;               // the number of its answer, below ProofAttention::answers()
};

/// The probability distribution over the proofs of a question,
///   p(proof) = exp(theta . f(proof) / T) / Z
/// with theta the weights of the features, T the temperature, and f(proof) the sum of the features of its steps
/// (core/proofs/proof_features.hpp). Z normalises over all proofs that the search found. If it found none, the
/// distribution is over guesses: paths of statements between the names of the question (core/proofs/associations.hpp).
/// If options.map is not softmax, this map turns log p of the best proofs into their shares. Proofs with share 0 are
/// then left out.
class ProofAttention {
 public:
  /// Searches for the proofs of `query`, and computes their distribution with the feature weights `theta`.
  /// Errors  WorkStopped; std::invalid_argument for a temperature out of range
  /// Cost    the search, and O(edges of the proof graph + proofs log proofs)
  ProofAttention(const MemoryIndex& memory, const ProofQuery& query, const ProofWeights& theta,
                 const ProofAttentionOptions& options);

  /// The proofs with the largest probabilities. Their order is by log_weight_once, because a reasoner needs a statement
  /// only once even if a proof uses it twice. No two proofs have the same statements. Empty if the search found neither
  /// a proof nor a guess.
  const std::vector<WeightedProof>& proofs() const { return proofs_; }
  /// Whether proofs() holds guesses, because the search found no proof.
  bool are_guesses() const { return are_guesses_; }
  /// The probability that a proof suffices for its answer if no earlier proof of this answer did: the value of
  /// ProofConfidence for proofs or for guesses.
  double confidence() const { return confidence_; }
  /// The number of distinct answers that have a proof. The number is 1 for guesses and for questions without variables.
  std::size_t answers() const { return answers_; }
  /// The marginals: each statement in proofs, ascending, with the expected number of times that a proof drawn from the
  /// distribution uses it.
  const std::vector<std::pair<StatementId, double>>& marginals() const { return marginals_; }
  /// Work done by the search, in the unit of ProofSearchOptions::work.
  std::uint64_t work() const { return work_; }
  /// Whether the search for proofs was exhaustive. If so and no proof was found, the question has none.
  bool is_complete() const { return is_complete_; }
  /// Whether the search for proofs stopped because it had spent its work.
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

/// Orders two proofs by the sorted terms of their statements. Use it to break ties, because this order does not depend
/// on the order of input.
bool precedes(const MemoryIndex& memory, std::vector<StatementId> proof, std::vector<StatementId> other);

/// Returns the budget of each statement in proofs, ascending by statement. A reasoner gets the proofs one after the
/// other, best first. The budget of a statement is the probability that no proof suffices before the first one that
/// uses it. If there are n answers, each is the wanted one with probability 1 / n:
///   budget(e) = 1 / n  sum over answers of (1 - confidence)^(number of its proofs before the first one with e)
/// Therefore the statements with a budget above x are the smallest set that contains a whole proof with probability 1 -
/// x. A statement outside the best proofs gets the probability that these do not suffice, times its marginal (at most
/// 1).
/// Ranges   (0, 1]
/// Source   the survival function of a hazard in discrete time: Cox 1972, "Regression Models and Life-Tables"
std::vector<std::pair<StatementId, double>> budgets(const ProofAttention& attention);

}  // namespace engram::core
