// SPDX-License-Identifier: MIT
#include "core/attention/continuous_attention.hpp"

#include <Eigen/Cholesky>
#include <numbers>

#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

long double gaussian(long double t, long double centre, long double width) {
  const long double z = (t - centre) / width;
  return std::exp(-z * z / 2) / (width * std::sqrt(2 * std::numbers::pi_v<long double>));
}

// The density at distance u from the mean, by its formula. `a` is half the width of the support, so -tau = a^2 / (2
// variance).
long double by_formula(long double alpha, long double u, long double variance, long double a) {
  const long double inside = (alpha - 1) * (a * a - u * u) / (2 * variance);
  return inside > 0 ? std::pow(inside, 1 / (alpha - 1)) : 0;
}

// Integrates by Simpson's rule with many points. The substitution u = a sin(x) smooths the corners of the density.
template <class Function>
long double simpson(long double a, int points, const Function& f) {
  const long double half = std::numbers::pi_v<long double> / 2, step = 2 * half / points;
  long double total = 0;
  for (int i = 0; i <= points; ++i) {
    const long double x = -half + step * i;
    total += (i == 0 || i == points ? 1 : i % 2 == 1 ? 4 : 2) * f(a * std::sin(x)) * a * std::cos(x);
  }
  return total * step / 3;
}

TEST_CASE("half support, peak and variance of the named densities", "[continuous]") {
  for (const double variance : {1e-8, 0.01, 1.0, 2.0, 1e4}) {
    const double sigma = std::sqrt(variance);
    struct Named {
      double alpha, a, per_square;
    };
    for (const Named& named :
         {Named{2.0, std::cbrt(1.5 * variance), 5}, Named{1.5, std::pow(15 * variance * variance, 0.2), 7},
          Named{4.0 / 3, std::pow(945.0 / 4 * variance * variance * variance, 1.0 / 7), 9}}) {
      const TimeDensity density(named.alpha, 3, variance);
      CHECK(density.half_support() == Approx(named.a).epsilon(1e-14));
      CHECK(density.variance() == Approx(named.a * named.a / named.per_square).epsilon(1e-14));
      const double m = 1 / (named.alpha - 1);
      CHECK(density.at(3) == Approx(std::pow(named.a * named.a / (2 * m * variance), m)).epsilon(1e-13));
      CHECK(density.at(3 + named.a * 1.0000001) == 0);
      CHECK(density.at(3 - named.a * 1.0000001) == 0);
    }
    const TimeDensity normal(1, 3, variance);
    CHECK(std::isinf(normal.half_support()));
    CHECK(normal.variance() == Approx(variance).epsilon(1e-15));
    CHECK(normal.at(3 + sigma) ==
          Approx(static_cast<double>(gaussian(sigma, 0, sigma))).epsilon(1e-8 / sigma * 1e-7 + 1e-14));
  }
}

TEST_CASE("for any alpha, the density matches its formula, integrates to 1 and has the stated variance",
          "[continuous]") {
  for (const double alpha : {1.02, 1.1, 1.25, 4.0 / 3, 1.4, 1.5, 1.7, 2.0, 2.5, 3.0})
    for (const double variance : {0.003, 1.0, 70.0}) {
      const TimeDensity density(alpha, 0, variance);
      const long double a = density.half_support();
      const auto mass = simpson(a, 4000, [&](long double u) { return by_formula(alpha, u, variance, a); });
      INFO("alpha " << alpha << " variance " << variance);
      CHECK(std::abs(static_cast<double>(mass - 1)) < 1e-11);  // the error of Simpson's rule at alpha 3
      const auto square =
          simpson(a, 4000, [&](long double u) { return u * u * density.at(static_cast<double>(u)); });
      CHECK(static_cast<double>(square) == Approx(density.variance()).epsilon(1e-10));
      for (const double share : {-0.99, -0.5, 0.0, 0.1, 0.7}) {
        const double u = share * static_cast<double>(a);
        CHECK(density.at(u) == Approx(static_cast<double>(by_formula(alpha, u, variance, a))).epsilon(1e-11));
      }
    }
}

