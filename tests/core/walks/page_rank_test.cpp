// SPDX-License-Identifier: MIT
#include <Eigen/LU>

#include "core/numbers/sparse_rows.hpp"
#include "core/walks/ecan.hpp"
#include "core/walks/page_rank.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// Solves (I - d P') r = (1 - d) v for the damping d and restart v. The row of P for a node without links is v.
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

// Random weighted links. One in four nodes has no outgoing links.
Matrix random_links(Rng& rng, Index n, bool directed) {
  Matrix links = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    if (rng.below(4) == 0) continue;
    for (Index j = 0; j < n; ++j)
      if (i != j && rng.below(4) == 0) links(i, j) = uniform(rng, 0.1, 3);
  }
  if (!directed) links = Matrix(links + links.transpose()) / 2;
  return links;
}

TEST_CASE("PageRank matches a dense linear solver", "[page_rank]") {
  Rng rng(1, "page_rank_test dense");
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + below(rng, 25);
    const Matrix links = random_links(rng, n, trial % 2 == 0);
    Vector restart(n);
    for (double& x : restart) x = rng.below(3) == 0 ? rng.uniform() : 0.0;
    restart[below(rng, n)] += 0.5;
    const double damping = trial % 5 == 0 ? 0.85 : uniform(rng, 0, 0.97);
    const PageRank result = personalized_page_rank(sparse(links), restart, damping);
    REQUIRE(result.converged);
    // The last change was at most 1e-12, so the error is at most 1e-12 d/(1-d) < 1e-10.
    REQUIRE(distance(result.rank, solved(links, restart, damping)) < 1e-10);
    REQUIRE((result.rank.array() >= 0).all());
    REQUIRE(std::abs(result.rank.sum() - 1) < 1e-12);  // rounding of 25 terms over about a hundred steps
  }
}

TEST_CASE("PageRank of two linked nodes, worked by hand", "[page_rank]") {
  const Matrix links{{0, 3}, {3, 0}};
  // With rank r0 of the start and r1 of the other node, r0 = (1-d) + d r1 and r1 = d r0, so r0 = 1/(1+d).
  for (const double d : {0.0, 0.5, 0.85}) {
    const Vector rank = personalized_page_rank(sparse(links), vector({2, 0}), d).rank;
    CHECK(std::abs(rank[0] - 1 / (1 + d)) < 1e-11);
    CHECK(std::abs(rank[1] - d / (1 + d)) < 1e-11);
  }
}

TEST_CASE("PageRank is uniform on a ring and stays at nodes without links", "[page_rank]") {
  Matrix ring = Matrix::Zero(8, 8);
  for (Index i = 0; i < 8; ++i) ring(i, (i + 1) % 8) = ring((i + 1) % 8, i) = 1;
  const PageRank even = personalized_page_rank(sparse(ring), Vector::Ones(8));
  CHECK(distance(even.rank, Vector::Constant(8, 0.125)) < 1e-15);
  CHECK(even.iterations == 1);

  Matrix apart = Matrix::Zero(3, 3);
  apart(0, 1) = apart(1, 0) = 1;
  CHECK(personalized_page_rank(sparse(apart), Vector::Unit(3, 2)).rank == Vector(Vector::Unit(3, 2)));
  CHECK(personalized_page_rank(sparse(apart), Vector::Unit(3, 0)).rank[2] == 0);
  CHECK(personalized_page_rank(sparse(Matrix::Zero(1, 1)), Vector::Ones(1)).rank == Vector::Ones(1));
}

TEST_CASE("PageRank does not depend on the scale of links and restart", "[page_rank]") {
  Rng rng(2, "page_rank_test scale");
  const Matrix links = random_links(rng, 12, true);
  const Vector restart = vector({1, 0, 2, 0, 0, 0.5, 0, 0, 0, 0, 0, 1});
  const Vector rank = personalized_page_rank(sparse(links), restart).rank;
  // Scaling by powers of two is exact.
  CHECK(personalized_page_rank(sparse(links * 4), restart / 8).rank == rank);
}

