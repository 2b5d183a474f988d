// SPDX-License-Identifier: MIT
#include "core/hopfield/graph_spins.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

// Links with weights of eighths, so that sums are exact; some units have none.
Matrix eighths_of_links(Rng& rng, Index n, double density) {
  Matrix w = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j)
      if (rng.uniform() < density) w(i, j) = w(j, i) = static_cast<double>(1 + rng.below(16)) / 8;
  return w;
}

Vector cue_of(Rng& rng, Index n, std::uint64_t units) {
  Vector cue = Vector::Zero(n);
  for (std::uint64_t k = 0; k < units; ++k)
    cue[static_cast<Index>(rng.below(static_cast<std::uint64_t>(n)))] = 1;
  return cue;
}

Matrix two_by_two(double a, double b, double c, double d) {
  Matrix m(2, 2);
  m << a, b, c, d;
  return m;
}

// h_i / (2 D_i) from the definition, of a state of 0 and 1.
double excess(const Matrix& w, const Vector& state, const Vector& cue, const GraphSpinsOptions& options,
              Index i) {
  return w.row(i).dot(state) / w.row(i).sum() + options.cue_strength * cue[i] - options.threshold;
}

// The energy of spins 2 x - 1 from the definition, links over the mean D.
double spin_energy(const Matrix& w, const Vector& x, const Vector& cue, const GraphSpinsOptions& options) {
  const Vector degree = w.rowwise().sum();
  const double mean = degree.sum() / std::max(1.0, static_cast<double>((degree.array() > 0).count()));
  const Vector s = 2 * x.array() - 1;
  const Vector b = degree.array() * (1 - 2 * options.threshold + 2 * options.cue_strength * cue.array());
  return mean > 0 ? (-0.5 * s.dot(w * s) - b.dot(s)) / mean : 0;
}

// The smallest set that holds the cue and that no unit outside follows, found from the last unit down.
Vector least_fixed_point(const Matrix& w, const Vector& cue, const GraphSpinsOptions& options) {
  Vector x = (cue.array() > 0).cast<double>();
  for (bool grows = true; grows;) {
    grows = false;
    for (Index i = w.rows() - 1; i >= 0; --i)
      if (x[i] == 0 && w.row(i).sum() > 0 && excess(w, x, cue, options, i) > 1e-9) {
        x[i] = 1;
        grows = true;
      }
  }
  return x;
}

TEST_CASE("with the cue held, spins end in the smallest set that nothing joins, one by one or all at once",
          "[core][graph_spins]") {
  Rng rng(1, "graph_spins_test held");
  int spread = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto n = static_cast<Index>(1 + rng.below(40));
    const Matrix w = eighths_of_links(rng, n, 0.15);
    const Vector cue = cue_of(rng, n, 1 + rng.below(3));
    GraphSpinsOptions options;
    options.threshold = 0.05 + 0.9 * rng.uniform();
    const Vector wanted = least_fixed_point(w, cue, options);
    for (const SpinDynamics dynamics : {SpinDynamics::async, SpinDynamics::sync}) {
      options.dynamics = dynamics;
      const GraphSpinsRecall recall = recall_graph_spins(samples::sparse(w), cue, options);
      REQUIRE(recall.active == wanted);
      REQUIRE(recall.converged);
      REQUIRE(recall.period == (dynamics == SpinDynamics::sync ? 1 : 0));
      REQUIRE(recall.energies.size() == static_cast<std::size_t>(recall.sweeps) + 1);
      for (Index i = 0; i < n; ++i) {
        const double degree = w.row(i).sum();
        REQUIRE(std::abs(recall.share[i] - (degree > 0 ? w.row(i).dot(wanted) / degree : 0)) < 1e-6);
      }
      REQUIRE(std::abs(recall.energies.front() - spin_energy(w, cue, cue, options)) < 1e-5);
      REQUIRE(std::abs(recall.energies.back() - spin_energy(w, wanted, cue, options)) < 1e-5);
    }
    if (wanted.sum() > cue.sum() && wanted.sum() < static_cast<double>(n)) ++spread;
  }
  CHECK(spread > 50);  // neither nothing nor all
}

