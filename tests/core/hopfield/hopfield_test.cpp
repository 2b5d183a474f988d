// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <vector>

#include "core/hopfield/hopfield.hpp"
#include "core/learning/pattern_weights.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

// -sum_{i<j} W_ij s_i s_j, pair by pair.
double ising_energy(const Matrix& weights, const Vector& s) {
  double energy = 0;
  for (Index i = 0; i < s.size(); ++i)
    for (Index j = i + 1; j < s.size(); ++j) energy -= weights(i, j) * s[i] * s[j];
  return energy;
}

bool falls(const std::vector<double>& energies, double tolerance) {
  for (std::size_t t = 1; t < energies.size(); ++t)
    if (!(energies[t] <= energies[t - 1] + tolerance)) return false;
  return true;
}

double normal_tail(double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); }

TEST_CASE("Hebbian weights, worked by hand", "[core][hopfield]") {
  Matrix one(1, 4);
  one << 1, 1, -1, 1;
  Matrix expected(4, 4);
  expected << 0, 0.25, -0.25, 0.25, 0.25, 0, -0.25, 0.25, -0.25, -0.25, 0, -0.25, 0.25, 0.25, -0.25, 0;
  CHECK(hebb_weights(one) == expected);
  CHECK(hopfield_energy(expected, one.row(0).transpose()) == -1.5);
  // Two orthogonal patterns; couplings on which they disagree cancel.
  Matrix two(2, 4);
  two << 1, 1, -1, -1, 1, -1, -1, 1;
  Matrix sum(4, 4);
  sum << 0, 0, -0.5, 0, 0, 0, 0, -0.5, -0.5, 0, 0, 0, 0, -0.5, 0, 0;
  CHECK(hebb_weights(two) == sum);
  CHECK(hebb_weights(Matrix::Ones(1, 1)) == Matrix::Zero(1, 1));
  CHECK(hebb_weights(Matrix(0, 3)) == Matrix::Zero(3, 3));
  CHECK_THROWS_AS(hebb_weights(Matrix(2, 0)), std::invalid_argument);
}

TEST_CASE("Hebbian weights equal Eigen's X'X / d without the diagonal", "[core][hopfield]") {
  Rng rng(1, "hopfield_test hebb");
  for (int trial = 0; trial < 30; ++trial) {
    const Matrix x =
        samples::spins(rng, static_cast<Index>(rng.below(12)), 1 + static_cast<Index>(rng.below(40)));
    Matrix expected = x.transpose() * x;
    expected.diagonal().setZero();
    CHECK(hebb_weights(x) == Matrix(expected / static_cast<double>(x.cols())));  // integers: exact
  }
}

TEST_CASE("Hopfield's energy is the Ising energy", "[core][hopfield]") {
  Rng rng(2, "hopfield_test ising");
  for (int trial = 0; trial < 30; ++trial) {
    const Matrix weights = samples::couplings(rng, 1 + static_cast<Index>(rng.below(20)));
    const Vector s = samples::spins(rng, 1, weights.rows()).row(0).transpose();
    CHECK(std::abs(hopfield_energy(weights, s) - ising_energy(weights, s)) < 1e-12);  // 400 terms of size 1
  }
}

TEST_CASE("a recall that repairs two bits of ten, worked by hand", "[core][hopfield]") {
  Matrix x(2, 10);
  x.row(0) << 1, 1, -1, 1, -1, -1, 1, -1, 1, -1;
  x.row(1) << 1, 1, -1, 1, -1, -1, -1, -1, -1, -1;
  HopfieldOptions options;
  options.order = {1, 9, 7, 6, 0, 3, 8, 5, 2, 4};
  const Vector cue = samples::vector({1, -1, -1, 1, -1, -1, 1, -1, 1, 1});
  const HopfieldRecall recall = recall_hopfield(hebb_weights(x), cue, options);
  CHECK(recall.state == Vector(x.row(0).transpose()));
  CHECK(recall.flips == std::vector<int>{2, 0});
  CHECK(recall.converged);
  REQUIRE(recall.energies.size() == 3);
  CHECK(std::abs(recall.energies[0] - -1.0) < 1e-14);  // sums of tenths
  CHECK(std::abs(recall.energies[1] - -5.8) < 1e-14);
  CHECK(std::abs(recall.energies[2] - -5.8) < 1e-14);
}