TEST_CASE("after t steps the error of PageRank is at most 2 d^t; damping 0 gives the restart",
          "[page_rank]") {
  Rng rng(3, "page_rank_test steps");
  const Matrix links = random_links(rng, 15, true);
  const Vector restart = Vector::Unit(15, 3) + Vector::Unit(15, 7);
  const Vector exact = solved(links, restart, 0.9);
  for (int steps = 1; steps <= 60; ++steps) {
    const PageRank cut = personalized_page_rank(sparse(links), restart, 0.9, 0.0, steps);
    CHECK(cut.iterations == steps);
    CHECK((cut.rank - exact).lpNorm<1>() <= 2 * std::pow(0.9, steps) + 1e-14);
  }
  CHECK_FALSE(personalized_page_rank(sparse(links), restart, 0.9, 1e-12, 5).converged);
  CHECK(personalized_page_rank(sparse(links), restart, 0.0).rank == Vector(restart / 2));
}

TEST_CASE("subnormal link weights are normalised correctly", "[page_rank]") {
  Matrix links = Matrix::Zero(3, 3);
  links(0, 1) = links(1, 0) = 1;
  links(0, 2) = links(2, 0) = 0.25;
  const Vector rank = personalized_page_rank(sparse(links), Vector::Unit(3, 2)).rank;
  const Vector faded = personalized_page_rank(sparse(links * 0x1p-1060), Vector::Unit(3, 2)).rank;
  CHECK(distance(faded, rank) < 1e-15);
  CHECK_INVALID(personalized_page_rank(sparse(links), vector({2, -1, 0})));
}

TEST_CASE("PageRank rejects invalid input", "[page_rank]") {
  const SparseRows links = sparse(Matrix::Ones(3, 3));
  const Vector restart = Vector::Ones(3);
  CHECK_INVALID(personalized_page_rank(links, Vector::Zero(3)));
  CHECK_INVALID(personalized_page_rank(links, Vector::Ones(2)));
  CHECK_INVALID(personalized_page_rank(sparse(Matrix::Ones(3, 2)), restart));
  for (const double damping : {1.0, -0.1, 2.0, nan})
    CHECK_INVALID(personalized_page_rank(links, restart, damping));
  for (const double bad : {nan, infinity, -5.0})
    CHECK_INVALID(personalized_page_rank(links, vector({1, bad, 0})));
}

TEST_CASE("page_rank_steps gives the iterates after the restart", "[page_rank]") {
  Rng rng(4, "page_rank_test iterates");
  const Matrix links = random_links(rng, 9, true);
  const Vector restart = Vector::Unit(9, 2) + Vector::Unit(9, 5);
  const Matrix steps = page_rank_steps(sparse(links), restart, 0.7, 6);
  REQUIRE(steps.rows() == 6);
  Vector x = restart / 2;
  for (Index t = 0; t < 6; ++t) {
    Vector next = 0.3 * restart / 2;
    for (Index i = 0; i < 9; ++i) {
      const double degree = links.row(i).sum();
      next += 0.7 * x[i] * (degree > 0 ? Vector(links.row(i).transpose() / degree) : Vector(restart / 2));
    }
    x = next;
    CHECK(distance(Vector(steps.row(t).transpose()), x) < 1e-15);
    CHECK(steps.row(t) ==
          personalized_page_rank(sparse(links), restart, 0.7, 0.0, static_cast<int>(t) + 1).rank.transpose());
  }
  CHECK(page_rank_steps(sparse(links), restart, 0.7, 0).rows() == 0);
  CHECK_INVALID(page_rank_steps(sparse(links), restart, 0.7, -1));
}