TEST_CASE("one by one the energy never rises, and where it ends no spin wants to turn",
          "[core][graph_spins]") {
  Rng rng(2, "graph_spins_test free");
  int fell = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto n = static_cast<Index>(2 + rng.below(40));
    const Matrix w = eighths_of_links(rng, n, 0.2);
    const Vector cue = cue_of(rng, n, 1 + rng.below(20));
    GraphSpinsOptions options;
    options.threshold = rng.uniform();
    options.cue_strength = 0.4 * rng.uniform();
    const GraphSpinsRecall recall = recall_graph_spins(samples::sparse(w), cue, options);
    REQUIRE(recall.converged);
    for (std::size_t t = 1; t < recall.energies.size(); ++t)
      REQUIRE(recall.energies[t] <= recall.energies[t - 1] + 1e-12 * std::abs(recall.energies[0]));
    for (Index i = 0; i < n; ++i) {
      if (w.row(i).sum() == 0) {
        REQUIRE(recall.active[i] == (cue[i] > 0 ? 1 : 0));
        continue;
      }
      const double h = excess(w, recall.active, cue, options, i);
      REQUIRE((recall.active[i] > 0 ? h > -1e-6 : h < 1e-6));
      if (cue[i] > 0 && recall.active[i] == 0) ++fell;
    }
  }
  CHECK(fell > 100);
}

TEST_CASE("all at once, two linked spins of which the cue is not held change places for ever",
          "[core][graph_spins]") {
  Matrix w = Matrix::Zero(3, 3);
  w(0, 1) = w(1, 0) = 5;
  GraphSpinsOptions options;
  options.dynamics = SpinDynamics::sync;
  options.cue_strength = 0;
  const Vector cue = samples::vector({1, 0, 1});
  const GraphSpinsRecall recall = recall_graph_spins(samples::sparse(w), cue, options);
  CHECK(recall.period == 2);
  CHECK_FALSE(recall.converged);
  CHECK(recall.sweeps == 2);
  CHECK(recall.active == cue);  // the third has no links, and keeps its spin
  CHECK(recall.energies[0] == recall.energies[1]);
  options.dynamics = SpinDynamics::async;
  CHECK(recall_graph_spins(samples::sparse(w), cue, options).active == samples::vector({0, 0, 1}));
  options.max_sweeps = 1;
  CHECK_FALSE(recall_graph_spins(samples::sparse(w), cue, options).converged);
}

TEST_CASE("a share that equals the threshold turns no spin", "[core][graph_spins]") {
  Matrix w = Matrix::Zero(3, 3);  // the middle has half of its links to either end
  w(0, 1) = w(1, 0) = w(1, 2) = w(2, 1) = 0.1;
  GraphSpinsOptions options;
  options.threshold = 0.5;
  const Vector cue = samples::vector({1, 0, 0});
  CHECK(recall_graph_spins(samples::sparse(w), cue, options).active == cue);
  options.threshold = 0.5 - 1e-6;
  CHECK(recall_graph_spins(samples::sparse(w), cue, options).active == Vector::Ones(3));
}

TEST_CASE("the scale of the links is of no account", "[core][graph_spins]") {
  Rng rng(3, "graph_spins_test scale");
  const Matrix w = eighths_of_links(rng, 30, 0.2);
  const Vector cue = cue_of(rng, 30, 3);
  for (const auto& facts : spin_dynamics) {
    GraphSpinsOptions options;
    options.dynamics = facts.value;
    const GraphSpinsRecall plain = recall_graph_spins(samples::sparse(w), cue, options);
    for (const double scale : {0x1p-900, 0x1p-3, 0x1p900}) {
      const GraphSpinsRecall scaled = recall_graph_spins(samples::sparse(Matrix(w * scale)), cue, options);
      CHECK(scaled.active == plain.active);
      CHECK(scaled.energies == plain.energies);
    }
  }
}

