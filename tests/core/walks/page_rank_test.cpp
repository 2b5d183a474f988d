// SPDX-License-Identifier: MIT
#include "core/walks/page_rank.hpp"

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "core/numbers/edge_list.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

// (I - d P') r = (1 - d) v, where the row of a node without links is v.
Vector solved(const Matrix& links, const Vector& restart, double damping) {
  const Index n = links.rows();
  const Vector v = restart / restart.sum();
  Matrix p(n, n);
  for (Index i = 0; i < n; ++i) {
    const double degree = links.row(i).sum();
    if (degree > 0)
      p.row(i) = links.row(i) / degree;
    else
      p.row(i) = v.transpose();
  }
  const Matrix system = Matrix::Identity(n, n) - damping * p.transpose();
  return system.partialPivLu().solve((1 - damping) * v);
}

// Weighted links, one in four nodes without any of its own.
Matrix random_links(Rng& rng, Index n, bool directed) {
  Matrix links = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    if (rng.below(4) == 0) continue;
    for (Index j = 0; j < n; ++j)
      if (i != j && rng.below(4) == 0) links(i, j) = samples::uniform(rng, 0.1, 3);
  }
  if (!directed) links = Matrix(links + links.transpose()) / 2;
  return links;
}

TEST_CASE("PageRank solves its linear equations: dense elimination", "[core][page_rank]") {
  Rng rng(1, "page_rank_test dense");
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + static_cast<Index>(rng.below(25));
    const Matrix links = random_links(rng, n, trial % 2 == 0);
    Vector restart(n);
    for (double& x : restart) x = rng.below(3) == 0 ? rng.uniform() : 0.0;
    restart[static_cast<Index>(rng.below(static_cast<std::uint64_t>(n)))] += 0.5;
    const double damping = trial % 5 == 0 ? 0.85 : samples::uniform(rng, 0, 0.97);
    const PageRank result = personalized_page_rank(samples::sparse(links), restart, damping);
    REQUIRE(result.converged);
    // The last change was at most 1e-12, so what is missing is at most 1e-12 d/(1-d) < 1e-10.
    REQUIRE(samples::distance(result.rank, solved(links, restart, damping)) < 1e-10);
    REQUIRE((result.rank.array() >= 0).all());
    REQUIRE(std::abs(result.rank.sum() - 1) < 1e-12);  // 25 terms, some hundred steps
  }
}

TEST_CASE("PageRank of two linked nodes, by hand", "[core][page_rank]") {
  const Matrix links = (Matrix(2, 2) << 0, 3, 3, 0).finished();
  // r0 = (1-d) + d r1 and r1 = d r0 give r0 = 1/(1+d).
  for (const double d : {0.0, 0.5, 0.85}) {
    const Vector rank = personalized_page_rank(samples::sparse(links), samples::vector({2, 0}), d).rank;
    CHECK(std::abs(rank[0] - 1 / (1 + d)) < 1e-11);
    CHECK(std::abs(rank[1] - d / (1 + d)) < 1e-11);
  }
}

TEST_CASE("PageRank is even on a ring and stays where nothing leads away", "[core][page_rank]") {
  Matrix ring = Matrix::Zero(8, 8);
  for (Index i = 0; i < 8; ++i) ring(i, (i + 1) % 8) = ring((i + 1) % 8, i) = 1;
  const PageRank even = personalized_page_rank(samples::sparse(ring), Vector::Ones(8));
  CHECK(samples::distance(even.rank, Vector::Constant(8, 0.125)) < 1e-15);
  CHECK(even.iterations == 1);

  Matrix apart = Matrix::Zero(3, 3);
  apart(0, 1) = apart(1, 0) = 1;
  CHECK(personalized_page_rank(samples::sparse(apart), Vector::Unit(3, 2)).rank ==
        Vector(Vector::Unit(3, 2)));
  CHECK(personalized_page_rank(samples::sparse(apart), Vector::Unit(3, 0)).rank[2] == 0);
  CHECK(personalized_page_rank(samples::sparse(Matrix::Zero(1, 1)), Vector::Ones(1)).rank == Vector::Ones(1));
}