TEST_CASE("page_rank_steps_needed reaches the requested error, for damping up to 0.999", "[page_rank]") {
  Rng rng(5, "page_rank_test needed");
  for (const double damping : {0.0, 0.1, 0.85, 0.99, 0.999}) {
    const int needed = page_rank_steps_needed(damping, 1e-14);
    CHECK(2 * std::pow(damping, needed) <= 1e-14 * 1.001);
    if (damping > 0) CHECK(2 * std::pow(damping, needed - 1) > 1e-14 * 0.999);
    for (int trial = 0; trial < 5; ++trial) {
      const Matrix links = random_links(rng, 20, trial % 2 == 0);
      const Vector restart = Vector::Unit(20, trial) + Vector::Constant(20, 0.1);
      const PageRank rank =
          personalized_page_rank(sparse(links), restart, damping, 1e-14 * (1 - damping), needed);
      CHECK(distance(rank.rank, solved(links, restart, damping)) < 1e-13);
    }
  }
  CHECK_INVALID(page_rank_steps_needed(1.0, 1e-14));
  CHECK_INVALID(page_rank_steps_needed(0.5, 0.0));
}

TEST_CASE("links from an edge list: both directions, self loops once, repeated edges summed", "[edge_list]") {
  const std::vector<Edge> edges{{2, 0, 1.5}, {0, 0, 4}, {0, 1, 2}, {1, 0, 0.25}, {2, 0, 1}};
  const Matrix directed{{4, 2, 0, 0}, {0.25, 0, 0, 0}, {2.5, 0, 0, 0}, {0, 0, 0, 0}};
  CHECK(dense(links_of_edges(4, edges, true)) == directed);
  Matrix both = directed + Matrix(directed.transpose());
  both(0, 0) = 4;
  CHECK(dense(links_of_edges(4, edges, false)) == both);
  CHECK(links_of_edges(3, {}, false).rows() == 3);
  CHECK(links_of_edges(3, {}, false).entries() == 0);
  const auto refused = [](Edge edge) { CHECK_INVALID(links_of_edges(3, std::vector<Edge>{edge}, true)); };
  refused({3, 0, 1});
  refused({0, 3, 1});
  refused({0, 1, -1});
  refused({0, 1, nan});
  refused({0, 1, infinity});
  CHECK_INVALID(links_of_edges(2, std::vector<Edge>{{0, 1, 1e308}, {0, 1, 1e308}}, true));
  // Weights with an infinite sum are still normalised.
  const SparseRows huge = links_of_edges(3, std::vector<Edge>{{0, 1, 1.5e308}, {0, 2, 0.5e308}}, true);
  const Vector rank = personalized_page_rank(huge, Vector::Unit(3, 0), 0.5).rank;
  CHECK(rank[1] == Approx(3 * rank[2]).epsilon(1e-12));
  CHECK(rank[2] > 0.05);
}

// Random weighted links. One in four nodes has no outgoing links.
SparseRows random_links(Rng& rng, Index n) {
  Matrix links = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    if (rng.below(4) == 0) continue;
    for (Index j = 0; j < n; ++j)
      if (i != j && rng.below(static_cast<std::uint64_t>(n)) < 4) links(i, j) = uniform(rng, 0.1, 3);
  }
  return sparse(links);
}

SparseVector some_start(Rng& rng, Index n) {
  Vector v = Vector::Zero(n);
  for (int k = 0; k < 3; ++k) v[below(rng, n)] = 0.2 + rng.uniform();
  v /= v.sum();
  std::vector<SparseVector::Entry> entries;
  for (Index i = 0; i < n; ++i)
    if (v[i] > 0) entries.emplace_back(i, v[i]);
  return {n, entries};
}

LinkCounts counts_of(const SparseRows& links) {
  return [&links](Index i) { return links.columns_of(i).size(); };
}

// Checks that a pushed rank lacks the stated mass in total and never exceeds PageRank.
void check_lacks(const PushedRank& pushed, const Vector& whole) {
  CHECK(std::abs((whole - pushed.rank.whole()).sum() - pushed.missing) < 1e-11);
  CHECK((whole - pushed.rank.whole()).minCoeff() > -1e-12);
}

