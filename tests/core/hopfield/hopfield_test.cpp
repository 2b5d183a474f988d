// SPDX-License-Identifier: MIT
#include <bit>

#include "core/hopfield/hopfield.hpp"
#include "core/learning/pattern_weights.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// The Ising energy -sum_{i<j} W_ij s_i s_j, pair by pair.
double ising_energy(const Matrix& weights, const Vector& s) {
  double energy = 0;
  for (Index i = 0; i < s.size(); ++i)
    for (Index j = i + 1; j < s.size(); ++j) energy -= weights(i, j) * s[i] * s[j];
  return energy;
}

double normal_tail(double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); }

TEST_CASE("Hebbian weights, worked by hand", "[hopfield]") {
  const Matrix one{{1, 1, -1, 1}};
  const Matrix expected{
      {0, 0.25, -0.25, 0.25}, {0.25, 0, -0.25, 0.25}, {-0.25, -0.25, 0, -0.25}, {0.25, 0.25, -0.25, 0}};
  CHECK(hebb_weights(one) == expected);
  CHECK(hopfield_energy(expected, one.row(0).transpose()) == -1.5);
  // Two orthogonal patterns. If they disagree about the product of two spins, the coupling of these spins is 0.
  const Matrix two{{1, 1, -1, -1}, {1, -1, -1, 1}};
  const Matrix sum{{0, 0, -0.5, 0}, {0, 0, 0, -0.5}, {-0.5, 0, 0, 0}, {0, -0.5, 0, 0}};
  CHECK(hebb_weights(two) == sum);
  CHECK(hebb_weights(Matrix::Ones(1, 1)) == Matrix::Zero(1, 1));
  CHECK(hebb_weights(Matrix(0, 3)) == Matrix::Zero(3, 3));
  CHECK_INVALID(hebb_weights(Matrix(2, 0)));
}

TEST_CASE("Hebbian weights equal Eigen's X'X / d without the diagonal", "[hopfield]") {
  Rng rng(1, "hopfield_test hebb");
  for (int trial = 0; trial < 30; ++trial) {
    const Matrix x = spins(rng, below(rng, 12), 1 + below(rng, 40));
    Matrix expected = x.transpose() * x;
    expected.diagonal().setZero();
    CHECK(hebb_weights(x) == Matrix(expected / static_cast<double>(x.cols())));  // integers: exact
  }
}

TEST_CASE("Hopfield's energy is the Ising energy", "[hopfield]") {
  Rng rng(2, "hopfield_test ising");
  for (int trial = 0; trial < 30; ++trial) {
    const Matrix weights = samples::couplings(rng, 1 + below(rng, 20));
    const Vector s = spin_state(rng, weights.rows());
    CHECK(std::abs(hopfield_energy(weights, s) - ising_energy(weights, s)) < 1e-12);  // 400 terms of size 1
  }
}

TEST_CASE("a recall that repairs two bits of ten, worked by hand", "[hopfield]") {
  Matrix x(2, 10);
  x.row(0) << 1, 1, -1, 1, -1, -1, 1, -1, 1, -1;
  x.row(1) << 1, 1, -1, 1, -1, -1, -1, -1, -1, -1;
  const HopfieldOptions options{.order = {1, 9, 7, 6, 0, 3, 8, 5, 2, 4}};
  const Vector cue = vector({1, -1, -1, 1, -1, -1, 1, -1, 1, 1});
  const HopfieldRecall recall = recall_hopfield(hebb_weights(x), cue, options);
  CHECK(recall.state == Vector(x.row(0).transpose()));
  CHECK(recall.flips == std::vector<int>{2, 0});
  CHECK(recall.converged);
  REQUIRE(recall.energies.size() == 3);
  CHECK(std::abs(recall.energies[0] - -1.0) < 1e-14);  // rounding of sums of tenths
  CHECK(std::abs(recall.energies[1] - -5.8) < 1e-14);
  CHECK(std::abs(recall.energies[2] - -5.8) < 1e-14);
}

TEST_CASE("spins change one at a time, in the given order", "[hopfield]") {
  // Each field opposes the other spin, so the spin that is updated first flips.
  const Matrix weights{{0, -0.5}, {-0.5, 0}};
  const Vector cue = Vector::Ones(2);
  CHECK(recall_hopfield(weights, cue).state == vector({-1, 1}));
  CHECK(recall_hopfield(weights, cue, {.order = {1, 0}}).state == vector({1, -1}));
}