TEST_CASE("only the proportions of links and restart count", "[core][page_rank]") {
  Rng rng(2, "page_rank_test scale");
  const Matrix links = random_links(rng, 12, true);
  const Vector restart = samples::vector({1, 0, 2, 0, 0, 0.5, 0, 0, 0, 0, 0, 1});
  const Vector rank = personalized_page_rank(samples::sparse(links), restart).rank;
  // Powers of two scale exactly.
  CHECK(personalized_page_rank(samples::sparse(links * 4), restart / 8).rank == rank);
}

TEST_CASE("after t steps PageRank misses by 2 d^t at most, and damping 0 is the restart",
          "[core][page_rank]") {
  Rng rng(3, "page_rank_test steps");
  const Matrix links = random_links(rng, 15, true);
  const Vector restart = Vector::Unit(15, 3) + Vector::Unit(15, 7);
  const Vector exact = solved(links, restart, 0.9);
  for (int steps = 1; steps <= 60; ++steps) {
    const PageRank cut = personalized_page_rank(samples::sparse(links), restart, 0.9, 0.0, steps);
    CHECK(cut.iterations == steps);
    CHECK((cut.rank - exact).lpNorm<1>() <= 2 * std::pow(0.9, steps) + 1e-14);
  }
  CHECK_FALSE(personalized_page_rank(samples::sparse(links), restart, 0.9, 1e-12, 5).converged);
  CHECK(personalized_page_rank(samples::sparse(links), restart, 0.0).rank == Vector(restart / 2));
}

TEST_CASE("links that are all but forgotten lead as before", "[core][page_rank]") {
  Matrix links = Matrix::Zero(3, 3);
  links(0, 1) = links(1, 0) = 1;
  links(0, 2) = links(2, 0) = 0.25;
  const Vector rank = personalized_page_rank(samples::sparse(links), Vector::Unit(3, 2)).rank;
  const Vector faded = personalized_page_rank(samples::sparse(links * 0x1p-1060), Vector::Unit(3, 2)).rank;
  CHECK(samples::distance(faded, rank) < 1e-15);
  CHECK_THROWS_AS(personalized_page_rank(samples::sparse(links), samples::vector({2, -1, 0})),
                  std::invalid_argument);
}

TEST_CASE("PageRank refuses what does not fit", "[core][page_rank]") {
  const SparseRows links = samples::sparse(Matrix::Ones(3, 3));
  const Vector restart = Vector::Ones(3);
  CHECK_THROWS_AS(personalized_page_rank(links, Vector::Zero(3)), std::invalid_argument);
  CHECK_THROWS_AS(personalized_page_rank(links, Vector::Ones(2)), std::invalid_argument);
  CHECK_THROWS_AS(personalized_page_rank(samples::sparse(Matrix::Ones(3, 2)), restart),
                  std::invalid_argument);
  for (const double damping : {1.0, -0.1, 2.0, std::numeric_limits<double>::quiet_NaN()})
    CHECK_THROWS_AS(personalized_page_rank(links, restart, damping), std::invalid_argument);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -5.0})
    CHECK_THROWS_AS(personalized_page_rank(links, samples::vector({1, bad, 0})), std::invalid_argument);
}

