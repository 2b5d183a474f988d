// SPDX-License-Identifier: MIT
#include "core/hopfield/hopfield.hpp"

#include "core/learning/pattern_weights.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// The Ising energy -sum_{i<j} W_ij s_i s_j - 1/2 sum_i W_ii - sum_i b_i s_i, term by term.
double ising_energy(const Matrix& weights, const Vector& s, const Vector& field) {
  double energy = 0;
  for (Index i = 0; i < s.size(); ++i) {
    for (Index j = i + 1; j < s.size(); ++j) energy -= 0.5 * (weights(i, j) + weights(j, i)) * s[i] * s[j];
    energy -= 0.5 * weights(i, i);
    if (field.size() > 0) energy -= field[i] * s[i];
  }
  return energy;
}

double field_of(const Matrix& weights, const Vector& s, const Vector& external, Index i) {
  double h = external.size() > 0 ? external[i] : 0.0;
  for (Index j = 0; j < s.size(); ++j) h += weights(i, j) * s[j];
  return h;
}

double sign(double h, double old, ZeroField rule) {
  if (h > 1e-12) return 1;
  if (h < -1e-12) return -1;
  if (rule == ZeroField::plus) return 1;
  return rule == ZeroField::minus ? -1 : old;
}

struct Setting {
  Matrix weights;
  Vector cue;
  HopfieldOptions options;
};

// Random networks, with or without a field. Half have Hebbian weights of few patterns, which make zero fields common.
Setting random_setting(Rng& rng, int trial, Index most) {
  const Index n = 1 + below(rng, most);
  Setting setting{couplings(rng, n), spin_state(rng, n), {}};
  if (trial % 2 == 0) setting.weights = hebb_weights(spins(rng, 1 + below(rng, 6), n));
  setting.options.order = rng.permutation(static_cast<std::uint32_t>(n));
  setting.options.at_zero = zero_field_rules[rng.below(3)].value;
  if (rng.below(2) == 0) {
    setting.options.field = normal_vector(rng, n);
    if (trial % 2 == 0)  // multiples of 1/n, the unit of the couplings, keep zero fields common
      for (double& b : setting.options.field) b = std::round(b) / static_cast<double>(n);
  }
  return setting;
}

TEST_CASE("asynchronous recall matches a naive loop, and its energy never rises", "[hopfield_network]") {
  Rng rng(1, "hopfield_network_test async");
  for (int trial = 0; trial < 10'000; ++trial) {
    const Setting setting = random_setting(rng, trial, 12);
    const HopfieldRecall recall = recall_hopfield(setting.weights, setting.cue, setting.options);
    Vector s = setting.cue;
    std::vector<int> flips;
    do {
      flips.push_back(0);
      for (const Index i : setting.options.order) {
        const double next =
            sign(field_of(setting.weights, s, setting.options.field, i), s[i], setting.options.at_zero);
        flips.back() += next == s[i] ? 0 : 1;
        s[i] = next;
      }
      const double energy = ising_energy(setting.weights, s, setting.options.field);
      REQUIRE(recall.energies.size() > flips.size());
      REQUIRE(std::abs(recall.energies[flips.size()] - energy) < 1e-12);  // rounding of 144 terms of size 1
      REQUIRE(recall.energies[flips.size()] <= recall.energies[flips.size() - 1] + 1e-12);
    } while (flips.back() != 0);
    REQUIRE(recall.state == s);
    REQUIRE(recall.flips == flips);
    REQUIRE(recall.converged);
    REQUIRE(recall.energies.size() == flips.size() + 1);
  }
}

