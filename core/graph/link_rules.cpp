// SPDX-License-Identifier: MIT
#include "core/graph/link_rules.hpp"

#include <algorithm>
#include <cmath>

namespace engram::core {
namespace {

constexpr double at_chance = 1e-12;  // of C_ij; chosen, above the rounding of decayed sums

// Evidence of two concepts, over the total.
double weight_of(LinkRule rule, double c, double a, double b) {
  if (rule == LinkRule::cosine) {
    const double lengths = std::sqrt(a) * std::sqrt(b);  // the product of two all but forgotten would be 0
    return lengths > 0 ? std::min(c / lengths, 1.0) : 0.0;
  }
  const double beyond = c - a * b;
  if (!(beyond > at_chance * c)) return 0;
  if (rule == LinkRule::covariance) return beyond;
  const double deviations = std::sqrt(a * std::max(1 - a, 0.0)) * std::sqrt(b * std::max(1 - b, 0.0));
  return deviations > 0 ? std::min(beyond / deviations, 1.0) : 0.0;
}

}  // namespace

double link_weight(LinkRule rule, double c, double a, double b, double total) {
  if (rule == LinkRule::hebb) return c;
  if (!(c > 0)) return 0;  // so that the total is above 0
  const double scale = rule == LinkRule::covariance ? total : 1.0;
  const double weight = scale * weight_of(rule, c / total, a / total, b / total);
  return weight > 0 && std::isfinite(weight) ? weight : 0;  // without end: of a total that is all but gone
}

SparseRows link_weights(LinkRule rule, const SparseRows& together, const Vector& activity, double total) {
  require_size("rows of links", together.rows(), together.columns());
  require_size("activity", activity.size(), together.rows());
  if (rule == LinkRule::hebb) return together;
  SparseRows weights(together.columns());
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (Index i = 0; i < together.rows(); ++i) {
    columns.clear();
    values.clear();
    for (std::size_t k = 0; k < together.columns_of(i).size(); ++k) {
      const std::uint32_t j = together.columns_of(i)[k];
      const double weight = link_weight(rule, together.values_of(i)[k], activity[i], activity[j], total);
      if (weight == 0) continue;
      columns.push_back(j);
      values.push_back(weight);
    }
    weights.push_row(columns, values);
  }
  return weights;
}

}  // namespace engram::core
