// SPDX-License-Identifier: MIT
#include "core/paths/path_learner.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

constexpr std::size_t covariances = path_features * (path_features + 1) / 2;
static_assert(covariances == 406 && largest_path_weight == 30);  // as messages say

std::size_t place(std::size_t i, std::size_t j) {
  return std::max(i, j) * (std::max(i, j) + 1) / 2 + std::min(i, j);
}

}  // namespace

std::optional<PathLikelihood> failure_likelihood(const PathExample& example,
                                                 const std::vector<StatementId>& given, double reliability,
                                                 const PathWeights& theta,
                                                 const PathAttentionOptions& options) {
  PathAttentionOptions wanted = options;
  wanted.features = true;
  const auto attend = [&](const PathStatements& statements) {
    return PathAttention(*example.memory, *example.rules, example.question, theta, wanted, statements);
  };
  const PathAttention over_given = attend({given, example.without, {}});
  if (!(over_given.total() > 0)) return std::nullopt;
  const PathAttention all = attend({{}, example.without, given});
  const double found = reliability * std::min(1.0, over_given.total() / all.total());
  PathLikelihood failure;
  failure.log_p = log1p(-found);
  for (std::size_t f = 0; f < path_features; ++f)
    failure.gradient[f] = -found / (1 - found) *
                          (over_given.expected_features()[f] - all.expected_features()[f]) /
                          options.paths.temperature;
  return failure;
}

PathLearner::PathLearner(const PathWeights& start, const PathLearnerOptions& options)
    : reliability_(options.reliability) {
  require(options.precision > 0, "the precision must be above 0", options.precision);
  state_.start = state_.weights = start;
  state_.covariance.assign(covariances, 0);
  for (std::size_t f = 0; f < path_features; ++f) state_.covariance[place(f, f)] = 1 / options.precision;
  freeze(options.frozen);
}

PathLearner::PathLearner(PathLearnerState state, const PathLearnerOptions& options)
    : state_(std::move(state)), reliability_(options.reliability) {
  require(state_.covariance.size() == covariances, "there must be 406 covariances", state_.covariance.size());
  for (const double c : state_.covariance)
    require(std::abs(c) <= 1e6, "covariances must be in [-1e6, 1e6]", c);  // a NaN is not
  for (std::size_t f = 0; f < path_features; ++f) {
    require(state_.covariance[place(f, f)] >= 0, "variances must be 0 or above",
            state_.covariance[place(f, f)]);
    for (const double w : {state_.start[f], state_.weights[f]})
      require(std::abs(w) <= largest_path_weight, "weights must be in [-30, 30]", w);
  }
  freeze(options.frozen);
}

// What has no variance is moved by nothing.
void PathLearner::freeze(const std::vector<PathFeature>& frozen) {
  for (const PathFeature one : frozen)
    for (std::size_t f = 0; f < path_features; ++f)
      state_.covariance[place(static_cast<std::size_t>(one), f)] = 0;
}

bool PathLearner::answered(const PathExample& example, const PathAttentionOptions& options) {
  const auto likelihood = path_likelihood(example, state_.weights, options);
  if (!likelihood) return false;
  step(likelihood->gradient);
  ++state_.answered;
  return true;
}

bool PathLearner::failed(const PathExample& example, const std::vector<StatementId>& given,
                         const PathAttentionOptions& options) {
  const auto likelihood = failure_likelihood(example, given, reliability_, state_.weights, options);
  if (!likelihood) return false;
  step(likelihood->gradient);
  ++state_.failed;
  return true;
}

void PathLearner::step(const PathWeights& gradient) {
  PathWeights moved{};  // C g
  double spread = 1;    // 1 + g' C g
  for (std::size_t i = 0; i < path_features; ++i) {
    for (std::size_t j = 0; j < path_features; ++j) moved[i] += state_.covariance[place(i, j)] * gradient[j];
    spread += moved[i] * gradient[i];
  }
  for (std::size_t i = 0; i < path_features; ++i) {
    for (std::size_t j = 0; j <= i; ++j) state_.covariance[place(i, j)] -= moved[i] * moved[j] / spread;
    // Rounding must not make a variance negative.
    double& variance = state_.covariance[place(i, i)];
    variance = std::max(0.0, variance);
    state_.weights[i] =
        std::clamp(state_.weights[i] + moved[i] / spread, -largest_path_weight, largest_path_weight);
  }
}

}  // namespace engram::core
