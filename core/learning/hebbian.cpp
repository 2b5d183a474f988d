// SPDX-License-Identifier: MIT
#include "core/learning/hebbian.hpp"

#include <cmath>
#include <numeric>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

void require_finite(std::span<const double> numbers) {
  for (const double x : numbers) require(std::isfinite(x), "learning rules need finite numbers");
}

void require_finite(const Matrix& activity) {
  for (Index t = 0; t < activity.rows(); ++t) require_finite(row_span(activity, t));
}

void require_window(const StdpWindow& window) {
  require(window.tau_plus > 0 && window.tau_minus > 0, "time constants must be above 0");
  require(std::isfinite(window.a_plus) && std::isfinite(window.a_minus), "changes must be finite");
}

// The transposed activity, with the mean of each unit subtracted.
Matrix centred_units(const Matrix& activity) {
  Matrix units = activity.transpose();
  for (Index i = 0; i < units.rows(); ++i)
    units.row(i).array() -= sum(row_span(units, i)) / static_cast<double>(activity.rows());
  return units;
}

}  // namespace

void hebb_step(Matrix& w, const Vector& a, double eta, double decay) {
  require_size("rows of weights", w.rows(), a.size());
  require_size("columns of weights", w.cols(), a.size());
  require(decay >= 0 && decay <= 1, "the decay must be in [0, 1]", decay);
  require(std::isfinite(eta), "the rate of learning must be finite", eta);
  require_finite(as_span(a));
  charge(static_cast<std::uint64_t>(w.size()));
  for (Index i = 0; i < w.rows(); ++i)
    for (Index j = 0; j < w.cols(); ++j) w(i, j) = i == j ? 0.0 : (1 - decay) * w(i, j) + eta * (a[i] * a[j]);
}

Matrix hebb_decay_weights(const Matrix& activity, double eta, double decay) {
  Matrix w = Matrix::Zero(activity.cols(), activity.cols());
  for (Index t = 0; t < activity.rows(); ++t) hebb_step(w, activity.row(t).transpose(), eta, decay);
  return w;
}

Matrix covariance_weights(const Matrix& activity) {
  require(activity.rows() >= 1, "a covariance needs an activity");
  require_finite(activity);
  const Matrix units = centred_units(activity);
  const auto count = static_cast<double>(activity.rows());
  Matrix w = Matrix::Zero(units.rows(), units.rows());
  for (Index i = 0; i < w.rows(); ++i)
    for (Index j = 0; j < i; ++j) w(i, j) = w(j, i) = dot(row_span(units, i), row_span(units, j)) / count;
  return w;
}

Matrix sequence_weights(const Matrix& activity) {
  require_finite(activity);
  const Index n = activity.cols();
  Matrix w = Matrix::Zero(n, n);
  if (activity.rows() < 2) return w;
  const Matrix units = activity.transpose();
  const auto steps = static_cast<std::size_t>(activity.rows() - 1);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      w(i, j) = dot(row_span(units, i).last(steps), row_span(units, j).first(steps)) / static_cast<double>(n);
  return w;
}

Matrix learn_units(ComponentRule rule, Matrix w0, const Matrix& activity, double eta) {
  require_size("columns of the weights", w0.cols(), activity.cols());
  require(std::isfinite(eta), "the rate of learning must be finite", eta);
  require_finite(activity);
  require_finite(w0);
  std::vector<std::uint32_t> columns(static_cast<std::size_t>(activity.cols()));
  std::iota(columns.begin(), columns.end(), 0u);
  for (Index t = 0; t < activity.rows(); ++t) {
    const SparseInput x{columns, row_span(activity, t)};
    rule == ComponentRule::oja ? oja_step(w0, x, eta) : sanger_step(w0, x, eta);
  }
  return w0;
}

void bcm_step(BcmUnit& unit, const Vector& x, double eta, double tau) {
  require_size("x", x.size(), unit.w.size());
  require(tau > 0, "the time constant must be above 0", tau);
  require(std::isfinite(eta), "the rate of learning must be finite", eta);
  require_finite(as_span(x));
  const double y = dot(unit.w, x);
  unit.w += (eta * (y * (y - unit.theta))) * x;
  unit.theta += (y * y - unit.theta) / tau;
}

double stdp_change(double dt, const StdpWindow& window) {
  require_window(window);
  require(!std::isnan(dt), "a time must be a number", dt);
  if (dt == 0) return 0.0;
  return dt > 0 ? window.a_plus * exp(-dt / window.tau_plus) : -window.a_minus * exp(dt / window.tau_minus);
}

}  // namespace engram::core
