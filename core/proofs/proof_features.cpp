// SPDX-License-Identifier: MIT
#include "core/proofs/proof_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/numbers/shapes.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {

double score_of(const ProofWeights& theta, const ProofFeatures& features) {
  double score = 0;
  for (std::size_t f = 0; f < proof_features; ++f) score += theta[f] * features[f];
  return score;
}

Vector vector_of(const ProofWeights& theta) {
  return Eigen::Map<const Vector>(theta.data(), static_cast<Index>(theta.size()));
}

ProofWeights proof_weights_of(const Vector& parameters) {
  require_size("weights", parameters.size(), static_cast<Index>(proof_features));
  ProofWeights theta;
  for (std::size_t f = 0; f < proof_features; ++f)
    theta[f] = std::clamp(parameters[static_cast<Index>(f)], -largest_proof_weight, largest_proof_weight);
  return theta;
}

ProofScorer::ProofScorer(const MemoryIndex& memory, const ProofWeights& theta, std::vector<ConceptId> names,
                         std::shared_ptr<const Embedding> embedding, bool all)
    : memory_(memory), theta_(theta), names_(std::move(names)), embedding_(std::move(embedding)), all_(all) {
  using F = ProofFeature;
  double most = -std::numeric_limits<double>::infinity();  // upper bound on the score of a step
  for (const F move : {F::fact, F::rule, F::inheritance, F::similarity})
    most = std::max(most, at(theta_, move));
  for (const F f : {F::counterevidence, F::uncertainty, F::link, F::nearness})
    most += std::max(0.0, at(theta_, f));
  least_cost_ = std::max(least_step_cost, -most);
}

ProofFeatures ProofScorer::features(StatementId e, ProofMove move) const {
  using F = ProofFeature;
  ProofFeatures found{};
  found[static_cast<std::size_t>(move)] = 1;
  const auto truth = memory_.memory().statements().truth_or_default(e);
  at(found, F::counterevidence) = 2 * std::min(truth.frequency, 1 - truth.frequency);
  at(found, F::uncertainty) = 1 - truth.confidence;
  return found;
}

void ProofScorer::add_hub(ProofFeatures& features, ConceptId name) const {
  if (!counts(ProofFeature::hub)) return;
  double& hub = at(features, ProofFeature::hub);
  hub = std::max(hub, log1p(static_cast<double>(memory_.mentions(static_cast<Index>(name)).size())) / 5);
}

void ProofScorer::add_nearness(ProofFeatures& features, ConceptId name) const {
  if (!counts(ProofFeature::nearness) || !embedding_) return;
  double& nearness = at(features, ProofFeature::nearness);
  const auto i = static_cast<Index>(name);
  for (const ConceptId asked : names_) {
    const auto j = static_cast<Index>(asked);
    const double lengths = embedding_->lengths[i] * embedding_->lengths[j];
    if (name == asked || !(lengths > 0)) continue;
    charge(static_cast<std::uint64_t>(embedding_->rows.cols()));
    double sum = 0;
    for (Index k = 0; k < embedding_->rows.cols(); ++k)
      sum += embedding_->rows(i, k) * embedding_->rows(j, k);
    nearness = std::max(nearness, std::clamp(sum / lengths, 0.0, 1.0));
  }
}

void ProofScorer::add_link(ProofFeatures& features, ConceptId from, ConceptId to) const {
  if (!counts(ProofFeature::link)) return;
  double& link = at(features, ProofFeature::link);
  const auto i = static_cast<Index>(from), j = static_cast<Index>(to);
  const double of_both = memory_.activity(i) * memory_.activity(j);
  if (of_both > 0) link = std::max(link, std::min(1.0, memory_.link(i, j) / std::sqrt(of_both)));
}

double ProofScorer::cost(const ProofFeatures& features) const {
  return std::max(least_step_cost, -score_of(theta_, features));
}

}  // namespace engram::core
