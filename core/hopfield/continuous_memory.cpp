// SPDX-License-Identifier: MIT
#include "core/hopfield/continuous_memory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

constexpr double largest = std::numeric_limits<double>::max();

double x_log_x(double x) { return x > 0 ? x * log(x) : 0.0; }

// g, and its integral.
class Separation {
 public:
  explicit Separation(const ContinuousMemoryOptions& options) : options_(options) {}

  // X' g(X q) from the overlaps. Values beyond the range of double are taken relative to the largest, so that
  // their signs survive.
  Vector drive(const Matrix& patterns, const Vector& overlaps) const {
    const double scale = overlaps.lpNorm<Eigen::Infinity>();
    const bool in_range = std::isfinite(is_exponential() ? exp(options_.inner_beta * max(overlaps))
                                                         : power(scale, options_.power));
    Vector values(overlaps.size());
    for (Index k = 0; k < values.size(); ++k) {
      if (is_exponential())
        values[k] = exp(options_.inner_beta * (in_range ? overlaps[k] : overlaps[k] - max(overlaps)));
      else
        values[k] = power(in_range ? overlaps[k] : overlaps[k] / scale, options_.power);
    }
    Vector sums = multiply_transposed(patterns, values);
    for (double& sum : sums) {
      if (!in_range) sum *= largest;
      if (std::isinf(sum)) sum = std::copysign(largest, sum);
    }
    return sums;
  }

  double integral(double overlap) const {
    if (is_exponential()) return exp(options_.inner_beta * overlap) / options_.inner_beta;
    return power(overlap, options_.power + 1) / (options_.power + 1);
  }

 private:
  bool is_exponential() const { return options_.inner_beta > 0; }

  const ContinuousMemoryOptions& options_;
};

double energy(const Separation& separation, const Vector& overlaps, const Vector& state, double beta) {
  Vector stored(overlaps.size()), unit(state.size());
  for (Index k = 0; k < stored.size(); ++k) stored[k] = separation.integral(overlaps[k]);
  for (Index i = 0; i < unit.size(); ++i) {
    if (std::abs(state[i]) > 1) return std::numeric_limits<double>::infinity();
    unit[i] = (x_log_x(1 + state[i]) + x_log_x(1 - state[i])) / 2;
  }
  return sum(unit) / beta - sum(stored);
}

void require_options(const ContinuousMemoryOptions& options) {
  require(options.power >= 1, "the power must be at least 1", options.power);
  require(options.inner_beta >= 0 && std::isfinite(options.inner_beta),
          "inner_beta must be finite and not negative", options.inner_beta);
  require_positive("beta", options.beta);
  require(options.step > 0 && options.step <= 1, "a step must be in (0, 1]", options.step);
  require(options.max_steps >= 1, "max_steps must be at least 1", options.max_steps);
}

}  // namespace

ContinuousMemoryRecall recall_continuous(const Matrix& patterns, const Vector& cue,
                                         const ContinuousMemoryOptions& options) {
  require(patterns.rows() >= 1, "a continuous memory needs at least one pattern");
  require_size("cue", cue.size(), patterns.cols());
  require(patterns.allFinite() && cue.allFinite(), "patterns and cue must be finite");
  require_options(options);
  Vector u = Vector::Zero(cue.size());
  if (options.step < 1)
    for (Index i = 0; i < cue.size(); ++i) {
      require(std::abs(cue[i]) < 1, "steps of less than 1 need a cue in (-1, 1)");
      u[i] = (log1p(cue[i]) - log1p(-cue[i])) / (2 * options.beta);
    }

  const Separation separation(options);
  ContinuousMemoryRecall recall;
  recall.state = cue;
  Vector overlaps = multiply(patterns, cue);
  recall.energies.push_back(energy(separation, overlaps, cue, options.beta));
  while (static_cast<int>(recall.iterates.size()) < options.max_steps &&
         (options.every_step || !recall.converged)) {
    const Vector drive = separation.drive(patterns, overlaps);
    double change = 0;
    for (Index i = 0; i < u.size(); ++i) {
      u[i] = options.step < 1 ? u[i] + options.step * (drive[i] - u[i]) : drive[i];
      const double next = tanh(options.beta * u[i]);
      change = std::max(change, std::abs(next - recall.state[i]));
      recall.state[i] = next;
    }
    overlaps = multiply(patterns, recall.state);
    recall.energies.push_back(energy(separation, overlaps, recall.state, options.beta));
    recall.iterates.push_back(recall.state);
    recall.converged = change <= options.tolerance;
  }
  return recall;
}

}  // namespace engram::core