TEST_CASE("spins change one at a time, in the given order", "[core][hopfield]") {
  Matrix weights(2, 2);
  weights << 0, -0.5, -0.5, 0;  // the fields make the two differ; the first one updated flips
  const Vector cue = Vector::Ones(2);
  HopfieldOptions options;
  CHECK(recall_hopfield(weights, cue, options).state == samples::vector({-1, 1}));
  options.order = {1, 0};
  CHECK(recall_hopfield(weights, cue, options).state == samples::vector({1, -1}));
}

TEST_CASE("the energy never rises, and in the result every spin agrees with its field", "[core][hopfield]") {
  Rng rng(3, "hopfield_test energy");
  for (int trial = 0; trial < 1000; ++trial) {
    const auto n = static_cast<std::uint32_t>(1 + rng.below(16));
    const Matrix weights = samples::couplings(rng, n);
    HopfieldOptions options;
    options.order = rng.permutation(n);
    options.observations_per_sweep = 1 + static_cast<int>(rng.below(5));
    std::vector<double> observed;
    const Vector cue = samples::spins(rng, 1, n).row(0).transpose();
    const HopfieldRecall recall = recall_hopfield(
        weights, cue, options, [&](const Vector& s) { observed.push_back(ising_energy(weights, s)); });
    REQUIRE(recall.converged);
    REQUIRE(recall.energies.size() == observed.size() + 1);
    REQUIRE(observed.size() ==
            recall.flips.size() * static_cast<std::size_t>(options.observations_per_sweep));
    REQUIRE(falls(recall.energies, 1e-12));  // rounding of 256 terms of size about 1
    for (std::size_t t = 0; t < observed.size(); ++t)
      REQUIRE(std::abs(observed[t] - recall.energies[t + 1]) < 1e-12);
    const Vector field = weights * recall.state;
    REQUIRE((field.cwiseProduct(recall.state).array() >= -1e-11).all());
    REQUIRE((recall.state.array().abs() == 1.0).all());
    REQUIRE(recall.flips.back() == 0);
  }
}

TEST_CASE("few patterns and their opposites are fixed points", "[core][hopfield]") {
  Rng rng(4, "hopfield_test fixed points");
  for (int trial = 0; trial < 10; ++trial) {
    const Matrix x = samples::spins(rng, 3, 150);
    const Matrix weights = hebb_weights(x);
    for (Index k = 0; k < 3; ++k)
      for (const double sign : {1.0, -1.0}) {
        const Vector pattern = sign * x.row(k).transpose();
        const HopfieldRecall recall = recall_hopfield(weights, pattern);
        CHECK(recall.state == pattern);
        CHECK(recall.flips == std::vector<int>{0});
        Vector noisy = pattern;
        for (Index i = 0; i < 15; ++i) noisy[i * 10] = -noisy[i * 10];
        CHECK(recall_hopfield(weights, noisy).state == pattern);
      }
  }
}

TEST_CASE("a spin in a zero field keeps its state", "[core][hopfield]") {
  const Vector cue = samples::vector({1, -1, 1, -1});
  CHECK(recall_hopfield(Matrix::Zero(4, 4), cue).state == cue);
  Matrix almost = Matrix::Zero(4, 4);
  almost(0, 1) = almost(1, 0) = 0.9e-12;  // rounding, not a field
  CHECK(recall_hopfield(almost, cue).state == cue);
  almost(0, 1) = almost(1, 0) = 1.1e-12;
  CHECK(recall_hopfield(almost, cue).state == samples::vector({-1, -1, 1, -1}));
}

TEST_CASE("recall stops after max_sweeps", "[core][hopfield]") {
  Matrix x(1, 4);
  x << 1, 1, 1, 1;
  HopfieldOptions options;
  options.max_sweeps = 1;
  const HopfieldRecall recall = recall_hopfield(hebb_weights(x), samples::vector({1, 1, 1, -1}), options);
  CHECK(recall.state == Vector::Ones(4));
  CHECK_FALSE(recall.converged);  // every sweep had a flip
  CHECK(recall.flips == std::vector<int>{1});
}

