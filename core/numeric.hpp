// SPDX-License-Identifier: MIT
// Reductions in a fixed order and elementary functions of our own. Everything that reaches a result goes
// through them: Eigen's reductions change with the width of the processor's registers and the C library's
// exp and log with its FMA unit, so neither gives the same bits everywhere.
#pragma once

#include <cstddef>
#include <span>

#include "core/shapes.hpp"

namespace engram::core {

/// sum_i a_i b_i. Sixteen lanes (element i goes to lane i mod 16) folded in halves: the same bits for every
/// vector width and thread count, and a compiler may vectorise it.
/// Errors  std::invalid_argument if the sizes differ.    Cost  O(n)
double dot(std::span<const double> a, std::span<const double> b);

/// sum_i a_i, in the order of dot.
double sum(std::span<const double> a);

/// The largest element; -infinity for none.
double max(std::span<const double> a);

/// e^x: Cody-Waite reduction x = m ln 2 + r, |r| <= ln 2 / 2, and a Taylor polynomial of degree 13.
/// Relative error below 3e-16; 0 and infinity beyond the range of double, NaN for NaN.
double exp(double x);

/// Natural logarithm: x = m 2^e with m in [sqrt 1/2, sqrt 2), ln m = 2 artanh((m-1)/(m+1)) by its series.
/// Relative error below 4e-16; -infinity for 0, NaN below 0 and for NaN.
double log(double x);

/// log(1 + x) without the loss of 1 + x for small x.  Relative error below 1e-15; NaN below -1.
double log1p(double x);

/// e^x - 1 without the loss of the difference for small x.  Relative error below 2e-15.
double expm1(double x);

inline double sum(const Vector& v) { return sum(as_span(v)); }
inline double max(const Vector& v) { return max(as_span(v)); }
inline double dot(const Vector& a, const Vector& b) { return dot(as_span(a), as_span(b)); }

/// M v, row by row.  Shapes  M (k, d), v (d) -> (k)
Vector multiply(const Matrix& m, const Vector& v);
/// M' p, rows added in their order.  Shapes  M (k, d), p (k) -> (d)
Vector multiply_transposed(const Matrix& m, const Vector& p);

}  // namespace engram::core