TEST_CASE("synchronous recall matches a naive loop, with period 1 or 2 for symmetric W",
          "[hopfield_network]") {
  Rng rng(2, "hopfield_network_test sync");
  std::array<int, 3> periods{};
  for (int trial = 0; trial < 3000; ++trial) {
    Setting setting = random_setting(rng, trial, 12);
    if (trial % 3 == 0) setting.weights = couplings(rng, setting.cue.size());
    const HopfieldRecall recall = recall_synchronous(setting.weights, setting.cue, setting.options);
    std::vector<Vector> states{setting.cue};
    std::vector<int> flips;
    Index first = -1;
    while (first < 0) {
      Vector next(setting.cue.size());
      for (Index i = 0; i < next.size(); ++i)
        next[i] = sign(field_of(setting.weights, states.back(), setting.options.field, i), states.back()[i],
                       setting.options.at_zero);
      flips.push_back(static_cast<int>((next - states.back()).lpNorm<1>() / 2));
      const auto place = std::find(states.begin(), states.end(), next);
      if (place != states.end()) first = place - states.begin();
      states.push_back(next);
    }
    REQUIRE(recall.state == states.back());
    REQUIRE(recall.flips == flips);
    REQUIRE(recall.period == static_cast<int>(states.size()) - 1 - static_cast<int>(first));
    REQUIRE(recall.converged == (recall.period == 1));
    REQUIRE(recall.energies.size() == states.size());
    for (std::size_t t = 0; t < states.size(); ++t)
      REQUIRE(std::abs(recall.energies[t] - ising_energy(setting.weights, states[t], setting.options.field)) <
              1e-12);
    if (recall.period <= 2) ++periods[static_cast<std::size_t>(recall.period)];
    // Networks without zero fields have period 1 or 2.
    if (trial % 3 == 0 && trial % 2 == 1) REQUIRE(recall.period <= 2);
  }
  CHECK(periods[1] > 500);
  CHECK(periods[2] > 500);
}

TEST_CASE("cycles, worked by hand", "[hopfield_network]") {
  const Matrix differ{{0, -0.5}, {-0.5, 0}};
  const HopfieldRecall two = recall_synchronous(differ, Vector::Ones(2));
  CHECK(two.state == Vector::Ones(2));  // the states are (1,1), (-1,-1), (1,1)
  CHECK(two.period == 2);
  CHECK_FALSE(two.converged);
  CHECK(two.energies == std::vector<double>{0.5, 0.5, 0.5});
  CHECK(two.flips == std::vector<int>{2, 2});
  Matrix turn = Matrix::Zero(3, 3);
  turn(1, 0) = turn(2, 1) = turn(0, 2) = 1;  // each spin takes the state of its predecessor
  const HopfieldRecall three = recall_synchronous(turn, vector({1, -1, -1}));
  CHECK(three.period == 3);
  CHECK(three.state == vector({1, -1, -1}));
  const HopfieldRecall cut = recall_synchronous(turn, vector({1, -1, -1}), {.max_sweeps = 2, .order = {}});
  CHECK(cut.period == 0);
  CHECK_FALSE(cut.converged);
  CHECK(cut.state == vector({-1, -1, 1}));
  const HopfieldRecall still = recall_synchronous(turn, Vector::Ones(3));
  CHECK((still.period == 1 && still.converged && still.flips == std::vector<int>{0}));
}

TEST_CASE("no flip of 10,000 random recalls raises the energy", "[hopfield_network]") {
  Rng rng(17, "ten thousand recalls");
  for (int run = 0; run < 10'000; ++run) {
    const auto n = static_cast<Index>(2 + rng.below(11));
    Matrix weights = couplings(rng, n);
    if (run % 3 == 0) weights = (4 * weights).array().round();  // integer weights make zero fields common
    if (run % 4 == 0) weights.diagonal().setConstant(rng.uniform());
    HopfieldOptions options{.order = rng.permutation(static_cast<std::uint32_t>(n))};
    options.observations_per_sweep = static_cast<int>(n);  // the energy is observed after each spin
    options.at_zero = zero_field_rules[rng.below(3)].value;
    if (run % 2 == 0) options.field = normal_vector(rng, n);
    const HopfieldRecall recall = recall_hopfield(weights, spin_state(rng, n), options);
    const double rounding = 1e-14 * (1 + weights.cwiseAbs().sum());
    REQUIRE(never_rises(recall.energies, rounding));
    if (options.at_zero == ZeroField::keep) REQUIRE(recall.converged);
  }
}