TEST_CASE("Hopfield recall rejects invalid input", "[core][hopfield]") {
  const Matrix weights = Matrix::Zero(3, 3);
  const Vector cue = Vector::Ones(3);
  for (const std::vector<std::uint32_t>& order : std::vector<std::vector<std::uint32_t>>{
           {0, 1}, {0, 1, 1}, {0, 1, 3}, {0, 1, 2, 0}, {0, 1, 2, 3}, {0, 1, 4000000000u}}) {
    HopfieldOptions options;
    options.order = order;
    CHECK_THROWS_AS(recall_hopfield(weights, cue, options), std::invalid_argument);
  }
  HopfieldOptions blind;
  blind.observations_per_sweep = 0;
  CHECK_THROWS_AS(recall_hopfield(weights, cue, blind), std::invalid_argument);
  CHECK_THROWS_AS(recall_hopfield(weights, Vector::Ones(2)), std::invalid_argument);
  CHECK_THROWS_AS(recall_hopfield(Matrix::Zero(3, 2), cue), std::invalid_argument);
}

TEST_CASE("the error of one step at load 0.185", "[core][hopfield]") {
  // Hertz, Krogh and Palmer's table: 1 % at P/N = 0.185; at finite N the error is Phi(-sqrt((N-1)/(P-1))).
  constexpr Index n = 500, p = 93;
  constexpr int sets = 2;
  Rng rng(5, "hopfield_test one step");
  double wrong = 0;
  for (int set = 0; set < sets; ++set) {
    const Matrix x = samples::spins(rng, p, n);
    const Matrix fields = x * hebb_weights(x);
    wrong += static_cast<double>((fields.cwiseProduct(x).array() < 0).count());
  }
  const double theory = normal_tail(std::sqrt((n - 1.0) / (p - 1.0)));
  CHECK(theory == Approx(0.0099).epsilon(0.02));
  // About 920 wrong bits, so 3.3 % is one standard deviation; the bound is three.
  CHECK(wrong / (sets * n * p) == Approx(theory).epsilon(0.1));
}

TEST_CASE("patterns are fixed points up to McEliece's capacity", "[core][hopfield]") {
  // A given one of P patterns is a fixed point with probability (1 - Phi(-sqrt((N-1)/(P-1))))^N: at
  // P = N/(2 ln N) about 0.92. The figure for N = 1000 is 0.92; here N = 200, to be quick.
  constexpr Index n = 200, p = 19;
  constexpr int sets = 40;
  Rng rng(6, "hopfield_test capacity");
  int stable = 0;
  for (int set = 0; set < sets; ++set) {
    const Matrix x = samples::spins(rng, p, n);
    const Matrix weights = hebb_weights(x);
    for (Index k = 0; k < p; ++k) {
      HopfieldOptions options;
      options.max_sweeps = 1;
      stable += recall_hopfield(weights, x.row(k).transpose(), options).flips[0] == 0 ? 1 : 0;
    }
  }
  const double theory = std::pow(1 - normal_tail(std::sqrt((n - 1.0) / (p - 1.0))), n);
  // 760 patterns: a standard error of 0.01, or slightly more, because patterns of a set are dependent.
  CHECK(std::abs(stable / static_cast<double>(sets * p) - theory) < 0.04);
}

TEST_CASE("recall stays near the pattern below capacity, and leaves it far above", "[core][hopfield]") {
  constexpr Index n = 400;
  Rng rng(7, "hopfield_test load");
  const auto overlap_at = [&](Index p) {
    const Matrix x = samples::spins(rng, p, n);
    const Matrix weights = hebb_weights(x);
    double total = 0;
    for (Index k = 0; k < 10; ++k)
      total += recall_hopfield(weights, x.row(k).transpose()).state.dot(x.row(k).transpose()) / n;
    return total / 10;
  };
  CHECK(overlap_at(20) > 0.999);  // load 0.05: 0.9995 or more at N = 1000
  CHECK(overlap_at(120) < 0.6);   // load 0.3, twice past the transition at 0.138: about 0.35
}