TEST_CASE("the steps are those of the iteration, from the restart on", "[core][page_rank]") {
  Rng rng(4, "page_rank_test iterates");
  const Matrix links = random_links(rng, 9, true);
  const Vector restart = Vector::Unit(9, 2) + Vector::Unit(9, 5);
  const Matrix steps = page_rank_steps(samples::sparse(links), restart, 0.7, 6);
  REQUIRE(steps.rows() == 6);
  Vector x = restart / 2;
  for (Index t = 0; t < 6; ++t) {
    Vector next = 0.3 * restart / 2;
    for (Index i = 0; i < 9; ++i) {
      const double degree = links.row(i).sum();
      next += 0.7 * x[i] * (degree > 0 ? Vector(links.row(i).transpose() / degree) : Vector(restart / 2));
    }
    x = next;
    CHECK(samples::distance(Vector(steps.row(t).transpose()), x) < 1e-15);
    CHECK(steps.row(t) ==
          personalized_page_rank(samples::sparse(links), restart, 0.7, 0.0, static_cast<int>(t) + 1)
              .rank.transpose());
  }
  CHECK(page_rank_steps(samples::sparse(links), restart, 0.7, 0).rows() == 0);
  CHECK_THROWS_AS(page_rank_steps(samples::sparse(links), restart, 0.7, -1), std::invalid_argument);
}

TEST_CASE("the steps said to be needed bring the rank as near as said, up to damping 0.999",
          "[core][page_rank]") {
  Rng rng(5, "page_rank_test needed");
  for (const double damping : {0.0, 0.1, 0.85, 0.99, 0.999}) {
    const int needed = page_rank_steps_needed(damping, 1e-14);
    CHECK(2 * std::pow(damping, needed) <= 1e-14 * 1.001);
    if (damping > 0) CHECK(2 * std::pow(damping, needed - 1) > 1e-14 * 0.999);
    for (int trial = 0; trial < 5; ++trial) {
      const Matrix links = random_links(rng, 20, trial % 2 == 0);
      const Vector restart = Vector::Unit(20, trial) + Vector::Constant(20, 0.1);
      const PageRank rank =
          personalized_page_rank(samples::sparse(links), restart, damping, 1e-14 * (1 - damping), needed);
      CHECK(samples::distance(rank.rank, solved(links, restart, damping)) < 1e-13);
    }
  }
  CHECK_THROWS_AS(page_rank_steps_needed(1.0, 1e-14), std::invalid_argument);
  CHECK_THROWS_AS(page_rank_steps_needed(0.5, 0.0), std::invalid_argument);
}

TEST_CASE("links of edges: both directions, self loops once, repeated edges add up", "[core][edge_list]") {
  const std::vector<Edge> edges{{2, 0, 1.5}, {0, 0, 4}, {0, 1, 2}, {1, 0, 0.25}, {2, 0, 1}};
  const Matrix directed = (Matrix(4, 4) << 4, 2, 0, 0, 0.25, 0, 0, 0, 2.5, 0, 0, 0, 0, 0, 0, 0).finished();
  CHECK(samples::dense(links_of_edges(4, edges, true)) == directed);
  Matrix both = directed + Matrix(directed.transpose());
  both(0, 0) = 4;
  CHECK(samples::dense(links_of_edges(4, edges, false)) == both);
  CHECK(links_of_edges(3, {}, false).rows() == 3);
  CHECK(links_of_edges(3, {}, false).entries() == 0);
  const auto refused = [](Edge edge) {
    CHECK_THROWS_AS(links_of_edges(3, std::vector<Edge>{edge}, true), std::invalid_argument);
  };
  refused({3, 0, 1});
  refused({0, 3, 1});
  refused({0, 1, -1});
  refused({0, 1, std::numeric_limits<double>::quiet_NaN()});
  refused({0, 1, std::numeric_limits<double>::infinity()});
  CHECK_THROWS_AS(links_of_edges(2, std::vector<Edge>{{0, 1, 1e308}, {0, 1, 1e308}}, true),
                  std::invalid_argument);
  // Weights whose sum leaves the doubles still lead on in proportion.
  const SparseRows huge = links_of_edges(3, std::vector<Edge>{{0, 1, 1.5e308}, {0, 2, 0.5e308}}, true);
  const Vector rank = personalized_page_rank(huge, Vector::Unit(3, 0), 0.5).rank;
  CHECK(rank[1] == Approx(3 * rank[2]).epsilon(1e-12));
  CHECK(rank[2] > 0.05);
}

}  // namespace
}  // namespace engram::core