TEST_CASE("the energy never rises, and in the result every spin agrees with its field", "[hopfield]") {
  Rng rng(3, "hopfield_test energy");
  for (int trial = 0; trial < 1000; ++trial) {
    const auto n = static_cast<std::uint32_t>(1 + rng.below(16));
    const Matrix weights = samples::couplings(rng, n);
    const HopfieldOptions options{.order = rng.permutation(n),
                                  .observations_per_sweep = 1 + static_cast<int>(rng.below(5))};
    std::vector<double> observed;
    const Vector cue = spin_state(rng, n);
    const HopfieldRecall recall = recall_hopfield(
        weights, cue, options, [&](const Vector& s) { observed.push_back(ising_energy(weights, s)); });
    REQUIRE(recall.converged);
    REQUIRE(recall.energies.size() == observed.size() + 1);
    REQUIRE(observed.size() ==
            recall.flips.size() * static_cast<std::size_t>(options.observations_per_sweep));
    REQUIRE(never_rises(recall.energies, 1e-12));  // rounding of 256 terms of size about 1
    for (std::size_t t = 0; t < observed.size(); ++t)
      REQUIRE(std::abs(observed[t] - recall.energies[t + 1]) < 1e-12);
    const Vector field = weights * recall.state;
    REQUIRE((field.cwiseProduct(recall.state).array() >= -1e-11).all());
    REQUIRE((recall.state.array().abs() == 1.0).all());
    REQUIRE(recall.flips.back() == 0);
  }
}

