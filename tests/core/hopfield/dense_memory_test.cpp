// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "core/hopfield/dense_memory.hpp"
#include "core/learning/pattern_weights.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

__extension__ typedef __int128 Whole;

constexpr auto polynomial = DenseSeparation::polynomial;
constexpr auto rectified = DenseSeparation::rectified;
constexpr auto exponential = DenseSeparation::exponential;

Whole whole_value(DenseSeparation separation, unsigned n, int overlap) {
  if (separation == rectified && overlap < 0) return 0;
  Whole value = 1;
  for (unsigned k = 0; k < n; ++k) value *= overlap;
  return value;
}

int overlap_of(const Matrix& x, Index k, const Vector& s) {
  int total = 0;
  for (Index i = 0; i < s.size(); ++i) total += x(k, i) == s[i] ? 1 : -1;
  return total;
}

Whole whole_energy(const Matrix& x, const Vector& s, DenseSeparation separation, unsigned n) {
  Whole energy = 0;
  for (Index k = 0; k < x.rows(); ++k) energy -= whole_value(separation, n, overlap_of(x, k, s));
  return energy;
}

// The difference of energies E(other) - E(s) in long double. Terms for overlaps that both states share are omitted,
// so that they leave no rounding errors.
long double energy_difference(const Matrix& x, const Vector& s, const Vector& other,
                              const DenseOptions& options) {
  std::map<int, int> counts;
  for (Index k = 0; k < x.rows(); ++k)
    for (const bool of_other : {false, true}) {
      const int overlap = overlap_of(x, k, of_other ? other : s);
      if (options.separation == rectified && overlap < 0) continue;
      const bool mirrored = options.separation == polynomial && overlap < 0;
      counts[mirrored ? -overlap : overlap] +=
          (of_other ? -1 : 1) * (mirrored && options.n % 2 == 1 ? -1 : 1);
    }
  long double difference = 0;
  for (const auto& [overlap, count] : counts) {
    const auto value = static_cast<long double>(overlap);
    if (count != 0)
      difference +=
          count * (options.separation == exponential ? std::exp(value)
                                                     : std::pow(value, static_cast<long double>(options.n)));
  }
  return difference;
}

// Reference recall that sets each spin to the state of lower energy. `lower(other, s)` compares the energies.
template <class Lower>
void check_recall(const Matrix& x, const Vector& cue, const DenseOptions& options, Lower lower) {
  const HopfieldRecall recall = recall_dense(x, cue, options);
  Vector s = cue;
  std::vector<int> flips;
  do {
    flips.push_back(0);
    for (const Index i : options.order) {
      Vector other = s;
      other[i] = -other[i];
      if (!lower(other, s)) continue;
      s = other;
      ++flips.back();
    }
  } while (flips.back() != 0);
  REQUIRE(recall.state == s);
  REQUIRE(recall.flips == flips);
  REQUIRE(recall.converged);
  REQUIRE(recall.energies.size() == flips.size() + 1);
}

TEST_CASE("polynomial and rectified recalls are exact, including ties", "[dense_memory]") {
  Rng rng(1, "dense_memory_test whole numbers");
  for (int trial = 0; trial < 2000; ++trial) {
    const Index spins = 1 + below(rng, 14);
    const Matrix x = samples::spins(rng, 1 + below(rng, 12), spins);
    const Vector cue = samples::spin_state(rng, spins);
    DenseOptions options{trial % 2 == 0 ? polynomial : rectified, static_cast<unsigned>(1 + rng.below(12)),
                         rng.permutation(static_cast<std::uint32_t>(spins))};
    const auto energy = [&](const Vector& s) { return whole_energy(x, s, options.separation, options.n); };
    check_recall(x, cue, options, [&](const Vector& a, const Vector& b) { return energy(a) < energy(b); });
    const HopfieldRecall recall = recall_dense(x, cue, options);
    const auto exact = static_cast<double>(energy(cue));
    REQUIRE(std::abs(recall.energies.front() - exact) <= 1e-14 * std::abs(exact));
    for (std::size_t t = 1; t < recall.energies.size(); ++t)
      REQUIRE(recall.energies[t] <= recall.energies[t - 1] + 1e-14 * std::abs(recall.energies[t]));
  }
}

