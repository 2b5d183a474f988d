// SPDX-License-Identifier: MIT
#include "core/hopfield/dense_memory.hpp"

#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// Random rows of 0 and 1 with `size` ones, or one to five if `size` is 0.
Matrix sparse_episodes(Rng& rng, Index count, Index units, Index size) {
  Matrix a = Matrix::Zero(count, units);
  for (Index k = 0; k < count; ++k) {
    const auto order = rng.permutation(static_cast<std::uint32_t>(units));
    const auto ones = size > 0 ? static_cast<std::uint64_t>(size) : 1 + rng.below(5);
    for (std::size_t j = 0; j < std::min<std::size_t>(ones, order.size()); ++j) a(k, order[j]) = 1;
  }
  return a;
}

Vector positive_weights(Rng& rng, Index count) {
  Vector d(count);
  for (double& x : d) x = 0.5 + rng.uniform();
  return d;
}

// The energy of a state by its definition.
double episode_energy(const Matrix& a, const Vector& d, const Vector& x,
                      const DenseEpisodesOptions& options) {
  double total = 0;
  for (Index k = 0; k < a.rows(); ++k) {
    double r = 0;
    for (Index i = 0; i < x.size(); ++i) r += x[i] * (2 * a(k, i) - 1);
    const bool exponential = options.separation == EpisodeSeparation::exponential;
    total += d[k] / d.sum() *
             (exponential ? std::exp(options.beta * r)
                          : std::pow(std::max(r, 0.0), static_cast<double>(options.n)));
  }
  return options.separation == EpisodeSeparation::exponential ? -std::log(total) / options.beta : -total;
}

struct Descent {
  Vector x;
  std::vector<double> energies;
};

// Reference implementation of steepest descent, which recomputes all energies.
Descent descend(const Matrix& a, const Vector& d, const Vector& cue, const DenseEpisodesOptions& options) {
  Descent run{Vector::Zero(cue.size()), {}};
  const Vector mentioned = a.colwise().sum();
  for (Index i = 0; i < cue.size(); ++i) run.x[i] = cue[i] > 0 && mentioned[i] > 0 ? 1 : 0;
  run.energies.push_back(episode_energy(a, d, run.x, options));
  if (run.x.sum() == 0) return run;
  for (;;) {
    Index best = -1;
    const double differs = 1e-9 * (1 + std::abs(run.energies.back()));
    double lowest = run.energies.back();
    for (Index i = 0; i < cue.size(); ++i) {
      if (mentioned[i] == 0) continue;
      Vector other = run.x;
      other[i] = 1 - other[i];
      const double energy = episode_energy(a, d, other, options);
      if (energy < lowest - differs) {
        lowest = energy;
        best = i;
      }
    }
    if (best < 0) return run;
    run.x[best] = 1 - run.x[best];
    run.energies.push_back(lowest);
  }
}

Vector as_state(const DenseEpisodesRecall& recall, Index n) {
  Vector x = Vector::Zero(n);
  for (const auto i : recall.active) x[i] = 1;
  return x;
}

std::vector<DenseEpisodesOptions> separations_to_try() {
  std::vector<DenseEpisodesOptions> all;
  for (const unsigned n : {1U, 2U, 3U, 7U}) all.push_back({EpisodeSeparation::rectified, n});
  for (const double beta : {0.5, 2.0, 5.0}) all.push_back({EpisodeSeparation::exponential, 3, beta});
  return all;
}

TEST_CASE("recall from dense episodes matches steepest descent", "[dense_episodes]") {
  Rng rng(1, "dense_episodes_test descent");
  int changes = 0, silenced = 0;
  for (int trial = 0; trial < 60; ++trial)
    for (const DenseEpisodesOptions& options : separations_to_try()) {
      const auto units = static_cast<Index>(2 + rng.below(25)), count = static_cast<Index>(1 + rng.below(15));
      const Matrix a = sparse_episodes(rng, count, units, 0);
      const Vector d = positive_weights(rng, count);
      Vector cue = Vector::Zero(units);
      for (double& x : cue) x = rng.uniform() < 0.15 ? rng.uniform() : 0;
      const Descent wanted = descend(a, d, cue, options);
      const DenseEpisodesRecall recall = recall_dense_episodes(sparse(a), d, cue, options);
      REQUIRE(as_state(recall, units) == wanted.x);
      REQUIRE(recall.converged);
      REQUIRE(recall.changes == static_cast<int>(wanted.energies.size()) - 1);
      REQUIRE(recall.energies.size() == wanted.energies.size());
      for (std::size_t t = 0; t < wanted.energies.size(); ++t) {
        REQUIRE(std::abs(recall.energies[t] - wanted.energies[t]) <
                1e-9 * (1 + std::abs(wanted.energies[t])));
        if (t > 0) REQUIRE(recall.energies[t] < recall.energies[t - 1]);
      }
      for (std::size_t j = 0; j < recall.active.size(); ++j) {
        Vector without = wanted.x;
        without[recall.active[j]] = 0;
        const double cost = episode_energy(a, d, without, options) - wanted.energies.back();
        REQUIRE(std::abs(recall.costs[static_cast<Index>(j)] - cost) < 1e-9 * (1 + std::abs(cost)));
      }
      changes += recall.changes;
      for (Index i = 0; i < units; ++i) silenced += cue[i] > 0 && wanted.x[i] == 0 ? 1 : 0;
    }
  CHECK(changes > 400);
  CHECK(silenced > 50);
}

