// SPDX-License-Identifier: MIT
#include "core/proofs/proof_learner.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

constexpr std::size_t covariances = proof_features * (proof_features + 1) / 2;
static_assert(covariances == 78 && largest_proof_weight == 30);  // as messages say

std::size_t place(std::size_t i, std::size_t j) {
  return std::max(i, j) * (std::max(i, j) + 1) / 2 + std::min(i, j);
}

}  // namespace

ProofLearner::ProofLearner(const ProofWeights& start, const ProofLearnerOptions& options)
    : reliability_(options.reliability) {
  require(options.precision > 0, "the precision must be above 0", options.precision);
  state_.start = state_.weights = start;
  state_.covariance.assign(covariances, 0);
  for (std::size_t f = 0; f < proof_features; ++f) state_.covariance[place(f, f)] = 1 / options.precision;
  freeze(options.frozen);
}

ProofLearner::ProofLearner(ProofLearnerState state, const ProofLearnerOptions& options)
    : state_(std::move(state)), reliability_(options.reliability) {
  require(state_.covariance.size() == covariances, "there must be 78 covariances", state_.covariance.size());
  for (const double c : state_.covariance)
    require(std::abs(c) <= 1e6, "covariances must be in [-1e6, 1e6]", c);  // a NaN is not
  for (std::size_t f = 0; f < proof_features; ++f) {
    require(state_.covariance[place(f, f)] >= 0, "variances must be 0 or above",
            state_.covariance[place(f, f)]);
    for (const double w : {state_.start[f], state_.weights[f]})
      require(std::abs(w) <= largest_proof_weight, "weights must be in [-30, 30]", w);
  }
  freeze(options.frozen);
}

// What has no variance is moved by nothing.
void ProofLearner::freeze(const std::vector<ProofFeature>& frozen) {
  for (const ProofFeature one : frozen)
    for (std::size_t f = 0; f < proof_features; ++f)
      state_.covariance[place(static_cast<std::size_t>(one), f)] = 0;
}

bool ProofLearner::answered(const ProofExample& example, const ProofAttentionOptions& options) {
  const auto likelihood = LearntProofs(example, state_.weights, options).likelihood(state_.weights);
  if (!likelihood) return false;
  step(likelihood->gradient);
  ++state_.answered;
  return true;
}

bool ProofLearner::failed(const ProofExample& example, const std::vector<StatementId>& given,
                          const ProofAttentionOptions& options) {
  const auto likelihood =
      LearntProofs(example, state_.weights, options).failure_likelihood(given, reliability_, state_.weights);
  if (!likelihood) return false;
  step(likelihood->gradient);
  ++state_.failed;
  return true;
}

void ProofLearner::step(const ProofWeights& gradient) {
  ProofWeights moved{};  // C g
  double spread = 1;     // 1 + g' C g
  for (std::size_t i = 0; i < proof_features; ++i) {
    for (std::size_t j = 0; j < proof_features; ++j) moved[i] += state_.covariance[place(i, j)] * gradient[j];
    spread += moved[i] * gradient[i];
  }
  for (std::size_t i = 0; i < proof_features; ++i) {
    for (std::size_t j = 0; j <= i; ++j) state_.covariance[place(i, j)] -= moved[i] * moved[j] / spread;
    // Rounding must not make a variance negative.
    double& variance = state_.covariance[place(i, i)];
    variance = std::max(0.0, variance);
    state_.weights[i] =
        std::clamp(state_.weights[i] + moved[i] / spread, -largest_proof_weight, largest_proof_weight);
  }
}

}  // namespace engram::core