TEST_CASE("integers beyond the exact range of double", "[dense_memory]") {
  Rng rng(2, "dense_memory_test large numbers");
  for (int trial = 0; trial < 300; ++trial) {
    const Index spins = 30 + below(rng, 40);
    const Matrix x = samples::spins(rng, 2 + below(rng, 30), spins);
    const Vector cue = samples::spin_state(rng, spins);
    DenseOptions options{trial % 2 == 0 ? polynomial : rectified, static_cast<unsigned>(9 + rng.below(10)),
                         rng.permutation(static_cast<std::uint32_t>(spins))};
    check_recall(x, cue, options, [&](const Vector& a, const Vector& b) {
      return whole_energy(x, a, options.separation, options.n) <
             whole_energy(x, b, options.separation, options.n);
    });
  }
}

TEST_CASE("exponential recalls, and polynomials that overflow", "[dense_memory]") {
  Rng rng(3, "dense_memory_test long double");
  for (int trial = 0; trial < 600; ++trial) {
    const Index spins = 1 + below(rng, 40);
    const Matrix x = samples::spins(rng, 1 + below(rng, 40), spins);
    const Vector cue = samples::spin_state(rng, spins);
    DenseOptions options{exponential, 1, rng.permutation(static_cast<std::uint32_t>(spins))};
    if (trial % 3 != 0) {
      options.separation = trial % 3 == 1 ? polynomial : rectified;
      options.n = 1100 + static_cast<unsigned>(rng.below(1000));
    }
    check_recall(x, cue, options,
                 [&](const Vector& a, const Vector& b) { return energy_difference(x, b, a, options) < 0; });
  }
}

TEST_CASE("with n = 2 it is the classical network with Hebbian weights", "[dense_memory]") {
  Rng rng(4, "dense_memory_test classical");
  for (int trial = 0; trial < 300; ++trial) {
    const Index spins = 1 + below(rng, 30), count = 1 + below(rng, 12);
    const Matrix x = samples::spins(rng, count, spins), weights = hebb_weights(x);
    const Vector cue = samples::spin_state(rng, spins);
    const HopfieldOptions classical{.order = rng.permutation(static_cast<std::uint32_t>(spins))};
    const HopfieldRecall a = recall_hopfield(weights, cue, classical);
    const HopfieldRecall b = recall_dense(x, cue, {polynomial, 2, classical.order});
    REQUIRE(a.state == b.state);
    REQUIRE(a.flips == b.flips);
    const auto n = static_cast<double>(spins);
    for (std::size_t t = 0; t < a.energies.size(); ++t)
      REQUIRE(std::abs(b.energies[t] - (2 * n * a.energies[t] - n * static_cast<double>(count))) < 1e-10);
  }
}

TEST_CASE("dense recalls, worked by hand", "[dense_memory]") {
  const Matrix one{{1}};
  const Vector minus = -Vector::Ones(1);
  // An even F does not distinguish a state from its opposite.
  CHECK(recall_dense(one, minus, {polynomial, 2}).state == minus);
  CHECK(recall_dense(one, minus, {polynomial, 3}).state == -minus);
  const HopfieldRecall e = recall_dense(one, minus, {exponential});
  CHECK(e.state == -minus);
  REQUIRE(e.energies.size() == 3);
  CHECK(std::abs(e.energies[0] + 0.36787944117144233) < 1e-15);
  CHECK(std::abs(e.energies[1] + 2.718281828459045) < 1e-15);
  const Matrix two{{1, 1}, {1, -1}};
  const HopfieldRecall r = recall_dense(two, vector({-1, 1}), {rectified, 3});
  CHECK(r.state == Vector::Ones(2));
  CHECK(r.energies == std::vector<double>{0, -8, -8});
  CHECK(r.flips == std::vector<int>{1, 0});
  Matrix opposite(2, 3);  // opposite patterns cancel at every overlap, so the cue stays
  opposite << 1, -1, 1, -1, 1, -1;
  const Vector cue = vector({1, 1, -1});
  CHECK(recall_dense(opposite, cue, {polynomial, 3}).flips == std::vector<int>{0});
}