TEST_CASE("a pushed rank lacks the residual's mass, for all thresholds", "[walks]") {
  Rng rng(1, "forward_push_test");
  for (int trial = 0; trial < 40; ++trial) {
    const Index n = 5 + below(rng, 60);
    const SparseRows links = random_links(rng, n);
    const SparseVector v = some_start(rng, n);
    const double damping = trial % 5 == 0 ? 0.0 : uniform(rng, 0, 0.97);
    const Vector whole = personalized_page_rank(links, v, damping, 1e-15).rank;
    double before = 1;
    for (const double threshold : {1.0, 0.1, 1e-2, 1e-3, 1e-5, 1e-8, 1e-14}) {
      const PushedRank pushed = push_rank(rows_of(links), counts_of(links), v, damping, threshold);
      check_lacks(pushed, whole);
      pushed.residual.each([&](std::uint32_t i, double x) {
        CHECK(x < threshold * static_cast<double>(std::max<std::size_t>(links.columns_of(i).size(), 1)));
      });
      CHECK(pushed.missing <= before + 1e-12);
      before = pushed.missing;
    }
    CHECK(before < 1e-11);  // the push equals PageRank
  }
}

TEST_CASE("a pushed economy lacks the residual's mass and the unpaid wages", "[walks]") {
  Rng rng(2, "forward_push_test");
  for (int trial = 0; trial < 40; ++trial) {
    const Index n = 5 + below(rng, 40);
    const SparseRows links = random_links(rng, n);
    const SparseVector v = some_start(rng, n);
    const double rent = uniform(rng, 0.05, 1), spread = trial % 6 == 0 ? 1.0 : rng.uniform();
    const Vector whole = linear_ecan(links, v, rent, spread).sti;
    for (const double threshold : {2.0, 0.1, 1e-2, 1e-4, 1e-14}) {
      const PushedEcan pushed =
          push_linear_ecan(rows_of(links), counts_of(links), v, rent, spread, threshold);
      const double unpaid = 1 - pushed.paid.sum();
      CHECK(std::abs((whole - pushed.rank.rank.whole()).sum() - pushed.rank.missing) < 1e-11);
      CHECK((whole - pushed.rank.rank.whole()).minCoeff() > -1e-12);
      CHECK(std::abs(pushed.rank.missing - pushed.rank.residual.sum() - unpaid) < 1e-14);
      if (threshold == 2) CHECK(pushed.rank.rank.whole().sum() == 0);
      if (threshold < 1e-10) CHECK(pushed.rank.missing < 1e-11);
    }
  }
}

TEST_CASE("a push reads each row at most once, only rows of due nodes, within the cost bound", "[walks]") {
  // A chain; each node is also linked to a hub with ten thousand links.
  constexpr Index chain = 100, hub = chain, n = chain + 1 + 10000;
  SparseRows links(n);
  for (Index i = 0; i < n; ++i) {
    std::vector<std::uint32_t> columns;
    const auto add = [&](Index j) { columns.push_back(static_cast<std::uint32_t>(j)); };
    if (i == hub) {
      for (Index j = 0; j < n; ++j)
        if (j != hub) add(j);
    } else {
      if (i > 0 && i < chain) add(i - 1);
      if (i + 1 < chain) add(i + 1);
      add(hub);
    }
    links.push_row(columns, std::vector<double>(columns.size(), 1.0));
  }
  std::set<Index> asked;
  double gone = 0;
  const LinkRows rows = [&](Index i) {
    CHECK(asked.insert(i).second);
    gone += static_cast<double>(links.columns_of(i).size());
    return rows_of(links)(i);
  };
  const SparseVector v(n, {{0, 1.0}});
  const PushedRank pushed = push_rank(rows, counts_of(links), v, 0.85, 1e-3);
  CHECK_FALSE(asked.contains(hub));
  CHECK(asked.size() < 20);
  CHECK(gone <= 1 / (1e-3 * (1 - 0.85)));
  check_lacks(pushed, personalized_page_rank(links, v, 0.85).rank);
  CHECK(push_rank(rows_of(links), counts_of(links), v, 0.85, 1e-6).rank[hub] > 0);
}