TEST_CASE("with beta 2 and episodes of one size, results are fixed points of the exponential spins",
          "[dense_episodes]") {
  Rng rng(2, "dense_episodes_test spins");
  for (int trial = 0; trial < 60; ++trial) {
    const auto units = static_cast<Index>(6 + rng.below(15)), count = static_cast<Index>(1 + rng.below(12));
    const Matrix a = sparse_episodes(rng, count, units, 4);
    const Matrix spins = 2 * a.array() - 1;
    Vector cue = Vector::Zero(units);
    for (Index i = 0; i < units; ++i) cue[i] = rng.uniform() < (a(0, i) > 0 ? 0.7 : 0.2) ? 1 : 0;
    if ((cue.transpose() * a.transpose()).sum() == 0) continue;  // the cue shares no unit with any episode
    DenseEpisodesOptions options{.separation = EpisodeSeparation::exponential};
    options.beta = 2;  // with beta 2, e^(beta r) corresponds to e^x for the overlap x of spins
    const DenseEpisodesRecall recall = recall_dense_episodes(sparse(a), Vector::Ones(count), cue, options);
    const Vector state = 2 * as_state(recall, units).array() - 1;
    const DenseOptions as_spins{.separation = DenseSeparation::exponential};
    REQUIRE(recall_dense(spins, state, as_spins).state == state);
  }
}

TEST_CASE("a partial cue is completed, and foreign units are removed", "[dense_episodes]") {
  Matrix a = Matrix::Zero(3, 10);
  for (const Index i : {0, 1, 2, 3}) a(0, i) = 1;
  for (const Index i : {3, 4, 5, 6}) a(1, i) = 1;
  for (const Index i : {6, 7, 8}) a(2, i) = 1;
  for (const DenseEpisodesOptions& options :
       {DenseEpisodesOptions{}, DenseEpisodesOptions{EpisodeSeparation::exponential, 3, 4}}) {
    const DenseEpisodesRecall recall =
        recall_dense_episodes(sparse(a), Vector::Ones(3), vector({1, 1, 0, 0, 0, 0, 0, 1, 0, 1}), options);
    CHECK(recall.active == std::vector<std::uint32_t>{0, 1, 2, 3});
    CHECK(recall.changes == 3);  // units 2 and 3 join and unit 7 leaves; unit 9 is in no episode
    CHECK(recall.costs.minCoeff() > 0);
  }
  // By hand, with F(r) = r^3 / 3: the overlap with the first episode grows from 2 to 3 and 4, so the energies are -8/3,
  // -27/3 and -64/3. The other two overlaps are negative (-2 and -4 at the end), so F is 0 for them. Removing any unit
  // reduces the first overlap from 4 to 3.
  const DenseEpisodesRecall cubed = recall_dense_episodes(
      sparse(a), Vector::Ones(3), vector({1, 1, 0, 0, 0, 0, 0, 0, 0, 0}), {EpisodeSeparation::rectified, 3});
  REQUIRE(cubed.energies.size() == 3);
  for (std::size_t t = 0; t < 3; ++t) {
    const auto r = static_cast<double>(t + 2);
    CHECK(cubed.energies[t] == Approx(-r * r * r / 3).epsilon(1e-14));
  }
  for (const double cost : cubed.costs) CHECK(cost == Approx((64.0 - 27.0 - 0.0) / 3).epsilon(1e-13));
}