TEST_CASE("a thousand spins, for which e^x overflows", "[dense_memory]") {
  Rng rng(5, "dense_memory_test large");
  const Matrix x = samples::spins(rng, 60, 1000);
  for (const DenseOptions& options :
       {DenseOptions{exponential}, DenseOptions{polynomial, 501}, DenseOptions{rectified, 1000000000}}) {
    Vector cue = x.row(7).transpose();
    for (Index i = 0; i < 300; ++i) cue[3 * i] = -cue[3 * i];
    const HopfieldRecall recall = recall_dense(x, cue, options);
    CHECK(recall.state == Vector(x.row(7).transpose()));
    CHECK(recall.converged);
    CHECK_FALSE(std::isfinite(recall.energies.back()));
  }
}

TEST_CASE("sums below 1e-12 of the terms' magnitudes count as zero, larger ones do not", "[dense_memory]") {
  // The sum c_0 e^7 + c_1 e^5 + ... + c_7 e^-7 is only `relative` times the sum of its terms' magnitudes. These integer
  // relations between powers of e^-2 that almost hold were found by lattice reduction with 60 digits.
  struct Nearly {
    std::array<int, 8> counts;
    double relative;
  };
  for (const auto& [counts, relative] :
       {Nearly{{1, -7, -7, 28, 18, 2, 2, 12}, 1.56e-13}, Nearly{{3, -25, 18, 19, 19, 6, -1, -43}, 9.77e-16},
        Nearly{{1, -9, 14, -13, -22, 27, -5, 9}, 1.01e-12},
        Nearly{{-1, 8, -5, 4, -3, -1, 6, -5}, -1.24e-11}}) {
    for (const int sign : {1, -1}) {
      // The first spin is tested. The other seven spins of the state are +1, and each pattern agrees with enough of
      // them for an overlap of 7, 5, ... or -7.
      std::vector<Vector> rows;
      for (int c = 0; c < 8; ++c)
        for (int copy = 0; copy < std::abs(counts[static_cast<std::size_t>(c)]); ++copy) {
          Vector row = Vector::Ones(8);
          row[0] = sign * counts[static_cast<std::size_t>(c)] > 0 ? 1 : -1;
          row.tail(c).setConstant(-1);
          rows.push_back(row);
        }
      Matrix x(static_cast<Index>(rows.size()), 8);
      for (std::size_t k = 0; k < rows.size(); ++k) x.row(static_cast<Index>(k)) = rows[k].transpose();
      for (const double spin : {1.0, -1.0}) {
        Vector cue = Vector::Ones(8);
        cue[0] = spin;
        CAPTURE(relative, sign, spin);
        const double kept = recall_dense(x, cue, {exponential, 1, {}, 1}).state[0];
        CHECK(kept == (std::abs(relative) < 1e-12 ? spin : relative * sign > 0 ? 1.0 : -1.0));
      }
    }
  }
}

TEST_CASE("dense recall stops after max_sweeps and rejects invalid input", "[dense_memory]") {
  Rng rng(6, "dense_memory_test refuse");
  const Matrix x = samples::spins(rng, 3, 20);
  const Vector pattern = x.row(0).transpose();
  Vector cue = pattern;
  cue[3] = -cue[3];
  const HopfieldRecall cut = recall_dense(x, cue, {exponential, 1, {}, 1});
  CHECK(cut.state == pattern);
  CHECK((cut.flips == std::vector<int>{1} && !cut.converged));
  CHECK_INVALID(recall_dense(Matrix(0, 20), cue));
  CHECK_INVALID(recall_dense(x, Vector::Ones(19)));
  CHECK_INVALID(recall_dense(x, cue, {polynomial, 0}));
  CHECK_INVALID(recall_dense(x, cue, {polynomial, 2, {0, 1}}));
  for (const double wrong : {0.0, 0.5, nan}) {
    Vector state = cue;
    state[5] = wrong;
    CHECK_INVALID(recall_dense(x, state));
    Matrix patterns = x;
    patterns(2, 5) = wrong;
    CHECK_INVALID(recall_dense(patterns, cue));
  }
  CHECK(value_named(dense_separations, "rectified") == rectified);
  CHECK_FALSE(value_named(dense_separations, "sharp"));
}

