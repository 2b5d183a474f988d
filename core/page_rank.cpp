// SPDX-License-Identifier: MIT
#include "core/page_rank.hpp"

#include <cmath>

#include "core/numeric.hpp"

namespace engram::core {

PageRank personalized_page_rank(const SparseRows& links, const Vector& restart, double damping,
                                double tolerance, int max_steps) {
  require_size("columns of links", links.columns(), links.rows());
  require_size("restart", restart.size(), links.rows());
  require(damping >= 0 && damping < 1, "damping must be in [0, 1)");
  const double total = sum(restart);
  require(total > 0 && std::isfinite(total), "restart needs a positive sum");
  require((restart.array() >= 0).all(), "restart must not be negative");

  // Each weight over its row's sum; 1/sum would be infinite for links that are all but forgotten.
  SparseRows transitions = links;
  for (Index i = 0; i < links.rows(); ++i) {
    const double degree = sum(links.values_of(i));
    for (double& weight : transitions.values_of(i)) weight = degree > 0 ? weight / degree : 0.0;
  }
  const Vector v = restart / total;
  PageRank result;
  result.rank = v;
  while (result.iterations < max_steps && !result.converged) {
    const Vector spread = transitions.multiply_transposed(result.rank);
    // What does not travel along a link (dangling nodes) goes back to v, so the sum stays 1.
    const double back = 1.0 - damping * sum(spread);
    double change = 0;
    for (Index i = 0; i < v.size(); ++i) {
      const double next = back * v[i] + damping * spread[i];
      change += std::abs(next - result.rank[i]);
      result.rank[i] = next;
    }
    ++result.iterations;
    result.converged = change <= tolerance;
  }
  return result;
}

}  // namespace engram::core
