// SPDX-License-Identifier: MIT
// Sparse patterns of 0 and 1: recall by k winners.
#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/hopfield/hopfield.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

Matrix sparse_patterns(Rng& rng, Index k, Index n, double a) {
  Matrix x(k, n);
  for (double& bit : x.reshaped()) bit = rng.uniform() < a ? 1.0 : 0.0;
  return x;
}

// A graph's couplings as shares of episodes.
SparseCouplings couplings_of(const Matrix& x) {
  const Matrix shares = x.transpose() * x / static_cast<double>(x.rows());
  Matrix together = shares;
  together.diagonal().setZero();
  return {samples::sparse(together), shares.diagonal(), Vector::Ones(x.cols())};
}

// Cosine-like overlap in [-1, 1] of the active units with a pattern.
double overlap(const std::vector<std::uint32_t>& active, const Vector& pattern) {
  const double n = static_cast<double>(pattern.size()), size = static_cast<double>(active.size());
  double shared = 0;
  for (const std::uint32_t i : active) shared += pattern[i];
  const double a = pattern.mean(), b = size / n;
  return (shared / n - a * b) / std::sqrt(a * (1 - a) * b * (1 - b));
}

TEST_CASE("of equal fields the lowest ids win", "[core][sparse_coding]") {
  const SparseCouplings unlinked{samples::sparse(Matrix::Zero(4, 4)), Vector::Ones(4), Vector::Zero(4)};
  CHECK(recall_winners(unlinked, Vector::Ones(4), 2, 1).winners == std::vector<std::uint32_t>{0, 1});
  CHECK_THROWS_AS(recall_winners(unlinked, Vector::Ones(3), 2, 1), std::invalid_argument);
}

TEST_CASE("the sparser the patterns, the more are held", "[core][sparse_coding]") {
  const Index n = 300;  // as many patterns as units
  std::vector<double> overlaps;
  for (const double a : {0.5, 0.1, 0.02}) {
    Rng rng(11, "sparse capacity");
    const Matrix x = sparse_patterns(rng, n, n, a);
    const SparseCouplings w = couplings_of(x);
    double total = 0;
    int count = 0;
    for (Index k = 0; k < 12; ++k) {
      const Vector cue = x.row(k).transpose();
      const auto size = static_cast<Index>(cue.sum());
      if (size < 2) continue;
      total += overlap(recall_winners(w, cue, size, 0).winners, cue);
      ++count;
    }
    overlaps.push_back(total / count);
  }
  CAPTURE(overlaps[0], overlaps[1], overlaps[2]);
  CHECK(overlaps[1] > overlaps[0] + 0.1);
  CHECK(overlaps[2] > overlaps[1] + 0.1);
}

}  // namespace
}  // namespace engram::core