ContinuousMemoryOptions options_of(unsigned power, double inner_beta, double beta) {
  const ContinuousMemoryOptions options{.power = power, .inner_beta = inner_beta, .beta = beta};
  return options;
}

TEST_CASE("a step is tanh(beta X' g(X q)), computed with the standard library", "[continuous_memory]") {
  Rng rng(3, "continuous memory");
  for (const auto& options :
       {options_of(1, 0, 0.05), options_of(5, 0, 0.01), options_of(10, 0, 0.001), options_of(1, 0.3, 0.2)}) {
    const Matrix x = normal_matrix(rng, 4, 6);
    Vector q = normal_vector(rng, 6);
    auto five = options;
    five.max_steps = 5;
    five.every_step = true;
    const ContinuousMemoryRecall recall = recall_continuous(x, q, five);
    REQUIRE(recall.iterates.size() == 5);
    REQUIRE(recall.energies.size() == 6);
    for (const Vector& found : recall.iterates) {
      Vector g = x * q;
      for (double& r : g)
        r = options.inner_beta > 0 ? std::exp(options.inner_beta * r) : std::pow(r, options.power);
      q = (options.beta * (x.transpose() * g)).array().tanh();
      CHECK((found - q).lpNorm<Eigen::Infinity>() < 1e-12);
    }
    CHECK(recall.state == recall.iterates.back());
  }
}

TEST_CASE("one unit obeys the mean-field equation m = tanh(beta m)", "[continuous_memory]") {
  const auto fixed_point = [](double beta) {
    auto options = options_of(1, 0, beta);
    options.max_steps = 10'000;
    const ContinuousMemoryRecall recall =
        recall_continuous(Matrix::Ones(1, 1), Vector::Constant(1, 0.9), options);
    CHECK(recall.converged);
    return recall.state[0];
  };
  CHECK(fixed_point(1.25) == Approx(0.710411783488).epsilon(1e-11));
  CHECK(fixed_point(2) == Approx(0.957504024077).epsilon(1e-11));
  CHECK(std::abs(fixed_point(0.5)) < 1e-11);
}

TEST_CASE("the energy never rises if g is increasing", "[continuous_memory]") {
  Rng rng(5, "continuous memory energy");
  for (int trial = 0; trial < 200; ++trial) {
    auto options = trial % 2 == 0 ? options_of(trial % 4 == 0 ? 1U : 3U, 0, 0.3) : options_of(1, 0.5, 0.3);
    options.step = trial % 3 == 0 ? 0.05 : 1.0;
    const Matrix x = normal_matrix(rng, 5, 8);
    Vector cue(8);
    for (double& q : cue) q = uniform(rng, -0.99, 0.99);
    const ContinuousMemoryRecall recall = recall_continuous(x, cue, options);
    for (std::size_t t = 1; t < recall.energies.size(); ++t)
      REQUIRE(recall.energies[t] <=
              recall.energies[t - 1] + 1e-12 * std::abs(recall.energies[t - 1]) + 1e-12);
  }
}

