// SPDX-License-Identifier: MIT
#include "core/methods/recall.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/numbers/numeric.hpp"

namespace engram::core {

std::size_t certain_best(const std::vector<SparseVector::Entry>& scores,
                         const std::vector<std::pair<double, double>>& bounds, double beyond) {
  constexpr double rounding = 1 + 1e-9;
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t k) { return scores[k].second; });
  std::vector<double> most_after(order.size() + 1, beyond);
  for (std::size_t k = order.size(); k-- > 0;)
    most_after[k] = std::max(most_after[k + 1], bounds[order[k]].second);
  std::size_t certain = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < order.size(); ++k) {
    least = std::min(least, bounds[order[k]].first);
    if (least > most_after[k + 1] * rounding) certain = k + 1;
  }
  return certain;
}

Recall from_statements(const MemoryIndex& memory, SparseVector statements) {
  Recall recall;
  const double total = sum(statements);
  recall.concepts = memory.concept_scores(total > 0 ? statements / total : statements);
  recall.statements = std::move(statements);
  return recall;
}

Recall from_concepts(const MemoryIndex& memory, SparseVector concepts) {
  Recall recall;
  recall.statements = memory.statement_scores(concepts);
  recall.concepts = std::move(concepts);
  return recall;
}

}  // namespace engram::core