// Naive implementation of couplings from episodes as sets of units.
SparseCouplings couplings_of(const std::vector<std::vector<std::uint32_t>>& episodes, Index n,
                             bool correlation) {
  Matrix together = Matrix::Zero(n, n);
  for (const auto& episode : episodes)
    for (const auto i : episode)
      for (const auto j : episode) together(i, j) += 1.0 / static_cast<double>(episodes.size());
  SparseCouplings couplings{SparseRows(n), together.diagonal(), Vector::Ones(n)};
  together.diagonal().setZero();
  couplings.together = samples::sparse(together);
  for (Index i = 0; i < n && correlation; ++i) {
    const double variance = couplings.activity[i] * (1 - couplings.activity[i]);
    couplings.gain[i] = variance > 1e-9 ? 1 / std::sqrt(variance) : 0;
  }
  return couplings;
}

Matrix dense_weights(const SparseCouplings& couplings) {
  Matrix weights(couplings.size(), couplings.size());
  for (Index i = 0; i < couplings.size(); ++i)
    for (Index j = 0; j < couplings.size(); ++j) weights(i, j) = couplings.weight(i, j);
  return weights;
}

// Random couplings without ties; some units are never active.
SparseCouplings random_sparse_couplings(Rng& rng, Index n) {
  Matrix together = Matrix::Zero(n, n);
  Vector activity(n), gain(n);
  for (Index i = 0; i < n; ++i) {
    activity[i] = rng.below(6) == 0 ? 0.0 : samples::uniform(rng, 0.05, 0.9);
    gain[i] = samples::uniform(rng, 0.5, 2);
  }
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j)
      if (activity[i] > 0 && activity[j] > 0 && rng.below(2) == 0)
        together(i, j) = together(j, i) = samples::uniform(rng, 0, std::min(activity[i], activity[j]));
  return {samples::sparse(together), activity, gain};
}

std::vector<std::uint32_t> first_units(Rng& rng, std::uint32_t n, std::size_t k) {
  auto units = rng.permutation(n);
  units.resize(k);
  std::sort(units.begin(), units.end());
  return units;
}

TEST_CASE("sparse couplings, worked by hand: covariance and correlation", "[core][hopfield][winners]") {
  // Units 0 and 1 always together in half of the episodes, unit 2 in the other half, unit 3 in all, 4 never.
  const std::vector<std::vector<std::uint32_t>> episodes{{0, 1, 3}, {2, 3}, {0, 1, 3}, {2, 3}};
  const SparseCouplings covariance = couplings_of(episodes, 5, false);
  CHECK(covariance.size() == 5);
  CHECK(covariance.weight(0, 1) == 0.25);   // 1/2 - 1/2 * 1/2
  CHECK(covariance.weight(0, 2) == -0.25);  // 0 - 1/4
  CHECK(covariance.weight(0, 3) == 0.0);    // 1/2 - 1/2 * 1: a unit that is always active has no covariance
  CHECK(covariance.weight(0, 4) == 0.0);
  CHECK(covariance.weight(1, 1) == 0.0);
  const SparseCouplings correlation = couplings_of(episodes, 5, true);
  CHECK(std::abs(correlation.weight(0, 1) - 1) < 1e-15);  // square roots
  CHECK(std::abs(correlation.weight(2, 0) + 1) < 1e-15);
}

TEST_CASE("sparse fields match the dense weight matrix", "[core][hopfield][winners]") {
  Rng rng(8, "hopfield_test field");
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + static_cast<Index>(rng.below(25));
    const SparseCouplings couplings = random_sparse_couplings(rng, n);
    const Matrix weights = dense_weights(couplings);
    CHECK(weights == Matrix(weights.transpose()));
    CHECK((weights.diagonal().array() == 0).all());
    const Matrix together = samples::dense(couplings.together);
    Matrix expected = together - couplings.activity * couplings.activity.transpose();
    expected = couplings.gain.asDiagonal() * expected * couplings.gain.asDiagonal();
    expected.diagonal().setZero();
    CHECK(samples::distance(weights, expected) < 1e-15 * 8);  // gains up to 2
    Vector state(n);
    for (double& s : state) s = static_cast<double>(rng.below(2));
    const Vector external = samples::normal_vector(rng, n);
    CHECK(samples::distance(couplings.field(state, external), Vector(weights * state + external)) < 1e-12);
  }
  const SparseCouplings three = random_sparse_couplings(rng, 3);
  CHECK_THROWS_AS(three.field(Vector::Ones(2), Vector::Ones(3)), std::invalid_argument);
  CHECK_THROWS_AS(three.field(Vector::Ones(3), Vector::Ones(2)), std::invalid_argument);
}

