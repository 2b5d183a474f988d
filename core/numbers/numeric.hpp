// SPDX-License-Identifier: MIT
// Reductions in a fixed order and elementary functions of our own. Everything that reaches a result goes
// through them: Eigen's reductions change with the width of the processor's registers and the C library's
// exp and log with its FMA unit, so neither gives the same bits everywhere.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "core/numbers/shapes.hpp"

namespace engram::core {

/// sum_i a_i b_i. Sixteen lanes (element i goes to lane i mod 16) folded in halves: the same bits for every
/// vector width and thread count, and a compiler may vectorise it.
/// Errors  std::invalid_argument if the sizes differ.    Cost  O(n)
double dot(std::span<const double> a, std::span<const double> b);

/// sum_i a_i, in the order of dot.
double sum(std::span<const double> a);

/// The same sum, of the elements that are not 0, told one after another, ascending.
class SumInOrder {
 public:
  static constexpr std::size_t lane_count = 16;

  /// Adds the i-th number.
  void add(std::size_t i, double x) { lanes_[i % lane_count] += x; }
  /// The same of the i-th and those that follow.
  void add(std::size_t i, std::span<const double> numbers);
  double total() const;

 private:
  std::array<double, lane_count> lanes_{};
};

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

/// Hyperbolic tangent, (e^2x - 1) / (e^2x - 1 + 2) for x > 0.  Relative error below 2e-15; +-1 from |x| = 22
/// on, NaN for NaN.
double tanh(double x);

/// The error function, 2/sqrt(pi) times the integral of exp(-t^2) from 0 to x, and what is left of 1. Series
/// of positive terms below 1, a continued fraction above.  Relative error below 4e-15 (erfc: as long as it
/// is above the least normal double); NaN for NaN.
double erf(double x);
double erfc(double x);

/// x^n by repeated squaring; x^0 = 1, also of 0. At most 2 log2(n) roundings.
double power(double x, unsigned n);

/// Sine and cosine of one angle.
struct SineCosine {
  double sine, cosine;
};
/// Sine and cosine: x - k pi/2 by two fused steps with pi/2 in two parts, then Taylor polynomials.
/// Absolute error below 4e-16.   Errors  std::invalid_argument unless |x| <= 1e9
SineCosine sine_cosine(double x);
/// (a - b)/t for t > 0, also where a - b is beyond the range of double.
inline double scaled_difference(double a, double b, double t) {
  const double difference = a - b;
  return std::isinf(difference) ? a / t - b / t : difference / t;
}

/// The same of all entries of a vector, or of two.
inline double sum(const Vector& v) { return sum(as_span(v)); }
inline double max(const Vector& v) { return max(as_span(v)); }
inline double dot(const Vector& a, const Vector& b) { return dot(as_span(a), as_span(b)); }

/// M v, row by row.  Shapes  M (k, d), v (d) -> (k)
Vector multiply(const Matrix& m, const Vector& v);
/// (diag w - w w'/sum w) v: sum w times the covariance with v under the weights w/sum w; 0 for w = 0. Taken
/// about v of the heaviest, so that nothing cancels where one weight is nearly all.
/// Shapes  w (n), v (n) -> (n), w_i >= 0
Vector centred_product(const Vector& w, const Vector& v);
/// M' p, rows added in their order.  Shapes  M (k, d), p (k) -> (d)
Vector multiply_transposed(const Matrix& m, const Vector& p);

}  // namespace engram::core
