// SPDX-License-Identifier: MIT
// Sparse patterns of 0 and 1: covariance couplings, and recall by threshold or by k winners.
#include <algorithm>
#include <cmath>
#include <limits>
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

DenseCouplings dense_of(const SparseCouplings& sparse) {
  DenseCouplings dense{Matrix::Zero(sparse.size(), sparse.size())};
  for (Index i = 0; i < sparse.size(); ++i)
    for (Index j = 0; j < sparse.size(); ++j) dense.weights(i, j) = sparse.weight(i, j);
  return dense;
}

bool falls(const std::vector<double>& energies) {
  for (std::size_t t = 1; t < energies.size(); ++t)
    if (!(energies[t] <= energies[t - 1] + 1e-12 * (1 + std::abs(energies[t])))) return false;
  return true;
}

// Cosine-like overlap in [-1, 1] of the active units with a pattern.
double overlap(const std::vector<std::uint32_t>& active, const Vector& pattern) {
  const double n = static_cast<double>(pattern.size()), size = static_cast<double>(active.size());
  double shared = 0;
  for (const std::uint32_t i : active) shared += pattern[i];
  const double a = pattern.mean(), b = size / n;
  return (shared / n - a * b) / std::sqrt(a * (1 - a) * b * (1 - b));
}

TEST_CASE("covariance couplings are the centred patterns' products", "[core][sparse_coding]") {
  Rng rng(3, "covariance couplings");
  for (const double a : {0.0, 0.1, 0.5, 1.0}) {
    const Matrix x = sparse_patterns(rng, 7, 20, a);
    Matrix centred = x.array() - x.mean();
    Matrix expected = centred.transpose() * centred / 20.0;
    expected.diagonal().setZero();
    const Matrix found = covariance_couplings(x).weights;
    CHECK((found - expected).cwiseAbs().maxCoeff() <= 1e-15);
    CHECK(found == found.transpose());
  }
  CHECK_THROWS_AS(covariance_couplings(Matrix(0, 3)), std::invalid_argument);
  CHECK_THROWS_AS(covariance_couplings(Matrix::Constant(1, 2, 0.5)), std::invalid_argument);
  CHECK_THROWS_AS(covariance_couplings(Matrix::Constant(1, 2, std::numeric_limits<double>::quiet_NaN())),
                  std::invalid_argument);
}

TEST_CASE("the threshold lies midway between the fields of one stored pattern", "[core][sparse_coding]") {
  const Index n = 4000;
  Matrix x = Matrix::Zero(1, n);
  x.leftCols(400).setOnes();
  const Vector h = covariance_couplings(x).field(x.row(0).transpose(), Vector::Zero(n));
  CHECK((h[0] + h[n - 1]) / 2 == Approx(covariance_threshold(0.1)).epsilon(0.01));
}

TEST_CASE("recall by threshold ends where no unit is on the wrong side", "[core][sparse_coding]") {
  Rng rng(5, "recall by threshold");
  for (int trial = 0; trial < 60; ++trial) {
    const Index n = 30;
    const Matrix x = sparse_patterns(rng, 6, n, 0.2);
    const SparseCouplings graph = couplings_of(x);
    Vector cue = x.row(trial % 6).transpose();
    for (double& c : cue)
      if (rng.uniform() < 0.15) c = 1 - c;
    const double threshold = samples::uniform(rng, -0.1, 0.3),
                 strength = 0.1 * static_cast<double>(rng.below(3));
    const ThresholdRecall recall = recall_by_threshold(graph, cue, threshold, strength);
    CHECK(recall.converged);
    CHECK(falls(recall.energies));
    Vector state = Vector::Zero(n);
    for (const std::uint32_t i : recall.active) state[i] = 1;
    const DenseCouplings dense = dense_of(graph);
    const Vector h = dense.weights * state + strength * cue;
    for (Index i = 0; i < n; ++i) {
      if (graph.activity[i] == 0)
        CHECK(state[i] == 0);
      else if (std::abs(h[i] - threshold) > 1e-9)
        CHECK((h[i] > threshold) == (state[i] == 1));
    }
    const double energy =
        -0.5 * state.dot(dense.weights * state) - strength * state.dot(cue) + threshold * state.sum();
    CHECK(recall.energies.back() == Approx(energy).margin(1e-12));
  }
}

TEST_CASE("graph and dense matrix recall alike", "[core][sparse_coding]") {
  Rng rng(7, "sparse coding dense");
  for (int trial = 0; trial < 30; ++trial) {
    Matrix x = sparse_patterns(rng, 8, 40, 0.2);
    x.row(0).setOnes();  // each unit fires once, as a matrix does not know which never did
    const SparseCouplings graph = couplings_of(x);
    const DenseCouplings dense = dense_of(graph);
    Vector cue = x.row(1 + trial % 7).transpose();
    const ThresholdRecall by_graph = recall_by_threshold(graph, cue, 0.05, 0.3);
    const ThresholdRecall by_matrix = recall_by_threshold(dense, cue, 0.05, 0.3);
    CHECK(by_graph.active == by_matrix.active);
    CHECK(by_graph.flips == by_matrix.flips);
    CHECK(recall_winners(graph, cue, 6, 0.3).winners == recall_winners(dense, cue, 6, 0.3).winners);
  }
}

TEST_CASE("a unit at the threshold keeps its state, and equal fields go to the lowest ids",
          "[core][sparse_coding]") {
  const DenseCouplings unlinked{Matrix::Zero(4, 4)};
  Vector cue(4);
  cue << 1, 0, 1, 0;
  CHECK(recall_by_threshold(unlinked, cue, 0.5, 0.5).active == std::vector<std::uint32_t>{0, 2});
  CHECK(recall_by_threshold(unlinked, cue, 0.6, 0.5).active.empty());
  CHECK(recall_by_threshold(unlinked, cue, 0.0, 0.0).active == std::vector<std::uint32_t>{0, 2});
  CHECK(recall_by_threshold(unlinked, cue, -0.1, 0.0).active == std::vector<std::uint32_t>{0, 1, 2, 3});
  CHECK(recall_winners(unlinked, Vector::Ones(4), 2, 1).winners == std::vector<std::uint32_t>{0, 1});
  CHECK_THROWS_AS(recall_by_threshold(unlinked, Vector::Ones(3), 0, 1), std::invalid_argument);
  CHECK_THROWS_AS(recall_by_threshold(unlinked, cue, std::numeric_limits<double>::quiet_NaN(), 1),
                  std::invalid_argument);
}

TEST_CASE("the sparser the patterns, the more are held", "[core][sparse_coding]") {
  const Index n = 300;  // as many patterns as units
  std::vector<double> overlaps;
  for (const double a : {0.5, 0.1, 0.02}) {
    Rng rng(11, "sparse capacity");
    const Matrix x = sparse_patterns(rng, n, n, a);
    const DenseCouplings w = covariance_couplings(x);
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