TEST_CASE("at a temperature, spins are active as often as Boltzmann says", "[core][graph_spins]") {
  Rng rng(4, "graph_spins_test boltzmann");
  for (const double temperature : {0.3, 1.0, 3.0}) {
    Matrix w = eighths_of_links(rng, 8, 0.5);
    for (Index i = 0; i < 6; ++i) w(i, i + 1) = w(i + 1, i) = 0.75;  // else one might have no links
    w.row(7).setZero();
    w.col(7).setZero();
    const Vector cue = samples::vector({1, 0, 0, 0.5, 0, 0, 0, 0});
    GraphSpinsOptions options;
    options.dynamics = SpinDynamics::glauber;
    options.temperature = temperature;
    options.cue_strength = 0.3;
    options.threshold = 0.4;
    options.max_sweeps = 20000;
    Vector exact = Vector::Zero(8);
    double z = 0;
    const double lowest = spin_energy(w, Vector::Zero(8), cue, options);
    for (int code = 0; code < 128; ++code) {
      Vector x = Vector::Zero(8);
      for (int i = 0; i < 7; ++i) x[i] = (code >> i & 1) != 0 ? 1 : 0;
      const double p = std::exp(-(spin_energy(w, x, cue, options) - lowest) / temperature);
      exact += p * x;
      z += p;
    }
    exact /= z;
    const GraphSpinsRecall recall = recall_graph_spins(samples::sparse(w), cue, options);
    CHECK(samples::distance(recall.active, exact) < 0.03);  // 10,000 sweeps, correlated
    CHECK(recall.sweeps == 20000);
    CHECK(recall.energies.size() == 20001);
    CHECK(recall.converged);
    options.seed = 2;
    CHECK(recall_graph_spins(samples::sparse(w), cue, options).active != recall.active);
  }
}

TEST_CASE("of one sweep the probabilities are those of that sweep", "[core][graph_spins]") {
  GraphSpinsOptions options;
  options.dynamics = SpinDynamics::glauber;
  options.max_sweeps = 1;
  const SparseRows pair = samples::sparse(two_by_two(0, 1, 1, 0));
  // In a field of 2 (1 - 0.3) with the cue held: whichever has its turn first, the other sees it up.
  const Vector active = recall_graph_spins(pair, samples::vector({1, 0}), options).active;
  CHECK(std::abs(active[1] - 1 / (1 + std::exp(-2 * 1.4 / 0.1))) < 1e-12);
  CHECK(std::abs(active[0] - 1) < 1e-5);
}

TEST_CASE("at almost no temperature the held cue spreads as without one", "[core][graph_spins]") {
  Rng rng(5, "graph_spins_test cold");
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix w = eighths_of_links(rng, 30, 0.15);
    const Vector cue = cue_of(rng, 30, 2);
    GraphSpinsOptions options;
    options.threshold = 0.2137;  // no quotient of eighths
    const Vector wanted = recall_graph_spins(samples::sparse(w), cue, options).active;
    options.dynamics = SpinDynamics::glauber;
    options.temperature = 1e-6;
    REQUIRE(samples::distance(recall_graph_spins(samples::sparse(w), cue, options).active, wanted) < 1e-12);
  }
}

TEST_CASE("spins on a graph refuse what is out of range", "[core][graph_spins]") {
  const SparseRows one = samples::sparse(two_by_two(0, 1, 1, 0));
  const Vector cue = samples::vector({1, 0});
  const auto refused = [&](auto change) {
    GraphSpinsOptions options;
    change(options);
    CHECK_THROWS_AS(recall_graph_spins(one, cue, options), std::invalid_argument);
  };
  for (const double wrong : {-0.1, 1.1, samples::nan})
    refused([&](GraphSpinsOptions& o) { o.threshold = wrong; });
  for (const double wrong : {-0.1, samples::infinity, samples::nan})
    refused([&](GraphSpinsOptions& o) { o.cue_strength = wrong; });
  for (const double wrong : {0.0, -1.0, samples::infinity, samples::nan})
    refused([&](GraphSpinsOptions& o) { o.temperature = wrong; });
  refused([](GraphSpinsOptions& o) { o.max_sweeps = 0; });
  for (const Vector& wrong :
       {samples::vector({1}), samples::vector({1, -1}), samples::vector({1, samples::nan})})
    CHECK_THROWS_AS(recall_graph_spins(one, wrong), std::invalid_argument);
  for (const Matrix& wrong : {two_by_two(0, -1, -1, 0), two_by_two(1, 1, 1, 0), two_by_two(0, 1, 2, 0),
                              two_by_two(0, samples::nan, 1, 0)})
    CHECK_THROWS_AS(recall_graph_spins(samples::sparse(wrong), cue), std::invalid_argument);
  const GraphSpinsRecall none = recall_graph_spins(SparseRows(0), Vector());
  CHECK(none.active.size() == 0);
  CHECK(none.converged);
  CHECK(value_named(spin_dynamics, "sync") == SpinDynamics::sync);
  CHECK_FALSE(value_named(spin_dynamics, "Sync"));
}

}  // namespace
}  // namespace engram::core