TEST_CASE("pushes of two linked nodes, worked by hand", "[walks]") {
  const SparseRows links = sparse(Matrix{{0, 3}, {3, 0}});
  const SparseVector v(2, {{0, 1.0}});
  const PushedRank twice = push_rank(rows_of(links), counts_of(links), v, 0.5, 0.5);
  // Node 0 keeps half of the mass, node 1 half of the remaining half.
  CHECK(twice.rank.whole() == vector({0.5, 0.25}));
  CHECK(twice.residual.whole() == vector({0.25, 0}));
  CHECK(twice.missing == 0.25);
  CHECK(twice.waves == 2);
  const SparseRows none = sparse(Matrix::Zero(2, 2));
  const PushedRank back = push_rank(rows_of(none), counts_of(none), v, 0.5,
                                    0.3);  // a node without links passes its mass back to the start
  CHECK(back.rank.whole() == vector({0.75, 0}));
  CHECK(back.missing == 0.25);
}

TEST_CASE("push_rank rejects invalid input", "[walks]") {
  const SparseRows links = sparse(Matrix::Ones(2, 2));
  const SparseVector v(2, {{0, 1.0}});
  const auto refused = [&](const SparseVector& start, double damping, double threshold) {
    CHECK_INVALID(push_rank(rows_of(links), counts_of(links), start, damping, threshold));
  };
  refused(SparseVector::zero(2), 0.5, 0.1);
  refused(SparseVector(2, {{0, -1.0}}), 0.5, 0.1);
  refused(v, 1, 0.1);
  refused(v, -0.1, 0.1);
  refused(v, nan, 0.1);
  refused(v, 0.5, 0);
  refused(v, 0.5, nan);
  CHECK_INVALID(push_linear_ecan(rows_of(links), counts_of(links), v, 0, 0.5, 0.1));
  CHECK_INVALID(push_linear_ecan(rows_of(links), counts_of(links), v, 0.5, 1.1, 0.1));
}

// Random links and a cue of a few nodes. Some nodes have no links.
struct Case {
  Matrix links;
  Vector cue;
};

Case random_case(Rng& rng, Index n) {
  Case c{Matrix::Zero(n, n), Vector::Zero(n)};
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (i % 4 != 3 && rng.below(3) == 0) c.links(i, j) = rng.uniform();
  c.cue[0] = 0.5;
  for (Index i = 1; i < n; ++i)
    if (rng.below(3) == 0) c.cue[i] = rng.uniform();
  return c;
}

TEST_CASE("with threshold 0, steps and limit are those of personalised PageRank", "[spreading]") {
  Rng rng(701, "spreading");
  for (int round = 0; round < 50; ++round) {
    const Case c = random_case(rng, 1 + below(rng, 15));
    const SparseRows links = sparse(c.links);
    const double d = uniform(rng, 0, 0.95);
    const Matrix steps = page_rank_steps(links, c.cue, d, 6);
    for (int t = 1; t <= 6; ++t)
      CHECK(distance(spread_activation(links, c.cue, {d, 0, t}).activation,
                     Vector(steps.row(t - 1).transpose())) < 1e-14);
    CHECK(distance(spread_activation(links, c.cue, {d, 0, 2000}).activation,
                   personalized_page_rank(links, c.cue, d).rank) < 1e-11);
  }
}

TEST_CASE("activation sums to 1, and the error is bounded by the stopped pulses", "[spreading]") {
  Rng rng(702, "spreading");
  for (int round = 0; round < 100; ++round) {
    const Case c = random_case(rng, 1 + below(rng, 15));
    const SparseRows links = sparse(c.links);
    const double threshold = std::pow(10.0, uniform(rng, -6, -0.5));
    const Spread spread = spread_activation(links, c.cue, {0.8, threshold, 10000});
    CHECK(spread.activation.whole().sum() == Approx(1).epsilon(1e-13));
    CHECK(spread.activation.whole().minCoeff() >= 0);
    CHECK(spread.converged);
    // Each node can stop at most one pulse per step.
    const double stopped = threshold * static_cast<double>(c.cue.size()) * spread.steps;
    const Vector exact = personalized_page_rank(links, c.cue, 0.8).rank;
    CHECK((spread.activation.whole() - exact).cwiseAbs().sum() <= 1.6 * stopped + 1e-10);
  }
}

