// SPDX-License-Identifier: MIT
#include "core/learning_rules.hpp"

namespace engram::core {
namespace {

void require_patterns(const Matrix& patterns) {
  require(patterns.cols() > 0, "patterns need at least one spin");
  for (Index k = 0; k < patterns.rows(); ++k)
    for (const double spin : row_span(patterns, k))
      require(spin == 1 || spin == -1, "patterns must be of +1 and -1");
}

}  // namespace

std::optional<WeightRule> weight_rule_named(std::string_view name) {
  for (const WeightRuleFacts& facts : weight_rules)
    if (facts.name == name) return facts.rule;
  return std::nullopt;
}

Matrix hebb_weights(const Matrix& patterns) {
  require_patterns(patterns);
  Matrix weights = Matrix::Zero(patterns.cols(), patterns.cols());
  // Sums of +1 and -1 are exact, so the order of summation is free here.
  for (Index k = 0; k < patterns.rows(); ++k)
    for (Index i = 0; i < patterns.cols(); ++i)
      for (Index j = 0; j < patterns.cols(); ++j)
        if (i != j) weights(i, j) += patterns(k, i) * patterns(k, j);
  return weights / static_cast<double>(patterns.cols());
}

Matrix pattern_weights(WeightRule rule, const Matrix& patterns) {
  require(rule == WeightRule::hebb, "this rule is not there yet");
  return hebb_weights(patterns);
}

}  // namespace engram::core