TEST_CASE("the three rules for zero fields", "[hopfield_network]") {
  const Vector cue = vector({1, -1});
  const Matrix almost{{0, 0.9e-12}, {0.9e-12, 0}};  // counts as a rounding error, not as a field
  for (const Matrix& weights : {Matrix(Matrix::Zero(2, 2)), almost})
    for (const auto& facts : zero_field_rules) {
      const HopfieldOptions options{.order = {}, .at_zero = facts.value};
      const Vector expected = facts.value == ZeroField::keep   ? cue
                              : facts.value == ZeroField::plus ? Vector(Vector::Ones(2))
                                                               : Vector(-Vector::Ones(2));
      CHECK(recall_hopfield(weights, cue, options).state == expected);
      CHECK(recall_synchronous(weights, cue, options).state == expected);
    }
  HopfieldOptions against;  // the external field is included
  against.field = vector({-0.5, 0.5});
  against.at_zero = ZeroField::minus;
  const Matrix half{{0, 0.5}, {0.5, 0}};
  CHECK(recall_hopfield(half, Vector::Ones(2), against).state == vector({-1, -1}));
}

TEST_CASE("Glauber dynamics keeps the Boltzmann distribution", "[hopfield_network]") {
  Rng rng(3, "hopfield_network_test glauber");
  for (int trial = 0; trial < 100; ++trial) {
    constexpr Index n = 4;
    const Matrix weights = couplings(rng, n);
    const Vector field = trial % 2 == 0 ? Vector() : normal_vector(rng, n);
    const double temperature = uniform(rng, 0.3, 4);
    for (std::uint32_t i = 0; i < n; ++i) {
      Vector plus = spin_state(rng, n);
      plus[i] = 1;
      Vector minus = plus;
      minus[i] = -1;
      GlauberDraws draws{temperature, {i}, Vector::Constant(1, 0.5)};
      const double p = recall_glauber(weights, minus, draws, field).p_plus[0];
      // Detailed balance: P(+)/P(-) = exp((E(-) - E(+))/T).
      const double odds =
          std::exp((ising_energy(weights, minus, field) - ising_energy(weights, plus, field)) / temperature);
      CHECK(std::abs(p - odds / (1 + odds)) < 1e-13);
      CHECK(recall_glauber(weights, plus, draws, field).p_plus[0] == p);
      draws.uniforms[0] = std::nextafter(p, 0.0);
      CHECK(recall_glauber(weights, minus, draws, field).state == plus);
      CHECK(recall_glauber(weights, minus, draws, field).flips == std::vector<int>{1});
      draws.uniforms[0] = p;
      CHECK(recall_glauber(weights, plus, draws, field).state == minus);
      CHECK(recall_glauber(weights, minus, draws, field).flips == std::vector<int>{0});
    }
  }
}

TEST_CASE("Glauber dynamics step by step", "[hopfield_network]") {
  Rng rng(4, "hopfield_network_test glauber run");
  const Matrix weights = couplings(rng, 9);
  const Vector field = normal_vector(rng, 9);
  GlauberDraws draws{1.5, {}, Vector(400)};
  for (double& u : draws.uniforms) {
    u = rng.uniform();
    draws.sites.push_back(static_cast<std::uint32_t>(rng.below(9)));
  }
  Vector s = spin_state(rng, 9);
  const GlauberRecall recall = recall_glauber(weights, s, draws, field);
  REQUIRE(recall.energies.size() == 401);
  int flips = 0;
  for (std::size_t t = 0; t < 400; ++t) {
    CHECK(std::abs(recall.energies[t] - ising_energy(weights, s, field)) < 1e-12);
    const Index i = draws.sites[t];
    const double p = 1 / (1 + std::exp(-2 * field_of(weights, s, field, i) / 1.5));
    CHECK(std::abs(recall.p_plus[static_cast<Index>(t)] - p) < 1e-14);
    const double next = draws.uniforms[static_cast<Index>(t)] < p ? 1 : -1;
    CHECK(recall.flips[t] == (next == s[i] ? 0 : 1));
    flips += recall.flips[t];
    s[i] = next;
  }
  CHECK(recall.state == s);
  CHECK(flips > 30);
}