TEST_CASE("the density converges to the Gaussian as alpha falls to 1", "[continuous]") {
  const TimeDensity normal(1, 0.5, 0.3);
  double before = 1;
  for (const double alpha : {1.1, 1.01, 1.001, 1.000001, 1 + 1e-12, std::nextafter(1.0, 2.0)}) {
    const TimeDensity density(alpha, 0.5, 0.3);
    double apart = std::abs(density.expectation(0.7, 0.2) - normal.expectation(0.7, 0.2));
    for (const double t : {0.5, 0.9, -1.0}) apart = std::max(apart, std::abs(density.at(t) - normal.at(t)));
    CHECK(apart < std::max(before, 1e-13));
    CHECK(apart < 2 * (alpha - 1) + 1e-13);
    before = apart;
  }
}

TEST_CASE("expectations of basis functions match Simpson's rule", "[continuous]") {
  for (const double alpha : {1.1, 4.0 / 3, 1.5, 1.7, 2.0, 3.0})
    for (const double variance : {0.01, 2.0})
      for (const double width : {0.02, 0.3, 1.0, 40.0})
        for (const double shift : {0.0, 0.4, -0.9, 1.05, 2.5}) {
          const TimeDensity density(alpha, 0, variance);
          const long double a = density.half_support();
          const auto wanted = simpson(a, 20000, [&](long double u) {
            return by_formula(alpha, u, variance, a) * gaussian(u, shift * a, width * a);
          });
          const double found =
              density.expectation(shift * static_cast<double>(a), width * static_cast<double>(a));
          INFO("alpha " << alpha << " variance " << variance << " width " << width << " shift " << shift);
          CHECK(std::abs(found - static_cast<double>(wanted)) <=
                2e-11 * std::abs(static_cast<double>(wanted)) + 1e-300);
        }
}

TEST_CASE("expectations under the Gaussian match the closed form", "[continuous]") {
  const TimeDensity density(1, 2, 9);
  CHECK(density.expectation(-1, 4) == Approx(static_cast<double>(gaussian(3, 0, 5))).epsilon(1e-14));
  CHECK(TimeDensity(1, 0, 1e-250).expectation(1e-125, 1e-125) > 0);  // the square of the variance underflows
}

TEST_CASE("expectations are accurate far from 0 and for extreme widths", "[continuous]") {
  for (const double alpha : {1.2, 1.5, 2.0, 3.0}) {
    const TimeDensity near(alpha, 0, 0.01), far(alpha, 1 << 20, 0.01);
    for (const double shift : {0.0, 0.125, -0.25})  // adding one of these shifts to 2^20 is exact
      CHECK(far.expectation((1 << 20) + shift, 0.125) == near.expectation(shift, 0.125));
    // The expectation of a narrow Gaussian is the density at its centre, up to second order of its width. A wide
    // Gaussian is nearly constant, so its expectation is its height.
    for (const double needle : {1e-9, 1e-30, 1e-200})
      CHECK(near.expectation(0.05, needle) == Approx(near.at(0.05)).epsilon(1e-13));
    for (const double plain : {1e9, 1e100})
      CHECK(near.expectation(0.05, plain) ==
            Approx(1 / (plain * std::sqrt(2 * std::numbers::pi))).epsilon(1e-13));
    CHECK(near.expectation(50, 0.01) == 0);
    CHECK(near.expectation(near.half_support() + 0.05, 0.01) > 0);
  }
  // Half the support is about 1e8 standard deviations wide.
  CHECK(TimeDensity(std::nextafter(1.0, 2.0), 0, 1).expectation(0, 1e-3) > 0.39);
}

TEST_CASE("densities reject parameters out of range", "[continuous]") {
  for (const double alpha : {0.9, 0.0, -1.0, 101.0, nan}) CHECK_INVALID(TimeDensity(alpha, 0, 1));
  for (const double variance : {0.0, -1.0, nan, infinity}) CHECK_INVALID(TimeDensity(1.5, 0, variance));
  CHECK_INVALID(TimeDensity(1.5, nan, 1));
  CHECK_INVALID(TimeDensity(1.5, 0, 1).expectation(nan, 1));
  CHECK_INVALID(TimeDensity(1.5, 0, 1).expectation(0, 0));
}

GaussianBasis random_basis(Rng& rng, Index size) {
  GaussianBasis basis{Vector(size), Vector(size)};
  for (Index j = 0; j < size; ++j) {
    basis.centres[j] = rng.uniform();
    basis.widths[j] = uniform(rng, 0.05, 0.4);
  }
  return basis;
}

