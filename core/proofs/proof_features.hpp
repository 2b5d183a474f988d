// SPDX-License-Identifier: MIT
// The features of the steps of a proof, and the weights that give a proof its probability.
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

/// The role of a statement in a step of a proof.
enum class ProofMove : std::uint8_t {
  fact,         // it states the goal
  rule,         // it concludes the goal; its conditions are the premises
  inheritance,  // <a --> b> leads from a goal about a to the same goal about b; likewise implications
  similarity,   // <a <-> b> does so in both directions
  association,  // it mentions two names, and leads from one to the other; only guesses use it
};

/// The features of one step. The first five are indicators of the step's move.
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

/// The name of a feature, and its meaning.
struct ProofFeatureFacts {
  std::string_view name, meaning;
};
/// In the order of ProofFeature.
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

/// The features of a step, or the sums over the steps of a proof.
using ProofFeatures = std::array<double, proof_features>;
/// theta: a weight for each feature.
using ProofWeights = std::array<double, proof_features>;
inline double& at(ProofFeatures& values, ProofFeature f) { return values[static_cast<std::size_t>(f)]; }
inline double at(const ProofFeatures& values, ProofFeature f) { return values[static_cast<std::size_t>(f)]; }
/// The inner product of weights and features.
double score_of(const ProofWeights& theta, const ProofFeatures& features);

/// The weights as a vector.  Shapes  -> (proof_features)
Vector vector_of(const ProofWeights& theta);
/// The weights in a vector, clamped to [-largest_proof_weight, largest_proof_weight].
/// Errors  std::invalid_argument for another size
ProofWeights proof_weights_of(const Vector& parameters);
/// Chosen: exp(-30) is negligible.
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

/// Computes the features of steps for one question, and the costs that order the search.
class ProofScorer {
 public:
  /// `names`      the names of the question, for `nearness`
  /// `embedding`  null: `nearness` is 0
  /// `all`        whether to compute features with weight 0 as well, which training needs
  ProofScorer(const MemoryIndex& memory, const ProofWeights& theta, std::vector<ConceptId> names,
              std::shared_ptr<const Embedding> embedding, bool all);

  /// The features of a step by a statement, without the features of the names that it leads to.
  ProofFeatures features(StatementId e, ProofMove move) const;
  /// Adds `hub` of a name. If it is added for several names, the largest value counts; also for the next two.
  void add_hub(ProofFeatures& features, ConceptId name) const;
  /// Adds `nearness` of a name.
  void add_nearness(ProofFeatures& features, ConceptId name) const;
  /// Adds `link` of a step from one name to another.
  void add_link(ProofFeatures& features, ConceptId from, ConceptId to) const;
  /// The cost of a step in the search: -theta . f, at least least_step_cost.
  double cost(const ProofFeatures& features) const;
  /// A lower bound on the cost of every step.
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
/// Chosen: with a positive cost every cycle makes a proof dearer, so that the search ends.
inline constexpr double least_step_cost = 0.05;

}  // namespace engram::core
