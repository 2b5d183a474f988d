// SPDX-License-Identifier: MIT
#include "core/walks/spreading_activation.hpp"

#include <cmath>
#include <stdexcept>

#include "core/walks/page_rank.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

using samples::distance;
using samples::sparse;
using samples::vector;

// Random links, some nodes without any, and a cue of a few nodes.
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

TEST_CASE("without a threshold each step is one of Personalized PageRank, and so is the limit",
          "[core][spreading]") {
  Rng rng(701, "spreading");
  for (int round = 0; round < 50; ++round) {
    const Case c = random_case(rng, 1 + static_cast<Index>(rng.below(15)));
    const SparseRows links = sparse(c.links);
    const double d = samples::uniform(rng, 0, 0.95);
    const Matrix steps = page_rank_steps(links, c.cue, d, 6);
    for (int t = 1; t <= 6; ++t)
      CHECK(distance(spread_activation(links, c.cue, {d, 0, t}).activation,
                     Vector(steps.row(t - 1).transpose())) < 1e-14);
    CHECK(distance(spread_activation(links, c.cue, {d, 0, 2000}).activation,
                   personalized_page_rank(links, c.cue, d).rank) < 1e-11);
  }
}

TEST_CASE("nothing gets lost, and a threshold costs no more than what it stops", "[core][spreading]") {
  Rng rng(702, "spreading");
  for (int round = 0; round < 100; ++round) {
    const Case c = random_case(rng, 1 + static_cast<Index>(rng.below(15)));
    const SparseRows links = sparse(c.links);
    const double threshold = std::pow(10.0, samples::uniform(rng, -6, -0.5));
    const Spread spread = spread_activation(links, c.cue, {0.8, threshold, 10000});
    CHECK(spread.activation.whole().sum() == Approx(1).epsilon(1e-13));
    CHECK(spread.activation.whole().minCoeff() >= 0);
    CHECK(spread.converged);
    // A node can stop a pulse below the threshold once a step.
    const double stopped = threshold * static_cast<double>(c.cue.size()) * spread.steps;
    const Vector exact = personalized_page_rank(links, c.cue, 0.8).rank;
    CHECK((spread.activation.whole() - exact).cwiseAbs().sum() <= 1.6 * stopped + 1e-10);
  }
}

TEST_CASE("a wave on a chain, by hand", "[core][spreading]") {
  Matrix chain = Matrix::Zero(5, 5);
  for (Index i = 0; i < 4; ++i) chain(i, i + 1) = 3;
  const Vector cue = vector({2, 0, 0, 0, 0});
  const Spread two = spread_activation(sparse(chain), cue, {0.5, 0, 2});
  CHECK(distance(two.activation, vector({0.5, 0.25, 0.25, 0, 0})) == 0);
  CHECK(two.fired == 2);
  CHECK_FALSE(two.converged);
  // Pulses 1, 1/2, 1/4: the last is too faint to fire and stays.
  const Spread faint = spread_activation(sparse(chain), cue, {0.5, 0.3, 100});
  CHECK(distance(faint.activation, vector({0.5, 0.25, 0.25, 0, 0})) == 0);
  CHECK(faint.converged);
  CHECK(faint.fired == 2);
  // The end of the chain gives back to the cue.
  const Spread back = spread_activation(sparse(chain), vector({0, 0, 0, 1, 1}), {0.5, 0, 1});
  CHECK(distance(back.activation, vector({0, 0, 0, 0.25 + 0.125, 0.25 + 0.25 + 0.125})) < 1e-16);
  CHECK(distance(spread_activation(sparse(chain), cue, {0.5, 0, 0}).activation, cue / 2) == 0);
  CHECK(distance(spread_activation(sparse(chain), cue, {0.5, 1.5, 9}).activation, cue / 2) == 0);
  // Far away nothing is touched: two nodes fire, however many there are.
  SparseRows large(100000);
  for (std::uint32_t i = 0; i < 100000; ++i)
    large.push_row(std::vector<std::uint32_t>{(i + 1) % 100000}, std::vector<double>{1.0});
  Vector first = Vector::Zero(100000);
  first[0] = 1;
  CHECK(spread_activation(large, first, {0.5, 0.3, 100}).fired == 2);
}

TEST_CASE("a pulse at the very threshold goes on, one below it stays", "[core][spreading]") {
  Matrix chain = Matrix::Zero(3, 3);
  chain(0, 1) = chain(1, 2) = 1;
  for (const double threshold : {0.5, std::nextafter(0.5, 1.0)}) {
    const Spread spread = spread_activation(sparse(chain), vector({1, 0, 0}), {0.5, threshold, 2});
    const bool on = threshold == 0.5;
    CHECK(spread.activation == (on ? vector({0.5, 0.25, 0.25}) : vector({0.5, 0.5, 0})));
    CHECK(spread.fired == (on ? 2 : 1));
  }
}

TEST_CASE("wrong shapes and ranges of a spread are refused", "[core][spreading]") {
  const SparseRows links = sparse(Matrix::Ones(2, 2));
  const Vector cue = vector({1, 0});
  CHECK_THROWS_AS(spread_activation(links, vector({1})), std::invalid_argument);
  CHECK_THROWS_AS(spread_activation(SparseRows(2), cue), std::invalid_argument);
  CHECK_THROWS_AS(spread_activation(links, vector({0, 0})), std::invalid_argument);
  CHECK_THROWS_AS(spread_activation(links, vector({2, -1})), std::invalid_argument);
  CHECK_THROWS_AS(spread_activation(links, vector({std::nan(""), 1})), std::invalid_argument);
  CHECK_THROWS_AS(spread_activation(links, cue, {1, 0, 1}), std::invalid_argument);
  CHECK_THROWS_AS(spread_activation(links, cue, {-0.1, 0, 1}), std::invalid_argument);
  CHECK_THROWS_AS(spread_activation(links, cue, {0.5, -1, 1}), std::invalid_argument);
  CHECK_THROWS_AS(spread_activation(links, cue, {0.5, 0, -1}), std::invalid_argument);
  // The greatest and smallest weights.
  for (const double w : {1e308, 1e-300})
    CHECK(distance(spread_activation(sparse(Matrix::Constant(2, 2, w)), cue, {0.5, 0, 1}).activation,
                   vector({0.75, 0.25})) < 1e-15);
}

}  // namespace
}  // namespace engram::core
