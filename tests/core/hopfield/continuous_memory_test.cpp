// SPDX-License-Identifier: MIT
#include "core/hopfield/continuous_memory.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

ContinuousMemoryOptions options_of(unsigned power, double inner_beta, double beta) {
  ContinuousMemoryOptions options;
  options.power = power;
  options.inner_beta = inner_beta;
  options.beta = beta;
  return options;
}

TEST_CASE("a step is tanh(beta X' g(X q)), as the library's functions tell", "[core][continuous_memory]") {
  Rng rng(3, "continuous memory");
  for (const auto& options :
       {options_of(1, 0, 0.05), options_of(5, 0, 0.01), options_of(10, 0, 0.001), options_of(1, 0.3, 0.2)}) {
    const Matrix x = samples::normal_matrix(rng, 4, 6);
    Vector q = samples::normal_vector(rng, 6);
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

TEST_CASE("one unit obeys the mean-field equation m = tanh(beta m)", "[core][continuous_memory]") {
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

TEST_CASE("energy never rises where g does not fall", "[core][continuous_memory]") {
  Rng rng(5, "continuous memory energy");
  for (int trial = 0; trial < 200; ++trial) {
    auto options = trial % 2 == 0 ? options_of(trial % 4 == 0 ? 1U : 3U, 0, 0.3) : options_of(1, 0.5, 0.3);
    options.step = trial % 3 == 0 ? 0.05 : 1.0;
    const Matrix x = samples::normal_matrix(rng, 5, 8);
    Vector cue(8);
    for (double& q : cue) q = samples::uniform(rng, -0.99, 0.99);
    const ContinuousMemoryRecall recall = recall_continuous(x, cue, options);
    for (std::size_t t = 1; t < recall.energies.size(); ++t)
      REQUIRE(recall.energies[t] <=
              recall.energies[t - 1] + 1e-12 * std::abs(recall.energies[t - 1]) + 1e-12);
  }
}

TEST_CASE("the energy by hand, and that it is what the flow descends", "[core][continuous_memory]") {
  Matrix x(1, 2);
  x << 1, 2;
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
  // dE/dq = u - X'g(X q), by differences.
  const double h = 1e-6;
  Vector up = q, down = q;
  up[0] += h;
  down[0] -= h;
  const double slope =
      (recall_continuous(x, up, options).energies[0] - recall_continuous(x, down, options).energies[0]) /
      (2 * h);
  CHECK(slope == Approx(std::atanh(0.5) / 2 - std::exp(0.25)).epsilon(1e-7));
}

TEST_CASE("small steps follow the flow to where steps of one end", "[core][continuous_memory]") {
  Rng rng(7, "continuous memory flow");
  const Matrix x = samples::normal_matrix(rng, 3, 10);
  Vector cue(10);
  for (Index i = 0; i < 10; ++i) cue[i] = 0.5 * std::tanh(x(0, i));
  auto options = options_of(3, 0, 0.5);
  options.max_steps = 20'000;
  const Vector at_once = recall_continuous(x, cue, options).state;
  options.step = 0.01;
  options.tolerance = 1e-14;
  CHECK((recall_continuous(x, cue, options).state - at_once).lpNorm<Eigen::Infinity>() < 1e-8);
}

TEST_CASE("what leaves the range of double saturates", "[core][continuous_memory]") {
  Matrix x(2, 2);
  x << 1e200, -1e200, 1e200, 1e200;
  Vector q(2);
  q << 1, -0.5;  // overlaps 1.5e200 and 0.5e200
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

TEST_CASE("powers beyond the range of double saturate the units by their signs, however large the pattern",
          "[core][continuous_memory]") {
  // The overlap is -1e120, its cube -1e360, and what drives even the small component -1e350.
  const Matrix x = samples::vector({1e120, 1e-10}).transpose();
  const Vector state = recall_continuous(x, samples::vector({-1, 0.5}), options_of(3, 0, 1)).state;
  CHECK(state == samples::vector({-1, -1}));
}

TEST_CASE("a state that does not change at all has converged, with no tolerance",
          "[core][continuous_memory]") {
  ContinuousMemoryOptions options = options_of(1, 0, 1);
  options.tolerance = 0;
  const ContinuousMemoryRecall recall =
      recall_continuous(Matrix::Constant(1, 1, 100), Vector::Ones(1), options);
  CHECK(recall.converged);
  CHECK(recall.iterates.size() == 1);
}

TEST_CASE("a continuous memory refuses what it cannot do", "[core][continuous_memory]") {
  const Matrix x = Matrix::Ones(1, 2);
  const Vector q = Vector::Constant(2, 0.5);
  const auto refused = [&](const ContinuousMemoryOptions& options) {
    CHECK_THROWS_AS(recall_continuous(x, q, options), std::invalid_argument);
  };
  refused(options_of(0, 0, 1));
  refused(options_of(1, -1, 1));
  refused(options_of(1, 0, 0));
  refused(options_of(1, 0, std::numeric_limits<double>::quiet_NaN()));
  ContinuousMemoryOptions options;
  options.step = 0;
  refused(options);
  options.step = 1.5;
  refused(options);
  options.step = 0.5;
  CHECK_THROWS_AS(recall_continuous(x, Vector::Ones(2), options), std::invalid_argument);
  CHECK_THROWS_AS(recall_continuous(x, Vector::Ones(3), {}), std::invalid_argument);
  CHECK_THROWS_AS(recall_continuous(Matrix(0, 2), q, {}), std::invalid_argument);
  CHECK_THROWS_AS(recall_continuous(x, Vector::Constant(2, std::numeric_limits<double>::quiet_NaN()), {}),
                  std::invalid_argument);
}

}  // namespace
}  // namespace engram::core