TEST_CASE("a wave on a chain, worked by hand", "[spreading]") {
  Matrix chain = Matrix::Zero(5, 5);
  for (Index i = 0; i < 4; ++i) chain(i, i + 1) = 3;
  const Vector cue = vector({2, 0, 0, 0, 0});
  const Spread two = spread_activation(sparse(chain), cue, {0.5, 0, 2});
  CHECK(distance(two.activation, vector({0.5, 0.25, 0.25, 0, 0})) == 0);
  CHECK(two.fired == 2);
  CHECK_FALSE(two.converged);
  // The pulses are 1, 1/2 and 1/4. The last one is too weak to fire, so its node keeps it.
  const Spread faint = spread_activation(sparse(chain), cue, {0.5, 0.3, 100});
  CHECK(distance(faint.activation, vector({0.5, 0.25, 0.25, 0, 0})) == 0);
  CHECK(faint.converged);
  CHECK(faint.fired == 2);
  // The last node of the chain has no links and passes its pulse back to the cue.
  const Spread back = spread_activation(sparse(chain), vector({0, 0, 0, 1, 1}), {0.5, 0, 1});
  CHECK(distance(back.activation, vector({0, 0, 0, 0.25 + 0.125, 0.25 + 0.25 + 0.125})) < 1e-16);
  CHECK(distance(spread_activation(sparse(chain), cue, {0.5, 0, 0}).activation, cue / 2) == 0);
  CHECK(distance(spread_activation(sparse(chain), cue, {0.5, 1.5, 9}).activation, cue / 2) == 0);
  // Only two nodes fire, however long the chain is.
  SparseRows large(100000);
  for (std::uint32_t i = 0; i < 100000; ++i)
    large.push_row(std::vector<std::uint32_t>{(i + 1) % 100000}, std::vector<double>{1.0});
  Vector first = Vector::Zero(100000);
  first[0] = 1;
  CHECK(spread_activation(large, first, {0.5, 0.3, 100}).fired == 2);
}

TEST_CASE("a pulse equal to the threshold fires, a smaller one stays", "[spreading]") {
  Matrix chain = Matrix::Zero(3, 3);
  chain(0, 1) = chain(1, 2) = 1;
  for (const double threshold : {0.5, std::nextafter(0.5, 1.0)}) {
    const Spread spread = spread_activation(sparse(chain), vector({1, 0, 0}), {0.5, threshold, 2});
    const bool on = threshold == 0.5;
    CHECK(spread.activation == (on ? vector({0.5, 0.25, 0.25}) : vector({0.5, 0.5, 0})));
    CHECK(spread.fired == (on ? 2 : 1));
  }
}

TEST_CASE("spreading rejects wrong shapes and ranges", "[spreading]") {
  const SparseRows links = sparse(Matrix::Ones(2, 2));
  const Vector cue = vector({1, 0});
  CHECK_INVALID(spread_activation(links, vector({1})));
  CHECK_INVALID(spread_activation(SparseRows(2), cue));
  CHECK_INVALID(spread_activation(links, vector({0, 0})));
  CHECK_INVALID(spread_activation(links, vector({2, -1})));
  CHECK_INVALID(spread_activation(links, vector({std::nan(""), 1})));
  CHECK_INVALID(spread_activation(links, cue, {1, 0, 1}));
  CHECK_INVALID(spread_activation(links, cue, {-0.1, 0, 1}));
  CHECK_INVALID(spread_activation(links, cue, {0.5, -1, 1}));
  CHECK_INVALID(spread_activation(links, cue, {0.5, 0, -1}));
  // The result is the same for very large and very small weights.
  for (const double w : {1e308, 1e-300})
    CHECK(distance(spread_activation(sparse(Matrix::Constant(2, 2, w)), cue, {0.5, 0, 1}).activation,
                   vector({0.75, 0.25})) < 1e-15);
}

}  // namespace
}  // namespace engram::core
