// SPDX-License-Identifier: MIT
#include "experiments/equivalence/identity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/attention.hpp"
#include "core/hopfield/modern_hopfield.hpp"

namespace engram::experiments::equivalence {

double deviation_of(const Matrix& a, const Matrix& b) {
  core::require_size("rows of the other side", b.rows(), a.rows());
  core::require_size("columns of the other side", b.cols(), a.cols());
  double difference = 0, magnitude = 1;
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j) {
      if (!std::isfinite(a(i, j)) || !std::isfinite(b(i, j))) return std::numeric_limits<double>::quiet_NaN();
      difference = std::max(difference, std::abs(a(i, j) - b(i, j)));
      magnitude = std::max({magnitude, std::abs(a(i, j)), std::abs(b(i, j))});
    }
  return difference / magnitude;
}

double deviation_of(const Vector& a, const Vector& b) { return deviation_of(Matrix(a), Matrix(b)); }

double deviation_of(double a, double b) {
  return deviation_of(Vector::Constant(1, a).eval(), Vector::Constant(1, b).eval());
}

Vector attended(const Matrix& keys, const Matrix& values, const Vector& query, double scale) {
  return core::attend(query.transpose(), keys, values, scale).output.row(0).transpose();
}

Vector modern_step(const Matrix& patterns, const Vector& cue, double beta) {
  return core::recall_modern(patterns, cue, {.beta = beta, .max_steps = 1}).state;
}

}  // namespace engram::experiments::equivalence
