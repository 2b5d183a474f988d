// SPDX-License-Identifier: MIT
#include "core/attention/continuous_attention.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <limits>

#include "core/maps/simplex_map.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

constexpr double root_two_pi = 2.50662827463100050242;

double standard_normal(double z) { return exp(-0.5 * z * z) / root_two_pi; }

// log B(1/2, m+1) = log(sqrt(pi) Gamma(x) / Gamma(x + 1/2)), x = m + 1.
double log_beta_half(double m) {
  double x = m + 1, climbed = 1;
  for (; x < 32; x += 1) climbed *= (x + 0.5) / x;  // recurrence for Gamma(x)/Gamma(x+1/2)
  // Gamma(x + 1/2) / Gamma(x) = sqrt(x) (1 - 1/8x + 1/128x^2 + ...); the next term is below 1e-12 / x^3.
  const double y = 1 / x;
  const double series =
      1 +
      y * (-1.0 / 8 +
           y * (1.0 / 128 + y * (5.0 / 1024 + y * (-21.0 / 32768 +
                                                   y * (-399.0 / 262144 +
                                                        y * (869.0 / 4194304 + y * (39325.0 / 33554432)))))));
  constexpr double log_pi = 1.14472988584940017414;
  return 0.5 * (log_pi - log(x)) - log(series) + log(climbed);
}

// (1 - x^2)^m for |x| < 1. Integer exponents (alpha = 2, 3/2, 4/3) use multiplication.
double falling(double x, double m) {
  if (m == std::floor(m) && m <= 64) return power((1 - x) * (1 + x), static_cast<unsigned>(m));
  return exp(m * log1p(-x * x));
}

// The integral of f(place(v)) over v in [-1, 1] by 30-point Gauss-Legendre quadrature.
template <class Function, class Place>
double integrate_piece(const Function& f, const Place& place) {
  using Rule = boost::math::quadrature::gauss<double, 30>;
  charge(Rule::abscissa().size() * 128);
  double total = 0;
  for (std::size_t k = 0; k < Rule::abscissa().size(); ++k)
    for (const double v : {-Rule::abscissa()[k], Rule::abscissa()[k]}) {
      const auto [s, rate] = place(v);
      total += Rule::weights()[k] * rate * f(s);
    }
  return total;
}

// The integral of f over [low, high] in equal pieces of at most `piece`. The first and last piece are graded,
// s = low + step u^4, because a density with a fractional exponent has a corner or an infinite slope at the ends.
template <class Function>
double integrate(double low, double high, double piece, const Function& f) {
  const double count = std::max(std::ceil((high - low) / piece), 2.0);
  const double step = (high - low) / count;
  struct Place {
    double s, rate;  // s(v), ds/dv
  };
  double total = integrate_piece(f, [&](double v) {
    const double u = 0.5 * (1 + v);
    return Place{low + step * power(u, 4), 2 * step * power(u, 3)};
  });
  for (double i = 1; i < count - 1; i += 1)
    total += integrate_piece(f, [&](double v) {
      return Place{low + (i + 0.5 + 0.5 * v) * step, 0.5 * step};
    });
  return total + integrate_piece(f, [&](double v) {
           const double u = 0.5 * (1 - v);
           return Place{high - step * power(u, 4), 2 * step * power(u, 3)};
         });
}

// Lower L with L L' = A, row by row (Cholesky and Banachiewicz), every inner product in the order of dot.
// Eigen's factorisations sum in an order that depends on the processor.
Matrix cholesky(const Matrix& a) {
  Matrix l = Matrix::Zero(a.rows(), a.rows());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j <= i; ++j) {
      const auto length = static_cast<std::size_t>(j);
      const double rest = a(i, j) - dot(row_span(l, i).first(length), row_span(l, j).first(length));
      if (i == j) require(rest > 0 && std::isfinite(rest), "the fit is not unique: a larger ridge is needed");
      l(i, j) = i == j ? std::sqrt(rest) : rest / l(j, j);
    }
  return l;
}

// x with L L' x = b.
Vector solve(const Matrix& l, Vector b) {
  for (Index i = 0; i < b.size(); ++i)
    b[i] = (b[i] - dot(row_span(l, i).first(static_cast<std::size_t>(i)),
                       as_span(b).first(static_cast<std::size_t>(i)))) /
           l(i, i);
  for (Index i = b.size() - 1; i >= 0; --i) {
    charge(static_cast<std::uint64_t>(b.size() - i));
    for (Index k = i + 1; k < b.size(); ++k) b[i] -= l(k, i) * b[k];
    b[i] /= l(i, i);
  }
  return b;
}

}  // namespace

TimeDensity::TimeDensity(double alpha, double mu, double sigma_squared) : mu_(mu) {
  require(alpha >= 1 && alpha <= 100, "alpha must be in [1, 100]", alpha);
  require(std::isfinite(mu), "the mean of a density must be finite", mu);
  require_positive("sigma squared", sigma_squared);
  sigma_ = std::sqrt(sigma_squared);
  if (alpha == 1) {
    peak_ = 1 / (sigma_ * root_two_pi);
    return;
  }
  m_ = 1 / (alpha - 1);
  // Rounds m to an integer if alpha is the double nearest to 4/3 or a similar fraction.
  if (std::abs(m_ - std::round(m_)) < 1e-12 * m_) m_ = std::round(m_);
  const double log_beta = log_beta_half(m_);
  a_ = exp((m_ * (log(2 * m_) + log(sigma_squared)) - log_beta) / (2 * m_ + 1));
  peak_ = exp(-log_beta) / a_;
}