TEST_CASE("few patterns and their opposites are fixed points", "[hopfield]") {
  Rng rng(4, "hopfield_test fixed points");
  for (int trial = 0; trial < 10; ++trial) {
    const Matrix x = spins(rng, 3, 150);
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

TEST_CASE("a spin in a zero field keeps its state", "[hopfield]") {
  const Vector cue = vector({1, -1, 1, -1});
  CHECK(recall_hopfield(Matrix::Zero(4, 4), cue).state == cue);
  Matrix almost = Matrix::Zero(4, 4);
  almost(0, 1) = almost(1, 0) = 0.9e-12;  // a rounding error, which counts as no field
  CHECK(recall_hopfield(almost, cue).state == cue);
  almost(0, 1) = almost(1, 0) = 1.1e-12;
  CHECK(recall_hopfield(almost, cue).state == vector({-1, -1, 1, -1}));
}

TEST_CASE("recall stops after max_sweeps", "[hopfield]") {
  const Matrix x{{1, 1, 1, 1}};
  const HopfieldRecall recall =
      recall_hopfield(hebb_weights(x), vector({1, 1, 1, -1}), {.max_sweeps = 1, .order = {}});
  CHECK(recall.state == Vector::Ones(4));
  CHECK_FALSE(recall.converged);  // the only sweep had a flip
  CHECK(recall.flips == std::vector<int>{1});
}

TEST_CASE("Hopfield recall rejects invalid input", "[hopfield]") {
  const Matrix weights = Matrix::Zero(3, 3);
  const Vector cue = Vector::Ones(3);
  for (const std::vector<std::uint32_t>& order : std::vector<std::vector<std::uint32_t>>{
           {0, 1}, {0, 1, 1}, {0, 1, 3}, {0, 1, 2, 0}, {0, 1, 2, 3}, {0, 1, 4000000000u}})
    CHECK_INVALID(recall_hopfield(weights, cue, {.order = order}));
  CHECK_INVALID(recall_hopfield(weights, cue, {.order = {}, .observations_per_sweep = 0}));
  CHECK_INVALID(recall_hopfield(weights, Vector::Ones(2)));
  CHECK_INVALID(recall_hopfield(Matrix::Zero(3, 2), cue));
}

TEST_CASE("the error of one step at load 0.185", "[hopfield]") {
  // Hertz, Krogh and Palmer's table has an error of 1 % at the load P/N = 0.185. For finite N the error is
  // Phi(-sqrt((N-1)/(P-1))).
  constexpr Index n = 500, p = 93;
  constexpr int sets = 2;
  Rng rng(5, "hopfield_test one step");
  double wrong = 0;
  for (int set = 0; set < sets; ++set) {
    const Matrix x = spins(rng, p, n);
    const Matrix fields = x * hebb_weights(x);
    wrong += static_cast<double>((fields.cwiseProduct(x).array() < 0).count());
  }
  const double theory = normal_tail(std::sqrt((n - 1.0) / (p - 1.0)));
  CHECK(theory == Approx(0.0099).epsilon(0.02));
  // About 920 bits are wrong, so one standard deviation is 3.3 %. The tolerance is three of them.
  CHECK(wrong / (sets * n * p) == Approx(theory).epsilon(0.1));
}

TEST_CASE("patterns are fixed points up to McEliece's capacity", "[hopfield]") {
  // One of P patterns is a fixed point with probability (1 - Phi(-sqrt((N-1)/(P-1))))^N. For N = 1000 and P = N/(2 ln
  // N) this is 0.92. The test has N = 200, to be quick.
  constexpr Index n = 200, p = 19;
  constexpr int sets = 40;
  Rng rng(6, "hopfield_test capacity");
  int stable = 0;
  for (int set = 0; set < sets; ++set) {
    const Matrix x = spins(rng, p, n);
    const Matrix weights = hebb_weights(x);
    for (Index k = 0; k < p; ++k) {
      const HopfieldOptions once{.max_sweeps = 1, .order = {}};
      stable += recall_hopfield(weights, x.row(k).transpose(), once).flips[0] == 0 ? 1 : 0;
    }
  }
  const double theory = std::pow(1 - normal_tail(std::sqrt((n - 1.0) / (p - 1.0))), n);
  // A sample of 760 patterns has a standard error of 0.01, or slightly more, because the patterns of a set are
  // dependent.
  CHECK(std::abs(stable / static_cast<double>(sets * p) - theory) < 0.04);
}

TEST_CASE("recall stays near the pattern below capacity, and leaves it far above", "[hopfield]") {
  constexpr Index n = 400;
  Rng rng(7, "hopfield_test load");
  const auto overlap_at = [&](Index p) {
    const Matrix x = spins(rng, p, n);
    const Matrix weights = hebb_weights(x);
    double total = 0;
    for (Index k = 0; k < 10; ++k)
      total += recall_hopfield(weights, x.row(k).transpose()).state.dot(x.row(k).transpose()) / n;
    return total / 10;
  };
  CHECK(overlap_at(20) > 0.999);  // at load 0.05, the overlap is at least 0.9995 for N = 1000
  CHECK(overlap_at(120) < 0.6);   // at load 0.3, twice the critical load 0.138, it is about 0.35
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
  couplings.together = sparse(together);
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
    activity[i] = rng.below(6) == 0 ? 0.0 : uniform(rng, 0.05, 0.9);
    gain[i] = uniform(rng, 0.5, 2);
  }
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j)
      if (activity[i] > 0 && activity[j] > 0 && rng.below(2) == 0)
        together(i, j) = together(j, i) = uniform(rng, 0, std::min(activity[i], activity[j]));
  return {sparse(together), activity, gain};
}

std::vector<std::uint32_t> first_units(Rng& rng, std::uint32_t n, std::size_t k) {
  auto units = rng.permutation(n);
  units.resize(k);
  std::sort(units.begin(), units.end());
  return units;
}

TEST_CASE("sparse couplings, worked by hand: covariance and correlation", "[hopfield][winners]") {
  // Units 0 and 1 are always active together, in half of the episodes. Unit 2 is active in the other half, unit 3 in
  // all episodes, and unit 4 in none.
  const std::vector<std::vector<std::uint32_t>> episodes{{0, 1, 3}, {2, 3}, {0, 1, 3}, {2, 3}};
  const SparseCouplings covariance = couplings_of(episodes, 5, false);
  CHECK(covariance.size() == 5);
  CHECK(covariance.weight(0, 1) == 0.25);   // 1/2 - 1/2 * 1/2
  CHECK(covariance.weight(0, 2) == -0.25);  // 0 - 1/4
  CHECK(covariance.weight(0, 3) == 0.0);    // 1/2 - 1/2 * 1: a unit that is always active has no covariance
  CHECK(covariance.weight(0, 4) == 0.0);
  CHECK(covariance.weight(1, 1) == 0.0);
  const SparseCouplings correlation = couplings_of(episodes, 5, true);
  CHECK(std::abs(correlation.weight(0, 1) - 1) < 1e-15);  // rounding of square roots
  CHECK(std::abs(correlation.weight(2, 0) + 1) < 1e-15);
}

