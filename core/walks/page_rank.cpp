// SPDX-License-Identifier: MIT
#include "core/walks/page_rank.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

SparseRows transitions_of(const SparseRows& links) {
  SparseRows transitions = links;
  for (Index i = 0; i < links.rows(); ++i) normalise_shares(transitions.values_of(i));
  return transitions;
}

// The iteration r <- (1-d) v + d P' r, begun at v.
class Walk {
 public:
  Walk(const SparseRows& links, const Vector& restart, double damping) : damping_(damping) {
    require_size("columns of links", links.columns(), links.rows());
    require_size("restart", restart.size(), links.rows());
    require(damping >= 0 && damping < 1, "damping must be in [0, 1)", damping);
    const double total = sum(restart);
    require(total > 0 && std::isfinite(total), "restart needs a positive sum");
    require((restart.array() >= 0).all(), "restart must not be negative");
    transitions_ = transitions_of(links);
    restart_ = restart / total;
    rank_ = restart_;
  }

  // One step; the sum of the absolute changes.
  double step() {
    const Vector spread = transitions_.multiply_transposed(rank_);
    // What does not travel along a link (dangling nodes) goes back to v, so the sum stays 1.
    const double back = 1.0 - damping_ * sum(spread);
    double change = 0;
    for (Index i = 0; i < rank_.size(); ++i) {
      const double next = back * restart_[i] + damping_ * spread[i];
      change += std::abs(next - rank_[i]);
      rank_[i] = next;
    }
    return change;
  }

  const Vector& rank() const { return rank_; }

 private:
  double damping_;
  SparseRows transitions_;
  Vector restart_, rank_;
};

}  // namespace

void set_shares(const SparseRows& links, Index i, std::vector<double>& shares) {
  const auto row = links.values_of(i);
  shares.assign(row.begin(), row.end());
  normalise_shares(shares);
}

void normalise_shares(std::span<double> shares) {
  double degree = sum(shares);
  if (std::isinf(degree)) {
    for (double& weight : shares) weight *= 0x1p-64;
    degree = sum(shares);
  }
  if (degree > 0)  // 1/degree would be infinite for links that are all but forgotten
    for (double& weight : shares) weight /= degree;
  else
    std::ranges::fill(shares, 0.0);
}

PageRank personalized_page_rank(const SparseRows& links, const Vector& restart, double damping,
                                double tolerance, int max_steps) {
  Walk walk(links, restart, damping);
  PageRank result;
  while (result.iterations < max_steps && !result.converged) {
    result.converged = walk.step() <= tolerance;
    ++result.iterations;
  }
  result.rank = walk.rank();
  return result;
}

Matrix page_rank_steps(const SparseRows& links, const Vector& restart, double damping, int steps) {
  require(steps >= 0, "the number of steps must not be negative", steps);
  Walk walk(links, restart, damping);
  Matrix iterates(steps, restart.size());
  for (int t = 0; t < steps; ++t) {
    walk.step();
    iterates.row(t) = walk.rank().transpose();
  }
  return iterates;
}

int page_rank_steps_needed(double damping, double error) {
  require(damping >= 0 && damping < 1, "damping must be in [0, 1)", damping);
  require(error > 0 && error < 2, "the error must be in (0, 2)", error);
  if (damping == 0) return 1;
  return static_cast<int>(std::ceil(std::min(log(error / 2) / log(damping), 2e9)));  // 2 d^t <= error
}

}  // namespace engram::core