TEST_CASE("k winners: energies fall to a state that no single change improves", "[core][hopfield][winners]") {
  Rng rng(9, "hopfield_test winners");
  int runs = 0, global = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Index n = 3 + static_cast<Index>(rng.below(10));
    const SparseCouplings couplings = random_sparse_couplings(rng, n);
    const Matrix weights = dense_weights(couplings);
    Vector cue(n);
    for (double& x : cue) x = rng.below(4) == 0 ? rng.uniform() : 0.0;
    const double strength = rng.below(2) == 0 ? 0.0 : rng.uniform();
    const Index k = 1 + static_cast<Index>(rng.below(static_cast<std::uint64_t>(n)));
    const WinnersRecall recall = recall_winners(couplings, cue, k, strength);

    const auto energy = [&](unsigned units) {
      double e = 0;
      for (Index i = 0; i < n; ++i) {
        if ((units >> i & 1u) == 0) continue;
        e -= strength * cue[i];
        for (Index j = i + 1; j < n; ++j)
          if ((units >> j & 1u) != 0) e -= weights(i, j);
      }
      return e;
    };
    unsigned winners = 0, able = 0;
    for (const auto i : recall.winners) winners |= 1u << i;
    for (Index i = 0; i < n; ++i) able |= couplings.activity[i] > 0 ? 1u << i : 0u;
    Vector state(n);
    for (Index i = 0; i < n; ++i) state[i] = (winners >> i & 1u) != 0 ? 1.0 : 0.0;
    const Vector field = weights * state + strength * cue;

    REQUIRE(recall.converged);
    REQUIRE(static_cast<Index>(recall.winners.size()) <= k);
    REQUIRE(std::is_sorted(recall.winners.begin(), recall.winners.end()));
    REQUIRE((winners & ~able) == 0);  // units that were never active stay inactive
    REQUIRE(samples::distance(recall.field, field) < 1e-12);
    REQUIRE(recall.energies.size() == static_cast<std::size_t>(recall.changes) + 1);
    for (std::size_t t = 1; t < recall.energies.size(); ++t)
      REQUIRE(recall.energies[t] < recall.energies[t - 1]);
    const double reached = energy(winners);
    REQUIRE(std::abs(recall.energies.back() - reached) < 1e-12);

    // The three documented changes: the first two exhaustively, the third for its pair.
    double strongest = -1e9, weakest = 1e9;
    unsigned in = 0, out = 0;
    for (Index i = 0; i < n; ++i) {
      const unsigned unit = 1u << i;
      if ((winners & unit) != 0) {
        REQUIRE(energy(winners & ~unit) >= reached - 1e-11);
        if (recall.field[i] <= weakest) weakest = recall.field[i], out = unit;
      } else if ((able & unit) != 0) {
        if (static_cast<Index>(recall.winners.size()) < k) REQUIRE(energy(winners | unit) >= reached - 1e-11);
        if (recall.field[i] > strongest) strongest = recall.field[i], in = unit;
      }
    }
    if (in != 0 && out != 0) REQUIRE(energy((winners & ~out) | in) >= reached - 1e-11);

    double least = 0;  // the minimum over all sets of at most k units
    for (unsigned units = 0; units < (1u << n); ++units)
      if ((units & ~able) == 0 && std::popcount(units) <= k) least = std::min(least, energy(units));
    REQUIRE(reached >= least - 1e-11);
    global += reached < least + 1e-9 ? 1 : 0;
    ++runs;
  }
  CHECK(global * 2 > runs);  // in small networks about three quarters of the recalls reach the global minimum
}

