// SPDX-License-Identifier: MIT
// Attention over the proofs of a question: a probability for each proof, and a budget for each statement that proofs use.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/proofs/name_pairs.hpp"
#include "core/proofs/proof_graph.hpp"
#include "core/proofs/proof_search.hpp"

namespace engram::core {

/// The probability that a proof suffices for its answer, if no proof of this answer before it does. This is not the share of
/// the proof: if there are many proofs, each has a small share, and any of them suffices.
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
  Regulariser map = SimplexMap::softmax;  // maps the log-weights of the best proofs to their shares
  ProofConfidence confidence = shipped_confidence;
  /// The embedding of `nearness`; incidence: none. It is computed only if `nearness` has a weight, or for training.
  EmbeddingSpec embedding = {EmbeddingKind::incidence, 64};
};

/// A question for attention over proofs: the statement that the search proves, and the pairs of names between which guesses look
/// for paths.
struct AskedProofs {
  ProofQuestion question;
  std::vector<NamePair> pairs;
  std::optional<ConceptId> answer = {};  // the name that is the known answer of a pair without a second name

  /// Whether several answers are possible.
  bool is_open() const;
  /// The names of the pairs, ascending.
  std::vector<ConceptId> names() const;
};
/// Reads a cue.  Cost  as name_pairs
AskedProofs asked_proofs(const MemoryIndex& memory, const Cue& cue);

/// All proofs of a question that a search found, as a graph whose edges have features. If it found none, guesses take their
/// place. Weights can be changed without another search, which is how they are learnt.
class FoundProofs {
 public:
  /// `all_features`  whether to compute features whose weight is 0
  /// Errors  WorkStopped; std::invalid_argument for a temperature out of range
  FoundProofs(const MemoryIndex& memory, const AskedProofs& asked, const ProofWeights& theta,
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
  /// After a search without tables: for each statement that proved a goal, also one that no proof of the question uses: the smallest cost of
  /// the first proof of such a goal. Ascending by statement.
  const std::vector<std::pair<StatementId, double>>& smallest_uses() const { return smallest_uses_; }
  /// The move of an edge that uses a statement.
  ProofMove move(ProofGraph::EdgeId edge) const { return moves_[edge]; }
  /// The features of an edge; all 0 for one from an answer to the question.
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
  std::size_t first_answer_ = 0;  // the first edge from an answer to the question; all others follow
  bool are_guesses_ = false, is_complete_ = false, is_spent_ = false;
  std::uint64_t work_ = 0;
};

/// A use of a statement in a proof.
struct ProofStep {
  StatementId statement = 0;
  ProofMove move = ProofMove::fact;
  std::uint32_t depth = 0;  // 0: it proves the question itself; 1: a premise of that step; ...
};

/// One proof with its probability.
struct ProofGuess {
  std::vector<StatementId> statements;  // ascending, each once
  std::vector<ProofStep> steps;         // each before its premises
  ProofFeatures features{};             // f(proof): the sums over its steps
  double share = 0;                     // p(proof)
  double log_weight_once = 0;           // theta . f / T, each of its statements counted once
  std::size_t answer = 0;               // the number of its answer, below ProofAttention::answers()
};

/// The distribution over the proofs of a question,
///   p(proof) = exp(theta . f(proof) / T) / Z,
/// f(proof) the sum of the features of its steps (core/proofs/proof_features.hpp) and Z the sum over all proofs that the search
/// found. If it found none, the distribution is over guesses: paths of statements between the names of the question
/// (core/proofs/associations.hpp). With another map than softmax, the map of log p of the best proofs gives the shares, and a
/// proof with share 0 is left out.
class ProofAttention {
 public:
  /// Errors  as FoundProofs
  /// Cost    the search, and O(edges of the graph of proofs + proofs log proofs)
  ProofAttention(const MemoryIndex& memory, const AskedProofs& asked, const ProofWeights& theta,
                 const ProofAttentionOptions& options);

  /// The proofs with the largest shares, ordered by log_weight_once: a statement that a proof uses twice has to be given to a
  /// reasoner only once. No two use the same statements. Empty if neither a proof nor a guess was found.
  const std::vector<ProofGuess>& guesses() const { return guesses_; }
  /// Whether they are guesses, because no proof was found.
  bool are_guesses() const { return are_guesses_; }
  /// The probability that a proof suffices for its answer if no proof of this answer before it does.
  double confidence() const { return confidence_; }
  /// The number of answers to the question that have a proof. A question without variables, and guesses, have one.
  std::size_t answers() const { return answers_; }
  /// For each statement that a proof uses, ascending: the mean number of times that a proof uses it.
  const std::vector<std::pair<StatementId, double>>& marginals() const { return marginals_; }
  /// The work of the search.
  std::uint64_t work() const { return work_; }
  /// Whether the search for proofs looked at everything: if it found none, there is none.
  bool is_complete() const { return is_complete_; }
  /// Whether the search for proofs ended because its work was spent.
  bool is_spent() const { return is_spent_; }

 private:
  void share_by(const Regulariser& map);

  std::vector<ProofGuess> guesses_;
  std::vector<std::pair<StatementId, double>> marginals_;
  double confidence_ = 0;
  std::size_t answers_ = 1;
  std::uint64_t work_ = 0;
  bool are_guesses_ = false, is_complete_ = false, is_spent_ = false;
};

/// Compares two proofs by the sorted terms of their statements. Use it to order equal proofs independently of the order of
/// input.
bool precedes(const MemoryIndex& memory, std::vector<StatementId> proof, std::vector<StatementId> other);

/// The budget of each statement that a proof uses, ascending by statement: the probability that no proof before the first one
/// that uses it suffices. Which of n answers is meant is not known, so each has the probability 1 / n:
///   budget(e) = 1 / n  sum over answers of (1 - confidence)^(number of proofs of this answer before)
/// The statements with a budget above x are therefore the fewest that hold a whole proof with probability 1 - x. A statement
/// that only other proofs use gets the probability that none of the best suffices, times its marginal.
/// Ranges   (0, 1]
/// Source   the survival function of a hazard in discrete time: Cox 1972, "Regression Models and Life-Tables"
std::vector<std::pair<StatementId, double>> budgets(const ProofAttention& attention);

}  // namespace engram::core
