// SPDX-License-Identifier: MIT
#include "core/learning/pattern_weights.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

void require_spins(std::span<const double> x) {
  for (const double spin : x) require(spin == 1 || spin == -1, "a spin of a pattern must be +1 or -1", spin);
}

void require_patterns(const Matrix& patterns) {
  require(patterns.cols() > 0, "patterns need at least one spin");
  for (Index k = 0; k < patterns.rows(); ++k) require_spins(row_span(patterns, k));
}

// Adds a symmetric change. Computes one triangle, so W stays exactly symmetric.
template <class Change>
void add_symmetric(Matrix& w, const Change& change) {
  for (Index i = 0; i < w.rows(); ++i) {
    charge(4 * static_cast<std::uint64_t>(i));
    for (Index j = 0; j < i; ++j) w(i, j) = w(j, i) = w(i, j) + change(i, j);
  }
}

void storkey_step(Matrix& w, const Vector& x, bool cavity) {
  const auto n = static_cast<double>(x.size());
  const Vector h = multiply(w, x);
  add_symmetric(w, [&](Index i, Index j) {
    const double h_ij = cavity ? h[i] - w(i, j) * x[j] : h[i];
    const double h_ji = cavity ? h[j] - w(i, j) * x[i] : h[j];
    return (x[i] * x[j] - x[i] * h_ji - h_ij * x[j]) / n;
  });
}

// Orthonormal basis of the span of the patterns, by Gram-Schmidt. Using (X X')^-1 instead would square the condition
// number of X, which matters for about n patterns. The remainder of a dependent pattern is rounding error.
Matrix orthonormal_rows(const Matrix& patterns) {
  constexpr double dependent =
      1e-8;  // relative to a pattern's length; chosen: far above rounding errors, far below 1
  Matrix basis(std::min(patterns.rows(), patterns.cols()), patterns.cols());
  Index rank = 0;
  const double length = std::sqrt(static_cast<double>(patterns.cols()));
  for (Index k = 0; k < patterns.rows() && rank < basis.rows(); ++k) {
    Vector rest = patterns.row(k).transpose();
    for (int pass = 0; pass < 2;
         ++pass)  // the second pass removes the error of the first for nearly dependent patterns
      for (Index b = 0; b < rank; ++b)
        rest -= dot(row_span(basis, b), as_span(rest)) * basis.row(b).transpose();
    const double left = std::sqrt(dot(rest, rest));
    if (left > dependent * length) basis.row(rank++) = rest.transpose() / left;
  }
  return basis.topRows(rank);
}

Matrix projector(const Matrix& patterns) {
  const Matrix basis = orthonormal_rows(patterns);
  const Index n = patterns.cols();
  if (basis.rows() == n) return Matrix::Identity(n, n);
  const Matrix columns = basis.transpose();
  Matrix w(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j) w(i, j) = w(j, i) = dot(row_span(columns, i), row_span(columns, j));
  return w;
}

}  // namespace

Matrix hebb_weights(const Matrix& patterns) {
  require_patterns(patterns);
  Matrix weights = Matrix::Zero(patterns.cols(), patterns.cols());
  // Sums of +1 and -1 are exact in any order.
  for (Index k = 0; k < patterns.rows(); ++k)
    for (Index i = 0; i < patterns.cols(); ++i) {
      charge(static_cast<std::uint64_t>(patterns.cols()));
      for (Index j = 0; j < patterns.cols(); ++j)
        if (i != j) weights(i, j) += patterns(k, i) * patterns(k, j);
    }
  return weights / static_cast<double>(patterns.cols());
}

Matrix pattern_weights(WeightRule rule, const Matrix& patterns) {
  require_patterns(patterns);
  if (rule == WeightRule::hebb) return hebb_weights(patterns);
  if (rule == WeightRule::pseudo_inverse) return projector(patterns);
  Matrix w = Matrix::Zero(patterns.cols(), patterns.cols());
  if (rule == WeightRule::pseudo_inverse_zero_diag) {
    w = projector(patterns);
    w.diagonal().setZero();
    return w;
  }
  for (Index k = 0; k < patterns.rows(); ++k) learn_pattern(rule, w, patterns.row(k).transpose());
  return w;
}

void learn_pattern(WeightRule rule, Matrix& w, const Vector& x) {
  require_size("rows of weights", w.rows(), x.size());
  require_size("columns of weights", w.cols(), x.size());
  require_spins(as_span(x));
  const auto n = static_cast<double>(x.size());
  switch (rule) {
    case WeightRule::hebb:
      return add_symmetric(w, [&](Index i, Index j) { return x[i] * x[j] / n; });
    case WeightRule::storkey:
      return storkey_step(w, x, true);
    case WeightRule::storkey_full_field:
      return storkey_step(w, x, false);
    case WeightRule::pseudo_inverse:
    case WeightRule::pseudo_inverse_zero_diag:
      break;
  }
  throw std::invalid_argument("a pseudo-inverse needs all patterns at once");
}

}  // namespace engram::core
