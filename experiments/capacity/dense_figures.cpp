// SPDX-License-Identifier: MIT
// Figures of dense associative memories: a steep separation function F stores more patterns than the classical network.
#include <algorithm>
#include <cmath>

#include "core/hopfield/dense_memory.hpp"
#include "core/hopfield/hopfield_theory.hpp"
#include "core/numbers/numeric.hpp"
#include "experiments/capacity/figure.hpp"
#include "experiments/formats/tables.hpp"

namespace engram::experiments::capacity {
namespace {

// The share of wrong bits after one step from stored patterns. Bit i flips if the sign of sum_k x_ki (F(r_k + 1) -
// F(r_k - 1)) differs from x_i, with r_k = x_k s - x_ki s_i. `difference` holds F(r + 1) - F(r - 1) for r = -N .. N.
double wrong_bits(const Matrix& x, Index tried, const Vector& difference) {
  const Index n = x.cols();
  double wrong = 0;
  for (Index t = 0; t < tried; ++t) {
    const Vector overlaps = x * x.row(t).transpose();  // integers: exact in any order of Eigen
    Vector field = Vector::Zero(n);
    for (Index k = 0; k < x.rows(); ++k) {
      const auto overlap = static_cast<Index>(overlaps[k]);
      for (Index i = 0; i < n; ++i) {
        const auto own = static_cast<Index>(x(k, i) * x(t, i));
        field[i] += x(k, i) * difference[overlap - own + n];
      }
    }
    wrong += static_cast<double>((field.array() * x.row(t).transpose().array() < 0).count());
  }
  return wrong / static_cast<double>(tried * n);
}

template <class F>
Vector differences(Index n, F f) {
  Vector d(2 * n + 1);
  for (Index r = -n; r <= n; ++r) d[r + n] = f(static_cast<double>(r + 1)) - f(static_cast<double>(r - 1));
  return d;
}

Measurement polynomial_error(Index spins, Index patterns, unsigned degree, Index tried) {
  return [=](Rng& rng) {
    const Matrix x = random_spins(rng, patterns, spins);
    const Vector d = differences(spins, [=](double r) { return core::power(r, degree); });
    return std::vector{wrong_bits(x, std::min(tried, patterns), d)};
  };
}

Figure polynomial_figure() {
  Figure figure{
      "dense_error",
      "Wrong bits after one step in dense memories, F = x^n",
      "",
      "share of wrong bits",
      "Krotov and Hopfield 2016",
      "At K patterns where theory, Phi(-sqrt(N^(n-1)/((2n-3)!!(K-1)))), gives 0.5 %, and at twice as many. "
      "At half of them the tail is not Gaussian: only a bound is claimed."};
  const struct {
    unsigned degree;
    Index spins, tried;
    bool claimed;
  } cases[] = {{2, 1000, 151, true}, {3, 100, 150, true}, {4, 50, 60, false}};
  double x = 0;
  for (const auto& c : cases) {
    const auto capacity =
        static_cast<Index>(std::lround(core::dense_capacity(static_cast<double>(c.spins), 0.005, c.degree)));
    for (const double multiple : {0.5, 1.0, 2.0}) {
      const auto patterns = static_cast<Index>(std::lround(multiple * static_cast<double>(capacity)));
      const double theory =
          core::dense_one_step_error(static_cast<double>(c.spins), static_cast<double>(patterns), c.degree);
      Point point = shown("n " + std::to_string(c.degree) + ", N " + std::to_string(c.spins) + ", K " +
                              std::to_string(patterns),
                          x++, theory, 6, polynomial_error(c.spins, patterns, c.degree, c.tried));
      if (multiple == 0.5) point.low = 0, point.high = 0.001;
      if (c.claimed && multiple == 1.0) point.low = 0.0038, point.high = 0.0066;
      if (c.claimed && multiple == 2.0) point.low = 0.030, point.high = 0.038;
      figure.points.push_back(std::move(point));
    }
  }
  return figure;
}

Measurement exponential_error(Index spins, double patterns, Index tried) {
  return [=](Rng& rng) {
    const Matrix x = random_spins(rng, static_cast<Index>(std::lround(patterns)), spins);
    // Divides by e^N, which changes no sign.
    const Vector d = differences(spins, [=](double r) { return core::exp(r - static_cast<double>(spins)); });
    return std::vector{wrong_bits(x, std::min<Index>(tried, x.rows()), d)};
  };
}

Figure exponential_figure() {
  Figure figure{
      "exponential_error",
      "Wrong bits after one step with F = exp",
      "spins",
      "share of wrong bits",
      "Demircigil et al. 2017: 2^(N/2) patterns",
      "The error at 2^(N/2) patterns falls as N grows; at e^(0.6 N) there are "
      "many. At e^(0.2 N) there are none but where two of the short patterns happen to differ in a bit or "
      "two, which is ever rarer: bounds that fall with N are claimed."};
  for (const double n : {12.0, 16.0, 20.0}) {
    Point point =
        shown("2^(N/2), N " + fixed(n, 0), n, std::nullopt, 12,
              exponential_error(static_cast<Index>(n), core::power(2, static_cast<unsigned>(n / 2)), 200));
    if (n == 20) point.low = 0, point.high = 0.003;
    figure.points.push_back(std::move(point));
  }
  for (const double n : {12.0, 16.0, 20.0}) {
    figure.points.push_back(shown("e^(0.2 N), N " + fixed(n, 0), n, 0.0, 24,
                                  exponential_error(static_cast<Index>(n), core::exp(0.2 * n), 200))
                                .within(0, n == 12   ? 0.005
                                           : n == 16 ? 0.002
                                                     : 0.0005));
  }
  for (const double n : {12.0, 16.0}) {
    figure.points.push_back(shown("e^(0.6 N), N " + fixed(n, 0), n, std::nullopt, 4,
                                  exponential_error(static_cast<Index>(n), core::exp(0.6 * n), 100))
                                .within(0.04, 1));
  }
  const auto fall = [](std::size_t from) {
    return [from](const std::vector<double>& means) { return means[from] - means[from + 1]; };
  };
  figure.relations = {{"2^(N/2): N 12 less N 16", std::nullopt, 1e-9, 1, fall(0)},
                      {"2^(N/2): N 16 less N 20", std::nullopt, 1e-9, 1, fall(1)}};
  return figure;
}

}  // namespace

std::vector<Figure> dense_figures() { return {polynomial_figure(), exponential_figure()}; }

}  // namespace engram::experiments::capacity
