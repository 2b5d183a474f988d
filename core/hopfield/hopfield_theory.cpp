// SPDX-License-Identifier: MIT
#include "core/hopfield/hopfield_theory.hpp"

#include <array>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <numbers>

#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

const double root_pi = std::sqrt(std::numbers::pi);

// sqrt(2 load) as a function of y. Its maximum is at the critical load.
double root_of_twice_load(double y) { return erf(y) / y - 2 * exp(-y * y) / root_pi; }

// The y of the maximum. Brent's method finds it to half of the digits; the load is flat there, so it gets all digits.
double critical_y() {
  static const double y =
      boost::math::tools::brent_find_minima([](double x) { return -root_of_twice_load(x); }, 0.5, 3.0, 40)
          .first;
  return y;
}

// Uses Boost's bisection, which only halves and compares, so all processors give the same digits.
template <class F>
double root_between(F f, double low, double high) {
  const auto close = [](double a, double b) { return b - a <= 4e-16 * std::abs(b); };
  const auto [a, b] = boost::math::tools::bisect(f, low, high, close);
  return 0.5 * (a + b);
}

void require_load(double load) {
  require(load >= 0 && std::isfinite(load), "the load must be finite and not negative", load);
}

void require_theory(double spins, double patterns) {
  require(spins >= 2 && patterns >= 1, "theory needs two spins and a pattern");
}

// E f(z) over a standard normal z. The trapezoidal rule converges very fast for analytic functions.
template <class F>
double normal_mean(F f) {
  constexpr int half = 160;
  constexpr double step = 0.05;
  std::array<double, 2 * half + 1> terms{};
  static const auto weights = [] {
    std::array<double, 2 * half + 1> w{};
    for (std::size_t at = 0; at < w.size(); ++at) {
      const double x = (static_cast<int>(at) - half) * step;
      w[at] = step * exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
    }
    return w;
  }();
  for (std::size_t at = 0; at < terms.size(); ++at)
    terms[at] = weights[at] * f((static_cast<int>(at) - half) * step);
  return sum(terms);
}

double double_factorial(unsigned n) {  // of an odd n; 1 for n = 1
  double product = 1;
  for (unsigned k = 3; k <= n; k += 2) product *= k;
  return product;
}

}  // namespace

double normal_cdf(double x) { return 0.5 * erfc(-x / std::numbers::sqrt2); }

CriticalLoad critical_load() {
  const double root = root_of_twice_load(critical_y());
  return {0.5 * root * root, erf(critical_y())};
}

double retrieval_overlap(double load) {
  require_load(load);
  const double root = std::sqrt(2 * load);
  if (load == 0) return 1;
  if (root >= root_of_twice_load(critical_y()))
    return load > critical_load().load ? 0 : critical_load().overlap;
  // Beyond 1/root, even erf = 1 is too small.
  const double y =
      root_between([&](double x) { return root_of_twice_load(x) - root; }, critical_y(), 1 / root + 1);
  return erf(y);
}

double retrieval_overlap(double load, double temperature) {
  require_load(load);
  require_positive("the temperature", temperature);
  constexpr int most_steps = 100'000;
  constexpr double settled = 1e-14;
  if (load == 0 && temperature >= 1) return 0;  // tanh(m/T) < m: the iteration would crawl to 0 at T = 1
  double m = 1, q = 1;
  for (int step = 0; step < most_steps; ++step) {
    const double rest = 1 - (1 - q) / temperature;
    const double spread = std::sqrt(load * q) / std::abs(rest);
    const double without_noise = tanh(m / temperature);  // the integrand if the load is 0
    const auto field = [&](double z) {
      return spread == 0 ? without_noise : tanh((m + spread * z) / temperature);
    };
    const double next_m = normal_mean(field);
    q = load == 0 ? q : normal_mean([&](double z) { return field(z) * field(z); });
    const double change = std::abs(next_m - m);
    m = next_m;
    if (change <= settled) break;
  }
  return m < 1e-9 ? 0 : m;
}

double one_step_error(double spins, double patterns) {
  require_theory(spins, patterns);
  return patterns == 1 ? 0 : normal_cdf(-std::sqrt((spins - 1) / (patterns - 1)));
}

double stable_pattern_chance(unsigned spins, double patterns) {
  return power(1 - one_step_error(spins, patterns), spins);
}

double diluted_overlap(double load) {
  require_load(load);
  if (load == 0) return 1;
  if (load >= 2 / std::numbers::pi) return 0;
  const double scale = std::sqrt(2 * load);
  return root_between([&](double m) { return erf(m / scale) - m; }, 1e-9, 1.0);
}

double dense_one_step_error(double spins, double patterns, unsigned degree) {
  require_theory(spins, patterns);
  require(degree >= 2, "the degree must be at least 2", degree);
  if (patterns == 1) return 0;
  return normal_cdf(
      -std::sqrt(power(spins, degree - 1) / (double_factorial(2 * degree - 3) * (patterns - 1))));
}

double dense_capacity(double spins, double error, unsigned degree) {
  require_theory(spins, 1);
  require(degree >= 2, "the degree must be at least 2", degree);
  require(error > 0 && error < 0.5, "the error must be between 0 and 1/2", error);
  const double z = root_between([&](double x) { return normal_cdf(-x) - error; }, 0, 40);
  return power(spins, degree - 1) / (double_factorial(2 * degree - 3) * z * z);
}

}  // namespace engram::core
