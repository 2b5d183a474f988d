// SPDX-License-Identifier: MIT
#include "core/paths/path_features.hpp"

#include <algorithm>
#include <utility>

namespace engram::core {

Vector vector_of(const PathWeights& theta) {
  return Eigen::Map<const Vector>(theta.data(), static_cast<Index>(theta.size()));
}

PathWeights path_weights_in(const Vector& theta) {
  require_size("weights", theta.size(), static_cast<Index>(path_features));
  PathWeights weights;
  std::ranges::copy(theta, weights.begin());
  return weights;
}

PathScorer::PathScorer(const Readings& memory, const RelationRules& rules, const PathQuestion& question,
                       std::shared_ptr<const Embedding> embedding)
    : memory_(memory), rules_(rules), question_(question), embedding_(std::move(embedding)) {
  if (question_.relation_known || question_.asked.kind != StepKind::relation) {
    begin_ = rules.begin(question_.asked);
    end_ = rules.end(question_.asked);
    return;
  }
  for (const RelationRule& rule : rules.all())
    if (rule.conclusion.kind == StepKind::relation && !rule.conclusion.back) {
      begin_.insert(rule.premises.front());
      end_.insert(rule.premises.back());
    }
}

bool PathScorer::says_asked(const Pass& pass) const {
  const StepSymbol& asked = question_.asked;
  return pass.kind == asked.kind && pass.kind != StepKind::other && pass.back == asked.back &&
         (pass.kind != StepKind::relation || !question_.relation_known || pass.relation == asked.relation);
}

double PathScorer::link(ConceptId a, ConceptId b) const {
  const auto columns = memory_.links().columns_of(static_cast<Index>(a));
  const auto found = std::ranges::lower_bound(columns, b);
  if (found == columns.end() || *found != b) return 0;
  const double shared =
      memory_.links().values_of(static_cast<Index>(a))[static_cast<std::size_t>(found - columns.begin())];
  const double of_both = memory_.activity(static_cast<Index>(a)) * memory_.activity(static_cast<Index>(b));
  return of_both > 0 ? shared / std::sqrt(of_both) : 0;
}

double PathScorer::hub(ConceptId between) const {
  return log1p(static_cast<double>(memory_.mentions(static_cast<Index>(between)).size())) / 5;
}

std::optional<PathFeature> PathScorer::joint(const Pass& first, const Pass& second) const {
  using F = PathFeature;
  const auto joined = rules_.joined(symbol_of(first), symbol_of(second), question_.asked);
  if (joined.any) return joined.asked || !question_.relation_known ? F::rule_for_asked : F::rule;
  if (first.kind != second.kind) return F::change;
  if (first.kind == StepKind::relation) return F::no_rule;
  if (first.kind != StepKind::inheritance) return std::nullopt;
  if (first.back != second.back) return F::turn;
  return first.back ? std::nullopt : std::optional(F::upwards);
}

}  // namespace engram::core