TEST_CASE("the energy, worked by hand, and its gradient along the flow", "[continuous_memory]") {
  const Matrix x{{1, 2}};
  Vector q(2);
  q << 0.5, 0;
  auto options = options_of(3, 0, 2);
  options.max_steps = 1;
  const double unit = (1.5 * std::log(1.5) + 0.5 * std::log(0.5)) / 2;
  CHECK(recall_continuous(x, q, options).energies[0] ==
        Approx(unit / 2 - std::pow(0.5, 4) / 4).epsilon(1e-14));
  options = options_of(1, 0.5, 2);
  CHECK(recall_continuous(x, q, options).energies[0] ==
        Approx(unit / 2 - std::exp(0.25) / 0.5).epsilon(1e-14));
  // The derivative dE/dq = u - X'g(X q) matches finite differences.
  const double h = 1e-6;
  Vector up = q, down = q;
  up[0] += h;
  down[0] -= h;
  const double slope =
      (recall_continuous(x, up, options).energies[0] - recall_continuous(x, down, options).energies[0]) /
      (2 * h);
  CHECK(slope == Approx(std::atanh(0.5) / 2 - std::exp(0.25)).epsilon(1e-7));
}

TEST_CASE("small steps reach the fixed point of unit steps", "[continuous_memory]") {
  Rng rng(7, "continuous memory flow");
  const Matrix x = normal_matrix(rng, 3, 10);
  Vector cue(10);
  for (Index i = 0; i < 10; ++i) cue[i] = 0.5 * std::tanh(x(0, i));
  auto options = options_of(3, 0, 0.5);
  options.max_steps = 20'000;
  const Vector at_once = recall_continuous(x, cue, options).state;
  options.step = 0.01;
  options.tolerance = 1e-14;
  CHECK((recall_continuous(x, cue, options).state - at_once).lpNorm<Eigen::Infinity>() < 1e-8);
}

TEST_CASE("overflowing sums saturate the units", "[continuous_memory]") {
  const Matrix x{{1e200, -1e200}, {1e200, 1e200}};
  Vector q(2);
  q << 1, -0.5;  // the overlaps are 1.5e200 and 0.5e200
  for (auto options : {options_of(5, 0, 1), options_of(1, 1e3, 1)}) {
    options.max_steps = 1;
    const Vector state = recall_continuous(x, q, options).state;
    CHECK(state[0] == 1);
    CHECK(state[1] == -1);
  }
  CHECK(recall_continuous(1e-300 * x / 1e200, q, options_of(1, 0, 1)).state.lpNorm<Eigen::Infinity>() <
        1e-300);
  CHECK(std::isinf(recall_continuous(x / 1e200, 2 * q, options_of(1, 0, 1)).energies[0]));
}

TEST_CASE("overflowing powers saturate the units with the right signs, for large patterns too",
          "[continuous_memory]") {
  // The overlap is -1e120 and its cube -1e360, so the drive of the component 1e-10 is -1e350.
  const Matrix x = vector({1e120, 1e-10}).transpose();
  const Vector state = recall_continuous(x, vector({-1, 0.5}), options_of(3, 0, 1)).state;
  CHECK(state == vector({-1, -1}));
}

TEST_CASE("an unchanged state has converged, even with tolerance 0", "[continuous_memory]") {
  ContinuousMemoryOptions options = options_of(1, 0, 1);
  options.tolerance = 0;
  const ContinuousMemoryRecall recall =
      recall_continuous(Matrix::Constant(1, 1, 100), Vector::Ones(1), options);
  CHECK(recall.converged);
  CHECK(recall.iterates.size() == 1);
}

TEST_CASE("a continuous memory rejects invalid input", "[continuous_memory]") {
  const Matrix x = Matrix::Ones(1, 2);
  const Vector q = Vector::Constant(2, 0.5);
  const auto refused = [&](const ContinuousMemoryOptions& options) {
    CHECK_INVALID(recall_continuous(x, q, options));
  };
  refused(options_of(0, 0, 1));
  refused(options_of(1, -1, 1));
  refused(options_of(1, 0, 0));
  refused(options_of(1, 0, nan));
  for (const double step : {0.0, 1.5}) refused({.step = step});
  CHECK_INVALID(recall_continuous(x, Vector::Ones(2), {.step = 0.5}));
  CHECK_INVALID(recall_continuous(x, Vector::Ones(3), {}));
  CHECK_INVALID(recall_continuous(Matrix(0, 2), q, {}));
  CHECK_INVALID(recall_continuous(x, Vector::Constant(2, nan), {}));
}

}  // namespace
}  // namespace engram::core