TEST_CASE("Glauber dynamics at extreme temperatures and in zero fields", "[hopfield_network]") {
  const Matrix weights{{0, 0.5}, {0.5, 0}};
  const Vector cue = vector({-1, 1});
  const auto p_plus = [&](double temperature, const Vector& field) {
    return recall_glauber(weights, cue, {temperature, {0, 0}, Vector::Constant(2, 0.25)}, field).p_plus[0];
  };
  CHECK(p_plus(1e-300, {}) == 1);
  CHECK(p_plus(1e-300, vector({-2, 0})) == 0);
  CHECK(p_plus(1e-300, vector({-0.5, 0})) == 0.5);
  // 0.9e-12 counts as a rounding error, not as a field.
  CHECK(p_plus(1e-300, vector({-0.5 + 0.9e-12, 0})) == 0.5);
  CHECK(p_plus(1e300, {}) == 0.5);
  CHECK(p_plus(2, {}) == 1 / (1 + exp(-0.5)));
}

TEST_CASE("overlaps of a state with patterns", "[hopfield_network]") {
  const Matrix x{{1, 1, -1, -1}, {1, -1, -1, 1}, {1, 1, 1, -1}};
  CHECK(overlaps(x, vector({1, 1, -1, -1})) == vector({1, 0, 0.5}));
  CHECK(overlaps(x, vector({-1, -1, 1, 1})) == vector({-1, 0, -0.5}));
  CHECK_INVALID(overlaps(x, Vector::Ones(3)));
}

TEST_CASE("the dynamics reject invalid input", "[hopfield_network]") {
  const Matrix weights = Matrix::Zero(3, 3);
  const Vector cue = Vector::Ones(3);
  CHECK(sweep_order({}, 3) == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(sweep_order({2, 0, 1}, 3) == std::vector<std::uint32_t>{2, 0, 1});
  for (const double wrong : {0.0, 0.5, 2.0, nan}) {
    const Vector state = vector({1, wrong, -1});
    CHECK_INVALID(recall_hopfield(weights, state));
    CHECK_INVALID(recall_synchronous(weights, state));
    CHECK_INVALID(recall_glauber(weights, state, {}));
  }
  Matrix broken = weights;
  broken(1, 2) = nan;
  CHECK_INVALID(recall_hopfield(broken, cue));
  for (const Vector& field : {Vector(Vector::Ones(2)), vector({0, nan, 0})}) {
    const HopfieldOptions options{.order = {}, .field = field};
    CHECK_INVALID(recall_hopfield(weights, cue, options));
    CHECK_INVALID(recall_synchronous(weights, cue, options));
    CHECK_INVALID(recall_glauber(weights, cue, {}, field));
  }
  CHECK_INVALID(recall_synchronous(Matrix::Zero(3, 2), cue));
  for (const double temperature : {0.0, -1.0, nan, infinity})
    CHECK_INVALID(recall_glauber(weights, cue, {temperature, {}, {}}));
  CHECK_INVALID(recall_glauber(weights, cue, {1, {3}, Vector::Zero(1)}));
  CHECK_INVALID(recall_glauber(weights, cue, {1, {0}, Vector::Ones(1)}));
  CHECK_INVALID(recall_glauber(weights, cue, {1, {0}, Vector::Constant(1, nan)}));
  CHECK_INVALID(recall_glauber(weights, cue, {1, {0, 1}, Vector::Zero(1)}));
}

}  // namespace
}  // namespace engram::core