double TimeDensity::half_support() const { return m_ > 0 ? a_ : std::numeric_limits<double>::infinity(); }

double TimeDensity::variance() const { return m_ > 0 ? a_ * a_ / (2 * m_ + 3) : sigma_ * sigma_; }

double TimeDensity::at_offset(double offset) const {
  if (m_ == 0) return peak_ * exp(-0.5 * (offset / sigma_) * (offset / sigma_));
  const double x = offset / a_;
  return std::abs(x) < 1 ? peak_ * falling(x, m_) : 0.0;
}

double TimeDensity::at(double t) const { return at_offset(t - mu_); }

double TimeDensity::expectation(double centre, double width) const {
  require(std::isfinite(centre), "the centre of a basis function must be finite", centre);
  require_positive("the width of a basis function", width);
  const double distance = centre - mu_;
  if (m_ == 0) {
    const double wider = std::max(sigma_, width), ratio = std::min(sigma_, width) / wider;
    const double spread = wider * std::sqrt(1 + ratio * ratio);  // without overflow of squares
    return standard_normal(distance / spread) / spread;
  }
  // Substitutes offset = origin + scale s, relative to the centre and in units of the narrower function. The range ends
  // where one function is 0 in double precision: a Gaussian at 39 widths, a density at 40 deviations or at a.
  const bool narrow = width <= a_;
  const double origin = narrow ? distance : 0.0, scale = narrow ? width : a_;
  const double deviation = a_ / std::sqrt(2 * m_ + 3);
  const double end = std::min(a_, 40 * deviation), reach = 39 * (width / scale);
  const double middle = (distance - origin) / scale;  // centre of the basis function
  const double low = std::max((-end - origin) / scale, middle - reach);
  const double high = std::min((end - origin) / scale, middle + reach);
  if (!(low < high)) return 0.0;
  const double piece = std::min(width, deviation) / scale;
  const auto integrand = [&](double s) {
    const double z = narrow ? s : (a_ * s - distance) / width;
    return at_offset(origin + scale * s) * standard_normal(z);
  };
  return integrate(low, high, piece, integrand) * (scale / width);
}

Matrix GaussianBasis::at(const Vector& times) const {
  require_size("widths", widths.size(), centres.size());
  Matrix features(size(), times.size());
  for (Index j = 0; j < size(); ++j) {
    require_positive("the width of a basis function", widths[j]);
    charge(32 * static_cast<std::uint64_t>(times.size()));
    for (Index l = 0; l < times.size(); ++l)
      features(j, l) = standard_normal((times[l] - centres[j]) / widths[j]) / widths[j];
  }
  return features;
}

Vector GaussianBasis::expectations(const TimeDensity& density) const {
  require_size("widths", widths.size(), centres.size());
  Vector r(size());
  for (Index j = 0; j < size(); ++j) r[j] = density.expectation(centres[j], widths[j]);
  return r;
}

RidgeFit::RidgeFit(const Vector& times, const GaussianBasis& basis, double ridge) {
  require(times.size() >= 1 && basis.size() >= 1, "a fit needs an event and a basis function");
  require(ridge >= 0 && std::isfinite(ridge), "the ridge must be finite and not negative", ridge);
  features_ = basis.at(times);
  Matrix gram(basis.size(), basis.size());
  for (Index i = 0; i < gram.rows(); ++i)
    for (Index j = 0; j < gram.cols(); ++j)
      gram(i, j) = dot(row_span(features_, i), row_span(features_, j)) + (i == j ? ridge : 0.0);
  factor_ = cholesky(gram);
}

Vector RidgeFit::event_weights(const Vector& r) const {
  require_size("r", r.size(), factor_.rows());
  return multiply_transposed(features_, solve(factor_, r));
}

TimeMoments time_moments(const Vector& weights, const Vector& times) {
  require_size("times", times.size(), weights.size());
  TimeMoments moments{dot(weights, times), 0};
  Vector squares(times.size());
  for (Index l = 0; l < times.size(); ++l) squares[l] = (times[l] - moments.mean) * (times[l] - moments.mean);
  moments.variance = dot(weights, squares);
  return moments;
}

ContinuousContext continuous_context(const Matrix& values, const Vector& scores, const Vector& times,
                                     double alpha, double ridge, const GaussianBasis& basis,
                                     double least_sigma_squared) {
  require_size("rows of values", values.rows(), times.size());
  require_size("scores", scores.size(), times.size());
  const TimeMoments moments = time_moments(apply(SimplexMap::softmax, scores), times);
  ContinuousContext result;
  result.mu = moments.mean;
  result.sigma_squared = std::max(moments.variance, least_sigma_squared);
  result.r = basis.expectations(TimeDensity(alpha, result.mu, result.sigma_squared));
  result.context = multiply_transposed(values, RidgeFit(times, basis, ridge).event_weights(result.r));
  return result;
}

}  // namespace engram::core