TEST_CASE("the ridge fit solves its normal equations, compared with Eigen", "[continuous]") {
  Rng rng(1, "continuous_attention_test ridge");
  for (int trial = 0; trial < 60; ++trial) {
    const Index events = 1 + below(rng, 30), size = 1 + below(rng, 12);
    Vector times(events);
    for (double& t : times) t = rng.uniform();
    const GaussianBasis basis = random_basis(rng, size);
    const double ridge = uniform(rng, 0.05, 2);
    const Matrix h = normal_matrix(rng, events, 3);
    const Vector r = normal_vector(rng, size);
    Matrix f(events, size);
    for (Index l = 0; l < events; ++l)
      for (Index j = 0; j < size; ++j)
        f(l, j) = static_cast<double>(gaussian(times[l], basis.centres[j], basis.widths[j]));
    const Matrix b =
        (f.transpose() * f + ridge * Matrix::Identity(size, size)).ldlt().solve(f.transpose() * h);
    const Vector weights = RidgeFit(times, basis, ridge).event_weights(r);
    // Condition numbers of up to about 1e5 magnify the rounding errors.
    REQUIRE(distance(Vector(h.transpose() * weights), Vector(b.transpose() * r)) < 1e-9);
  }
}

TEST_CASE("a context combines mean, variance, density and fit", "[continuous]") {
  Rng rng(2, "continuous_attention_test context");
  const Index events = 9;
  Vector times = Vector::LinSpaced(events, 0, 1);
  const Vector scores = 2 * normal_vector(rng, events);
  const Matrix values = normal_matrix(rng, events, 2);
  const GaussianBasis basis = random_basis(rng, 5);
  const auto found = continuous_context(values, scores, times, 1.5, 0.1, basis, 1e-4);
  const Vector p = scores.array().exp() / scores.array().exp().sum();
  const double mu = p.dot(times), variance = (p.array() * (times.array() - mu).square()).sum();
  CHECK(found.mu == Approx(mu).epsilon(1e-14));
  CHECK(found.sigma_squared == Approx(variance).epsilon(1e-13));
  const TimeDensity density(1.5, mu, variance);
  for (Index j = 0; j < 5; ++j)
    CHECK(found.r[j] == Approx(density.expectation(basis.centres[j], basis.widths[j])).epsilon(1e-12));
  const Vector weights = RidgeFit(times, basis, 0.1).event_weights(found.r);
  CHECK(distance(found.context, Vector(values.transpose() * weights)) < 1e-12);
  // One event has variance 0, so the least variance applies.
  const auto single =
      continuous_context(values.topRows(1), scores.head(1), times.head(1), 2, 0.1, basis, 0.25);
  CHECK(single.sigma_squared == 0.25);
  CHECK(single.mu == 0);
}

TEST_CASE("fits reject wrong shapes and singular systems", "[continuous]") {
  const Vector times = vector({0, 1});
  const GaussianBasis twice{vector({0.5, 0.5}), vector({1, 1})};
  CHECK_INVALID(RidgeFit(times, twice, 0));  // two equal basis functions make the system singular
  CHECK_NOTHROW(RidgeFit(times, twice, 0.1));
  CHECK_INVALID(RidgeFit(times, twice, -0.1));
  CHECK_INVALID(RidgeFit(times, twice, nan));
  CHECK_INVALID(RidgeFit(Vector(), twice, 0.1));
  CHECK_INVALID(RidgeFit(times, GaussianBasis{}, 0.1));
  CHECK_INVALID(RidgeFit(times, (GaussianBasis{Vector::Ones(2), Vector::Ones(1)}), 0.1));
  CHECK_INVALID(RidgeFit(times, (GaussianBasis{Vector::Ones(1), Vector::Zero(1)}), 0.1));
  CHECK_INVALID(RidgeFit(times, twice, 0.1).event_weights(Vector::Ones(3)));
  CHECK_INVALID(continuous_context(Matrix::Ones(3, 1), Vector::Ones(2), times, 2, 0.1, twice, 0.1));
  CHECK_INVALID(continuous_context(Matrix::Ones(2, 1), Vector::Ones(3), times, 2, 0.1, twice, 0.1));
}

}  // namespace
}  // namespace engram::core
