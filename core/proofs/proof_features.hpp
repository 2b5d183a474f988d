// SPDX-License-Identifier: MIT
// Features of the steps of a proof, and the weights that turn the features into the cost and the probability of a
// proof.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/index/memory_index.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::core {

/// The move of a step: how a step of a proof uses its statement.
enum class ProofMove : std::uint8_t {
  fact,         // the statement is the goal
  rule,         // the statement is a rule for the goal; its conditions are the premises
  inheritance,  // <a --> b> reduces a goal about a to the same goal about b; likewise for implications
  similarity,   // <a <-> b> does this in both directions
  association,  // a step of a guess (core/proofs/associations.hpp) between two names that the statement mentions
};

/// The features of a step. The first five are indicators: 1 for the move of the step, else 0. The others are defined in
/// proof_feature_facts.
enum class ProofFeature : std::uint8_t {
  fact,
  rule,
  inheritance,
  similarity,
  association,
  backwards,
  asked,
  counterevidence,
  uncertainty,
  hub,
  link,
  nearness,
};
inline constexpr std::size_t proof_features = 12;

/// The name and the meaning of a feature, for options and help texts.
struct ProofFeatureFacts {
  std::string_view name, meaning;
};
/// The table of all features, in the order of ProofFeature. A meaning completes the phrase "weight ...".
inline constexpr std::array<ProofFeatureFacts, proof_features> proof_feature_facts{{
    {"fact", "of each fact that states a goal"},
    {"rule", "of each use of a rule"},
    {"inheritance", "of each step of inheritance or implication"},
    {"similarity", "of each step of similarity"},
    {"association", "of each step of a guess"},
    {"backwards", "of each step of a guess against the direction of its statement"},
    {"asked", "of each step of a guess that states the relation or copula of the question"},
    {"counterevidence", "of 2 min(f, 1 - f) of each step, f the frequency of its statement"},
    {"uncertainty", "of 1 - c of each step, c the confidence of its statement"},
    {"hub",
     "of log(1 + n) / 5 of each step of a guess, n the number of statements that mention the name between "
     "the "
     "step and the one before"},
    {"link",
     "of w_ab / sqrt(w_aa w_bb) of each step from a name a to a name b: their Hebbian link, in [0, 1]"},
    {"nearness",
     "of the cosine of the embeddings of the name that a step leads to and of the question's names"},
}};

/// Feature values of a step, or their sums over the steps of a proof, indexed by ProofFeature.
using ProofFeatures = std::array<double, proof_features>;
/// Weights of the features, called theta in formulas. Negative weights make proofs with this feature less likely.
using ProofWeights = std::array<double, proof_features>;
inline double& at(ProofFeatures& values, ProofFeature f) { return values[static_cast<std::size_t>(f)]; }
inline double at(const ProofFeatures& values, ProofFeature f) { return values[static_cast<std::size_t>(f)]; }
/// Log-weight of features: their inner product with the weights.
double score_of(const ProofWeights& theta, const ProofFeatures& features);

/// Converts weights to a parameter vector for an optimiser.  Shapes  -> (proof_features)
Vector vector_of(const ProofWeights& theta);
/// Converts a parameter vector to weights, clamped to [-largest_proof_weight, largest_proof_weight].
/// Errors  std::invalid_argument for another size
ProofWeights proof_weights_of(const Vector& parameters);
/// Largest absolute value of a weight. Chosen: exp(-30) is negligible.
inline constexpr double largest_proof_weight = 30;

/// The default weights of the method proof_attention. They are the model experiments/models/proof_attention.engram,
/// learnt from generated knowledge by the spec in the same folder (core/proofs/proof_training.hpp).
// clang-format off
inline constexpr ProofWeights shipped_proof_weights{
    -2.431345778870295, -2.4457842057578643, -5.608878211395893, -2,
    -1.5734803782893132, -4.254520592047284, 1.7086748336319144, -5.906676914444086,
    -1.119665059665839, -2.681134525945655, 0, 0};
// clang-format on

/// The weights at the start of training: each step makes a proof exp(2) times less likely, and so does full
/// counterevidence.
inline constexpr ProofWeights plain_proof_weights{-2, -2, -2, -2, -2, 0, 0, -2, -2, 0, 0, 0};

/// Scores the steps of proofs for one question: computes their features, and the costs that order the search.
class ProofScorer {
 public:
  /// `names`      the names of the question, for the feature `nearness`
  /// `embedding`  the embedding for `nearness`; with null, `nearness` is 0
  /// `all`        whether to compute features with weight 0 as well, which training needs
  ProofScorer(const MemoryIndex& memory, const ProofWeights& theta, std::vector<ConceptId> names,
              std::shared_ptr<const Embedding> embedding, bool all);

  /// Returns the features of a step by statement `e` that do not depend on the names it leads to.
  ProofFeatures features(StatementId e, ProofMove move) const;
  /// Raises the feature `hub` to its value for a name. If a step has several names, call it for each: the largest value
  /// stays.
  void add_hub(ProofFeatures& features, ConceptId name) const;
  /// Raises the feature `nearness` to its value for a name that the step leads to.
  void add_nearness(ProofFeatures& features, ConceptId name) const;
  /// Raises the feature `link` to its value for a step from one name to another.
  void add_link(ProofFeatures& features, ConceptId from, ConceptId to) const;
  /// Cost of a step in the search: -theta . f with the weights theta and the features f, but at least least_step_cost.
  double cost(const ProofFeatures& features) const;
  /// Lower bound on the cost of every step of a proof.
  double least_cost() const { return least_cost_; }

  const MemoryIndex& memory() const { return memory_; }

 private:
  bool counts(ProofFeature f) const { return all_ || at(theta_, f) != 0; }

  const MemoryIndex& memory_;
  const ProofWeights theta_;
  const std::vector<ConceptId> names_;
  const std::shared_ptr<const Embedding> embedding_;
  const bool all_;
  double least_cost_ = 0;
};
/// Smallest cost of a step. Chosen above 0, so that every cycle makes a proof more expensive and the search ends.
inline constexpr double least_step_cost = 0.05;

}  // namespace engram::core