TEST_CASE("k winners start from the cue's units, keeping the strongest k", "[core][hopfield][winners]") {
  // Two disjoint triangles, {0,1,2} and {3,4,5}; unit 6 is never active.
  const SparseCouplings couplings = couplings_of({{0, 1, 2}, {3, 4, 5}, {0, 1, 2}, {3, 4, 5}}, 7, false);
  const auto winners = [&](const Vector& cue, Index k) {
    return recall_winners(couplings, cue, k, 1.0).winners;
  };
  using Units = std::vector<std::uint32_t>;
  CHECK(winners(Vector::Unit(7, 1), 3) == Units{0, 1, 2});
  CHECK(winners(Vector::Unit(7, 4), 3) == Units{3, 4, 5});
  CHECK(winners(Vector::Unit(7, 4), 2) == Units{3, 4});  // equal fields: the lower id joins
  CHECK(winners(Vector::Unit(7, 4), 1) == Units{4});
  CHECK(winners(Vector::Unit(7, 0), 6) == Units{0, 1, 2});  // the other triangle would raise the energy
  const WinnersRecall crowded = recall_winners(couplings, samples::vector({1, 1, 1, 1, 0, 0, 0}), 3, 0.0);
  CHECK(crowded.winners == Units{0, 1, 2});
  CHECK(crowded.changes == 0);
  CHECK(crowded.energies == std::vector<double>{-0.75});  // three pairs of covariance 1/4
  const WinnersRecall alone = recall_winners(couplings, Vector::Unit(7, 0), 3, 1.0);
  CHECK(alone.energies == std::vector<double>{-1, -1.25, -1.75});  // -1, then a pair more, then two
  CHECK(alone.field == samples::vector({1.5, 0.5, 0.5, -0.75, -0.75, -0.75, 0}));
}

TEST_CASE("k winners make a change if two changes are equally good", "[core][hopfield][winners]") {
  // Unit 3 joining and unit 0 leaving lower the energy equally.
  const SparseCouplings couplings =
      couplings_of({{0, 1}, {}, {1, 3, 4}, {0, 3, 4}, {0, 3}, {0}, {1, 2, 3}, {4}}, 5, false);
  const WinnersRecall recall = recall_winners(couplings, samples::vector({1, 0, 1, 0, 0}), 4, 0.0);
  CHECK(recall.converged);
  CHECK(recall.changes < 10);
  // Counts of few episodes have many such ties.
  Rng rng(12, "hopfield_test ties");
  for (int trial = 0; trial < 1000; ++trial) {
    const auto n = static_cast<std::uint32_t>(3 + rng.below(8));
    std::vector<std::vector<std::uint32_t>> episodes(2 + rng.below(8));
    for (auto& episode : episodes) episode = first_units(rng, n, rng.below(n));
    Vector cue(n);
    for (double& x : cue) x = static_cast<double>(rng.below(2));
    const WinnersRecall each =
        recall_winners(couplings_of(episodes, n, rng.below(2) == 0), cue,
                       1 + static_cast<Index>(rng.below(n)), static_cast<double>(rng.below(2)));
    REQUIRE(each.converged);
    for (std::size_t t = 1; t < each.energies.size(); ++t) REQUIRE(each.energies[t] < each.energies[t - 1]);
  }
}

