// SPDX-License-Identifier: MIT
// Reductions in a fixed order, elementary functions and dense products. Use them for every number that reaches a
// result. Eigen's reductions depend on the width of the processor's registers, and exp and log of the C library on its
// FMA unit; these functions return the same bits everywhere.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "core/numbers/shapes.hpp"

namespace engram::core {

/// Inner product sum_i a_i b_i in a fixed order. Product i is added to lane i mod 16, and the 16 lanes are folded in
/// halves. The compiler may vectorise this, and the bits are the same for every vector width.
/// Errors  std::invalid_argument if the sizes differ.    Cost  O(n)
double dot(std::span<const double> a, std::span<const double> b);

/// Sum of the elements, in 16 lanes like dot(), with the same bits on every processor.
double sum(std::span<const double> a);

/// Sum of numbers that arrive one after another. The total has the same bits as sum() of all numbers. Numbers of 0 may
/// be skipped, so sparse vectors can be summed like dense ones.
class SumInOrder {
 public:
  static constexpr std::size_t lane_count = 16;

  /// Adds element i. Indices must ascend.
  void add(std::size_t i, double x) { lanes_[i % lane_count] += x; }
  /// Adds elements i, i + 1, ...
  void add(std::size_t i, std::span<const double> numbers);
  double total() const;

 private:
  std::array<double, lane_count> lanes_{};
};

/// The largest element; -infinity for an empty span.
double max(std::span<const double> a);

/// Exponential function e^x, by Cody-Waite reduction x = m ln 2 + r, |r| <= ln 2 / 2, and a Taylor polynomial of degree
/// 13. Relative error below 3e-16. The result is 0 or infinity beyond the range of double, NaN for NaN.
double exp(double x);

/// Natural logarithm: x = m 2^e with m in [sqrt 1/2, sqrt 2), ln m = 2 artanh((m-1)/(m+1)) by its series.
/// Relative error below 4e-16; -infinity for 0, NaN below 0 and for NaN.
double log(double x);

/// log(1 + x), accurate for small x.  Relative error below 1e-15; NaN below -1.
double log1p(double x);

/// e^x - 1, accurate for small x.  Relative error below 2e-15.
double expm1(double x);

/// Hyperbolic tangent, (e^2x - 1) / (e^2x - 1 + 2) for x > 0.  Relative error below 2e-15; +-1 for |x| >= 22, NaN for
/// NaN.
double tanh(double x);

/// Error function, 2/sqrt(pi) times the integral of exp(-t^2) from 0 to x, and its complement erfc = 1 - erf. Below 1
/// by a series of positive terms, above by a continued fraction.  Relative error below 4e-15 (erfc: if the result is a
/// normal double); NaN for NaN.
double erf(double x);
double erfc(double x);

/// x^n by repeated squaring; x^0 = 1, also for x = 0. At most 2 log2(n) roundings.
double power(double x, unsigned n);

/// Sine and cosine of one angle.
struct SineCosine {
  double sine, cosine;
};
/// Sine and cosine of x in radians: reduces x by a multiple of pi/2 in two fused steps, then evaluates Taylor
/// polynomials. Absolute error below 4e-16.
/// Errors  std::invalid_argument unless |x| <= 1e9
SineCosine sine_cosine(double x);

/// Returns (a - b)/t for t > 0. If a - b overflows, returns a/t - b/t, which may be finite.
inline double scaled_difference(double a, double b, double t) {
  const double difference = a - b;
  return std::isinf(difference) ? a / t - b / t : difference / t;
}

// Overloads of sum, max and dot for vectors.
inline double sum(const Vector& v) { return sum(as_span(v)); }
inline double max(const Vector& v) { return max(as_span(v)); }
inline double dot(const Vector& a, const Vector& b) { return dot(as_span(a), as_span(b)); }

/// Product M v of a dense matrix with a vector.  Shapes  M (k, d), v (d) -> (k)
Vector multiply(const Matrix& m, const Vector& v);
/// Product (diag w - w w'/sum w) v for weights w: sum w times the covariance with v under the weights w / sum w.
/// Returns 0 for w = 0. Jacobians of simplex maps have this form. Differences are taken from the v of the largest
/// weight, so that nothing cancels if one weight has nearly the whole sum.
/// Shapes  w (n), v (n) -> (n), w_i >= 0
Vector centred_product(const Vector& w, const Vector& v);
/// Product M' p of a transposed dense matrix with a vector; rows are added in ascending order.
/// Shapes  M (k, d), p (k) -> (d)
Vector multiply_transposed(const Matrix& m, const Vector& p);

/// Matrix product C = A B. An element is the sum c_ij <- c_ij + a_ik b_kj for k = 0, 1, ..., with product and sum
/// rounded separately. Blocks of elements stay in registers, which does not change the order of the sums.
/// Shapes   A (m, k), B (k, n) -> (m, n)
/// Errors   std::invalid_argument if the shapes do not fit
/// Cost     O(m k n) time, 4 to 8 times faster than one sum after another; O(k) memory besides C
Matrix product(const Matrix& a, const Matrix& b);

}  // namespace engram::core