TEST_CASE("sparse fields match the dense weight matrix", "[hopfield][winners]") {
  Rng rng(8, "hopfield_test field");
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + below(rng, 25);
    const SparseCouplings couplings = random_sparse_couplings(rng, n);
    const Matrix weights = dense_weights(couplings);
    CHECK(weights == Matrix(weights.transpose()));
    CHECK((weights.diagonal().array() == 0).all());
    const Matrix together = dense(couplings.together);
    Matrix expected = together - couplings.activity * couplings.activity.transpose();
    expected = couplings.gain.asDiagonal() * expected * couplings.gain.asDiagonal();
    expected.diagonal().setZero();
    CHECK(distance(weights, expected) < 1e-15 * 8);  // the gains are at most 2
    Vector state(n);
    for (double& s : state) s = static_cast<double>(rng.below(2));
    const Vector external = normal_vector(rng, n);
    CHECK(distance(couplings.field(state, external), Vector(weights * state + external)) < 1e-12);
  }
  const SparseCouplings three = random_sparse_couplings(rng, 3);
  CHECK_INVALID(three.field(Vector::Ones(2), Vector::Ones(3)));
  CHECK_INVALID(three.field(Vector::Ones(3), Vector::Ones(2)));
}

TEST_CASE("k winners: energies fall to a state that no single change improves", "[hopfield][winners]") {
  Rng rng(9, "hopfield_test winners");
  int runs = 0, global = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Index n = 3 + below(rng, 10);
    const SparseCouplings couplings = random_sparse_couplings(rng, n);
    const Matrix weights = dense_weights(couplings);
    Vector cue(n);
    for (double& x : cue) x = rng.below(4) == 0 ? rng.uniform() : 0.0;
    const double strength = rng.below(2) == 0 ? 0.0 : rng.uniform();
    const Index k = 1 + below(rng, n);
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
    REQUIRE(distance(recall.field, field) < 1e-12);
    REQUIRE(recall.energies.size() == static_cast<std::size_t>(recall.changes) + 1);
    REQUIRE(falls(recall.energies));
    const double reached = energy(winners);
    REQUIRE(std::abs(recall.energies.back() - reached) < 1e-12);

    // Any of the three documented changes keeps or raises the energy. Leaving and joining are tried for every unit, a swap only
    // for the weakest winner and the strongest other unit.
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

TEST_CASE("k winners start from the cue's units, keeping the strongest k", "[hopfield][winners]") {
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
  const WinnersRecall crowded = recall_winners(couplings, vector({1, 1, 1, 1, 0, 0, 0}), 3, 0.0);
  CHECK(crowded.winners == Units{0, 1, 2});
  CHECK(crowded.changes == 0);
  CHECK(crowded.energies == std::vector<double>{-0.75});  // three pairs, each with the covariance 1/4
  const WinnersRecall alone = recall_winners(couplings, Vector::Unit(7, 0), 3, 1.0);
  // The energy is -1 for the cue. The second unit adds one pair of -1/4, and the third unit two pairs.
  CHECK(alone.energies == std::vector<double>{-1, -1.25, -1.75});
  CHECK(alone.field == vector({1.5, 0.5, 0.5, -0.75, -0.75, -0.75, 0}));
}

TEST_CASE("k winners make a change if two changes are equally good", "[hopfield][winners]") {
  // Adding unit 3 and removing unit 0 lower the energy equally.
  const SparseCouplings couplings =
      couplings_of({{0, 1}, {}, {1, 3, 4}, {0, 3, 4}, {0, 3}, {0}, {1, 2, 3}, {4}}, 5, false);
  const WinnersRecall recall = recall_winners(couplings, vector({1, 0, 1, 0, 0}), 4, 0.0);
  CHECK(recall.converged);
  CHECK(recall.changes < 10);
  // Couplings of few episodes have many such ties.
  Rng rng(12, "hopfield_test ties");
  for (int trial = 0; trial < 1000; ++trial) {
    const auto n = static_cast<std::uint32_t>(3 + rng.below(8));
    std::vector<std::vector<std::uint32_t>> episodes(2 + rng.below(8));
    for (auto& episode : episodes) episode = first_units(rng, n, rng.below(n));
    Vector cue(n);
    for (double& x : cue) x = static_cast<double>(rng.below(2));
    const WinnersRecall each = recall_winners(couplings_of(episodes, n, rng.below(2) == 0), cue,
                                              1 + below(rng, n), static_cast<double>(rng.below(2)));
    REQUIRE(each.converged);
    REQUIRE(falls(each.energies));
  }
}

TEST_CASE("k winners stop after max_changes and reject invalid input", "[hopfield][winners]") {
  const SparseCouplings couplings = couplings_of({{0, 1, 2}, {3}}, 4, false);
  const WinnersRecall cut = recall_winners(couplings, Vector::Unit(4, 0), 3, 1.0, 1);
  CHECK(cut.winners.size() == 2);
  CHECK(cut.changes == 1);
  CHECK_FALSE(cut.converged);
  CHECK_INVALID(recall_winners(couplings, Vector::Ones(3), 2, 1.0));
  CHECK_INVALID(recall_winners(couplings, Vector::Ones(4), 0, 1.0));
}

// The overlap sum_i (x_i - a) s_i / (N a (1 - a)) of winners s with a pattern x of activity a. It is 1 for the pattern
// itself and on average 0 for an unrelated set.
double covariance_overlap(const std::vector<std::uint32_t>& pattern,
                          const std::vector<std::uint32_t>& winners, double n) {
  const std::set<std::uint32_t> members(pattern.begin(), pattern.end());
  const double a = static_cast<double>(pattern.size()) / n;
  double total = 0;
  for (const auto i : winners) total += (members.count(i) > 0 ? 1.0 : 0.0) - a;
  return total / (n * a * (1 - a));
}

TEST_CASE("sparser codes have more capacity (Tsodyks and Feigelman)", "[hopfield][winners]") {
  // A thousand patterns of a thousand units are stored, and some of them are recalled from themselves. Parallel updates
  // give overlaps of .28, .47 and .88 at activity .5, .1 and .02. The k winners do better for sparse codes.
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

TEST_CASE("without centring, frequent units dominate", "[hopfield][winners]") {
  // A pattern has six units, drawn in proportion to 1/sqrt(i+1). The cue for it is three of its units. A background
  // activity of 1e-9 gives the plain Hebb rule without centring.
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
  CHECK(with > without + 0.15);                   // measured: 0.83 with centring, 0.59 without
  CHECK(intruders_without > 2 * intruders_with);  // most wrong units are hubs
}

Matrix sparse_patterns(Rng& rng, Index k, Index n, double a) {
  Matrix x(k, n);
  for (double& bit : x.reshaped()) bit = rng.uniform() < a ? 1.0 : 0.0;
  return x;
}

// Couplings of patterns with entries 0 and 1: the share of patterns in which both units are active.
SparseCouplings couplings_of(const Matrix& x) {
  const Matrix shares = x.transpose() * x / static_cast<double>(x.rows());
  Matrix together = shares;
  together.diagonal().setZero();
  return {sparse(together), shares.diagonal(), Vector::Ones(x.cols())};
}

// Cosine-like overlap in [-1, 1] of the active units with a pattern.
double overlap(const std::vector<std::uint32_t>& active, const Vector& pattern) {
  const double n = static_cast<double>(pattern.size()), size = static_cast<double>(active.size());
  double shared = 0;
  for (const std::uint32_t i : active) shared += pattern[i];
  const double a = pattern.mean(), b = size / n;
  return (shared / n - a * b) / std::sqrt(a * (1 - a) * b * (1 - b));
}

TEST_CASE("ties between fields go to the lowest ids", "[sparse_coding]") {
  const SparseCouplings unlinked{sparse(Matrix::Zero(4, 4)), Vector::Ones(4), Vector::Zero(4)};
  CHECK(recall_winners(unlinked, Vector::Ones(4), 2, 1).winners == std::vector<std::uint32_t>{0, 1});
  CHECK_INVALID(recall_winners(unlinked, Vector::Ones(3), 2, 1));
}

TEST_CASE("sparser patterns have more capacity", "[sparse_coding]") {
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