TEST_CASE("k winners stop after max_changes and reject invalid input", "[core][hopfield][winners]") {
  const SparseCouplings couplings = couplings_of({{0, 1, 2}, {3}}, 4, false);
  const WinnersRecall cut = recall_winners(couplings, Vector::Unit(4, 0), 3, 1.0, 1);
  CHECK(cut.winners.size() == 2);
  CHECK(cut.changes == 1);
  CHECK_FALSE(cut.converged);
  CHECK_THROWS_AS(recall_winners(couplings, Vector::Ones(3), 2, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(recall_winners(couplings, Vector::Ones(4), 0, 1.0), std::invalid_argument);
}

// (1 / N a (1-a)) sum_i (x_i - a) s_i: 1 for the pattern itself, 0 for any other set on average.
double covariance_overlap(const std::vector<std::uint32_t>& pattern,
                          const std::vector<std::uint32_t>& winners, double n) {
  const std::set<std::uint32_t> members(pattern.begin(), pattern.end());
  const double a = static_cast<double>(pattern.size()) / n;
  double total = 0;
  for (const auto i : winners) total += (members.count(i) > 0 ? 1.0 : 0.0) - a;
  return total / (n * a * (1 - a));
}

TEST_CASE("sparser codes have more capacity (Tsodyks and Feigelman)", "[core][hopfield][winners]") {
  // A thousand patterns of a thousand units, two of them recalled from themselves. With updates in parallel
  // overlaps are .28, .47 and .88 at activity .5, .1 and .02; k winners hold on better where the code is
  // sparse.
  constexpr std::uint32_t n = 1000;
  Rng rng(10, "hopfield_test sparse coding");
  std::vector<double> overlaps;
  for (const double activity : {0.5, 0.1, 0.02}) {
    const auto k = static_cast<std::size_t>(activity * n);
    std::vector<std::vector<std::uint32_t>> patterns;
    for (std::uint32_t p = 0; p < n; ++p) patterns.push_back(first_units(rng, n, k));
    const SparseCouplings couplings = couplings_of(patterns, n, false);
    double total = 0;
    for (std::size_t p = 0; p < 2; ++p) {
      Vector cue = Vector::Zero(n);
      for (const auto i : patterns[p]) cue[i] = 1;
      const WinnersRecall recall = recall_winners(couplings, cue, static_cast<Index>(k), 0.0);
      total += covariance_overlap(patterns[p], recall.winners, n) / 2;
    }
    overlaps.push_back(total);
  }
  INFO(overlaps[0] << ' ' << overlaps[1] << ' ' << overlaps[2]);
  CHECK(overlaps[0] < 0.45);
  CHECK(overlaps[1] > overlaps[0] + 0.1);
  CHECK(overlaps[2] > overlaps[1] + 0.1);
  CHECK(overlaps[2] > 0.85);
}

TEST_CASE("without centring, frequent units dominate", "[core][hopfield][winners]") {
  // Patterns of six units, unit i drawn in proportion to 1/sqrt(i+1), recalled from three of the six. An
  // activity of 1e-9 in the background takes the centring away: plain 0/1 Hebb.
  constexpr std::uint32_t n = 200;
  Rng rng(11, "hopfield_test hubs");
  std::vector<double> cumulative;
  for (std::uint32_t i = 0; i < n; ++i)
    cumulative.push_back((i > 0 ? cumulative.back() : 0) + 1 / std::sqrt(i + 1.0));
  std::vector<std::vector<std::uint32_t>> patterns;
  for (std::uint32_t p = 0; p < n; ++p) {
    std::set<std::uint32_t> units;
    while (units.size() < 6) {
      const double at = rng.uniform() * cumulative.back();
      units.insert(static_cast<std::uint32_t>(std::lower_bound(cumulative.begin(), cumulative.end(), at) -
                                              cumulative.begin()));
    }
    patterns.emplace_back(units.begin(), units.end());
  }
  const SparseCouplings centred = couplings_of(patterns, n, false);
  SparseCouplings plain = centred;
  for (double& a : plain.activity) a = a > 0 ? 1e-9 : 0.0;
  double with = 0, without = 0, intruders_with = 0, intruders_without = 0;
  for (const auto& pattern : patterns) {
    Vector cue = Vector::Zero(n);
    for (const auto place : first_units(rng, 6, 3)) cue[pattern[place]] = 1;
    const auto count = [&](const SparseCouplings& couplings, double& overlap, double& intruders) {
      const WinnersRecall recall = recall_winners(couplings, cue, 6, 1.0);
      overlap += covariance_overlap(pattern, recall.winners, n) / n;
      for (const auto i : recall.winners)
        if (!std::binary_search(pattern.begin(), pattern.end(), i)) intruders += centred.activity[i];
    };
    count(centred, with, intruders_with);
    count(plain, without, intruders_without);
  }
  INFO(with << " against " << without);
  CHECK(with > without + 0.15);                   // .83 against .59
  CHECK(intruders_without > 2 * intruders_with);  // the wrong units are hubs
}

Matrix sparse_patterns(Rng& rng, Index k, Index n, double a) {
  Matrix x(k, n);
  for (double& bit : x.reshaped()) bit = rng.uniform() < a ? 1.0 : 0.0;
  return x;
}

// Couplings from shares of episodes.
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

TEST_CASE("ties between fields go to the lowest ids", "[core][sparse_coding]") {
  const SparseCouplings unlinked{samples::sparse(Matrix::Zero(4, 4)), Vector::Ones(4), Vector::Zero(4)};
  CHECK(recall_winners(unlinked, Vector::Ones(4), 2, 1).winners == std::vector<std::uint32_t>{0, 1});
  CHECK_THROWS_AS(recall_winners(unlinked, Vector::Ones(3), 2, 1), std::invalid_argument);
}

TEST_CASE("sparser patterns have more capacity", "[core][sparse_coding]") {
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