TEST_CASE("ties go to the lowest unit, and equal energies end a recall", "[dense_episodes]") {
  Matrix a = Matrix::Zero(2, 3);  // unit 0 is in both episodes, unit 1 in the first and unit 2 in the second
  a << 1, 1, 0, 1, 0, 1;
  const Vector cue = vector({1, 0, 0});
  CHECK(recall_dense_episodes(sparse(a), Vector::Ones(2), cue).active == std::vector<std::uint32_t>{0, 1});
  // With n = 1, what one episode gains from a change is what the other one loses.
  const DenseEpisodesRecall flat =
      recall_dense_episodes(sparse(a), Vector::Ones(2), cue, {EpisodeSeparation::rectified, 1});
  CHECK(flat.active == std::vector<std::uint32_t>{0});
  CHECK(flat.changes == 0);
  CHECK(flat.converged);
  // The episode with the larger weight wins.
  CHECK(recall_dense_episodes(sparse(a), vector({1, 2}), cue).active == std::vector<std::uint32_t>{0, 2});
}

TEST_CASE("the exponential forgets a weak cue among many episodes, unless beta is large enough",
          "[dense_episodes]") {
  const Index count = 200;
  Matrix a = Matrix::Zero(count, 2 * count);
  for (Index k = 0; k < count; ++k) a(k, 2 * k) = a(k, 2 * k + 1) = 1;
  Vector cue = Vector::Zero(2 * count);
  cue[6] = 1;
  DenseEpisodesOptions options{.separation = EpisodeSeparation::exponential};
  options.beta = 1;  // e^2 of the one matching episode is less than the sum over 200 other episodes
  CHECK(recall_dense_episodes(sparse(a), Vector::Ones(count), cue, options).active.empty());
  options.beta = 8;
  CHECK(recall_dense_episodes(sparse(a), Vector::Ones(count), cue, options).active ==
        std::vector<std::uint32_t>{6, 7});
}

TEST_CASE("dense episodes handle steep separations and tiny weights", "[dense_episodes]") {
  Rng rng(3, "dense_episodes_test steep");
  const Matrix a = sparse_episodes(rng, 30, 300, 200);
  Vector cue = a.row(4).transpose();
  for (Index i = 0; i < 20; ++i) cue[i] = 1 - cue[i];
  for (const DenseEpisodesOptions& options : {DenseEpisodesOptions{EpisodeSeparation::rectified, 30},
                                              DenseEpisodesOptions{EpisodeSeparation::exponential, 3, 100}})
    for (const double weight : {1e-300, 1.0, 1e300}) {
      const DenseEpisodesRecall recall =
          recall_dense_episodes(sparse(a), Vector::Constant(30, weight), cue, options);
      CHECK(as_state(recall, 300) == Vector(a.row(4).transpose()));
      CHECK(recall.costs.allFinite());
      CHECK(recall.costs.minCoeff() > 0);
      for (const double energy : recall.energies) CHECK(std::isfinite(energy));
    }
  const DenseEpisodesOptions few{.max_changes = 2};
  const DenseEpisodesRecall cut = recall_dense_episodes(sparse(a), Vector::Ones(30), cue, few);
  CHECK(cut.changes == 2);
  CHECK_FALSE(cut.converged);
}

TEST_CASE("dense episodes reject invalid input", "[dense_episodes]") {
  Matrix a = Matrix::Zero(1, 2);
  a << 1, 1;
  const SparseRows one = sparse(a);
  const Vector cue = vector({1, 0}), weight = Vector::Ones(1);
  const auto refused = [&](const DenseEpisodesOptions& options) {
    CHECK_INVALID(recall_dense_episodes(one, weight, cue, options));
  };
  refused({EpisodeSeparation::rectified, 0});
  refused({EpisodeSeparation::rectified, 31});
  for (const double wrong : {0.0, -1.0, 101.0, nan}) refused({EpisodeSeparation::exponential, 3, wrong});
  refused({EpisodeSeparation::rectified, 3, 2, 0});
  for (const double wrong : {0.0, -1.0, infinity, nan})
    CHECK_INVALID(recall_dense_episodes(one, Vector::Constant(1, wrong), cue));
  CHECK_INVALID(recall_dense_episodes(one, Vector::Ones(2), cue));
  CHECK_INVALID(recall_dense_episodes(one, weight, Vector::Ones(3)));
  CHECK(recall_dense_episodes(one, weight, Vector::Zero(2)).active.empty());
  CHECK(value_named(episode_separations, "exponential") == EpisodeSeparation::exponential);
  CHECK_FALSE(value_named(episode_separations, "polynomial"));
}

}  // namespace
}  // namespace engram::core
