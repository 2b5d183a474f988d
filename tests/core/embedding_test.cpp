// SPDX-License-Identifier: MIT
#include "core/embedding.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

Matrix random_episodes(Rng& rng, Index p, Index n) {
  Matrix a(p, n);
  for (double& x : a.reshaped()) x = rng.below(3) == 0 ? 1.0 : 0.0;
  return a;
}

TEST_CASE("the embedding of one statement is exact", "[core][embedding]") {
  Matrix a(1, 4);
  a << 1, 0, 1, 1;
  for (const Index nonzeros : {1, 2, 8}) {
    const Matrix x = random_indexing(samples::sparse(a), 16, nonzeros, 5);
    REQUIRE(x.rows() == 4);
    REQUIRE(x.cols() == 16);
    CHECK(x.row(1).isZero(0));
    CHECK(x.row(0) == x.row(2));
    CHECK((x.row(0).array() != 0).count() == nonzeros);
    // Each entry is +1 or -1 over sqrt(nonzeros), so inner products are 1 up to their rounding.
    CHECK(samples::distance(Matrix(x * x.transpose()), Matrix(a.transpose() * a)) < 1e-15 * 4);
  }
}

TEST_CASE("embeddings repeat for a seed, and a statement's vector is its own", "[core][embedding]") {
  Rng rng(1, "embedding_test repeat");
  const Matrix a = random_episodes(rng, 12, 9);
  const Matrix x = random_indexing(samples::sparse(a), 64, 6, 3);
  CHECK(random_indexing(samples::sparse(a), 64, 6, 3) == x);
  CHECK(random_indexing(samples::sparse(a), 64, 6, 4) != x);
  // X is linear in the rows of A: what the first statements give does not change with the last.
  Matrix first = a, last = a;
  first.bottomRows(5).setZero();
  last.topRows(7).setZero();
  const Matrix parts =
      random_indexing(samples::sparse(first), 64, 6, 3) + random_indexing(samples::sparse(last), 64, 6, 3);
  CHECK(samples::distance(parts, x) < 1e-14);  // a dozen roundings
}

TEST_CASE("inner products of embeddings are unbiased estimates of the Hebbian graph", "[core][embedding]") {
  Rng rng(2, "embedding_test unbiased");
  constexpr int seeds = 600;
  constexpr Index dimensions = 32;
  const Matrix a = random_episodes(rng, 8, 6);
  const Matrix truth = a.transpose() * a;
  for (const Index nonzeros : {4, 32}) {
    Matrix mean = Matrix::Zero(6, 6), squares = Matrix::Zero(6, 6);
    for (int seed = 0; seed < seeds; ++seed) {
      const Matrix x =
          random_indexing(samples::sparse(a), dimensions, nonzeros, static_cast<std::uint64_t>(seed));
      const Matrix error = x * x.transpose() - truth;
      mean += error / seeds;
      squares += error.cwiseProduct(error) / seeds;
    }
    double observed = 0, expected = 0;
    for (Index i = 0; i < 6; ++i)
      for (Index j = 0; j < 6; ++j) {
        // Vectors of two statements have an inner product of mean 0 and variance 1/d, so the error's variance
        // is that of sum_{s<t} (a_si a_tj + a_ti a_sj) r_s r_t.
        double variance = 0;
        for (Index s = 0; s < 8; ++s)
          for (Index t = 0; t < s; ++t)
            variance += std::pow(a(s, i) * a(t, j) + a(t, i) * a(s, j), 2) / dimensions;
        CHECK(std::abs(mean(i, j)) <= 4.5 * std::sqrt(variance / seeds) + 1e-12);  // 4.5 standard errors
        observed += squares(i, j);
        expected += variance;
      }
    CHECK(observed == Approx(expected).epsilon(0.15));  // 600 seeds, entries not independent
  }
}

TEST_CASE("the standard error falls as 1/sqrt(d)", "[core][embedding]") {
  Rng rng(3, "embedding_test dimensions");
  const Matrix a = random_episodes(rng, 30, 10);
  const Matrix truth = a.transpose() * a;
  const auto squared_error = [&](Index dimensions) {
    double total = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const Matrix x = random_indexing(samples::sparse(a), dimensions, 8, seed);
      total += (x * x.transpose() - truth).squaredNorm();
    }
    return total;
  };
  CHECK(squared_error(64) / squared_error(1024) == Approx(16).epsilon(0.25));  // 40 seeds
}

TEST_CASE("random indexing at its edges", "[core][embedding]") {
  CHECK(random_indexing(SparseRows(3), 8, 2, 1) == Matrix::Zero(3, 8));
  CHECK(random_indexing(SparseRows(0), 8, 2, 1).rows() == 0);
  const Matrix full = random_indexing(samples::sparse(Matrix::Ones(1, 1)), 4, 4, 1);
  CHECK(full.cwiseAbs() == Matrix::Constant(1, 4, 0.5));
  CHECK_THROWS_AS(random_indexing(SparseRows(3), 8, 0, 1), std::invalid_argument);
  CHECK_THROWS_AS(random_indexing(SparseRows(3), 8, 9, 1), std::invalid_argument);
  CHECK_THROWS_AS(random_indexing(SparseRows(3), 0, 1, 1), std::invalid_argument);
}

}  // namespace
}  // namespace engram::core
