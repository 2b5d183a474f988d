// SPDX-License-Identifier: MIT
#include "core/numbers/numeric.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "core/numbers/work_budget.hpp"

namespace engram::core {

namespace {

constexpr std::size_t lane_count = SumInOrder::lane_count;
using Lanes = std::array<double, lane_count>;

double fold(Lanes& lanes) {
  for (std::size_t half = lane_count / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
  return lanes[0];
}

template <class Element>
double reduce(std::size_t n, Element element) {
  Lanes lanes{};
  std::size_t i = 0;
  for (; i + lane_count <= n; i += lane_count)
    for (std::size_t lane = 0; lane < lane_count; ++lane) lanes[lane] += element(i + lane);
  for (std::size_t lane = 0; i < n; ++i, ++lane) lanes[lane] += element(i);
  return fold(lanes);
}

// 2^e for e in [-1022, 1023].
double power_of_two(std::int64_t e) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52);
}

// ln 2 as a sum. The first part has trailing zeros, so that m * ln2_high is exact for |m| < 2^20.
constexpr double ln2_high = 6.93147180369123816490e-01;
constexpr double ln2_low = 1.90821492927058770002e-10;

}  // namespace

double dot(std::span<const double> a, std::span<const double> b) {
  require_size("right side of dot", static_cast<Index>(b.size()), static_cast<Index>(a.size()));
  charge(a.size());
  return reduce(a.size(), [&](std::size_t i) { return a[i] * b[i]; });
}

double sum(std::span<const double> a) {
  charge(a.size());
  return reduce(a.size(), [&](std::size_t i) { return a[i]; });
}

void SumInOrder::add(std::size_t i, std::span<const double> numbers) {
  charge(numbers.size());
  std::size_t k = 0;
  for (; k < numbers.size() && (i + k) % lane_count != 0; ++k) add(i + k, numbers[k]);
  for (; k + lane_count <= numbers.size(); k += lane_count)
    for (std::size_t lane = 0; lane < lane_count; ++lane) lanes_[lane] += numbers[k + lane];
  for (; k < numbers.size(); ++k) add(i + k, numbers[k]);
}

double SumInOrder::total() const {
  Lanes lanes = lanes_;
  return fold(lanes);
}

double max(std::span<const double> a) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const double x : a)
    if (x > largest) largest = x;
  return largest;
}

double exp(double x) {
  if (std::isnan(x)) return x;
  if (x > 709.79) return std::numeric_limits<double>::infinity();
  if (x < -745.14) return 0.0;
  const double m = std::floor(x * 1.44269504088896338700 + 0.5);
  const double r = (x - m * ln2_high) - m * ln2_low;
  double term_sum = 1.0 / 6227020800.0;  // 1/13!, then Horner down to 1/0!
  constexpr std::array<double, 13> inverse_factorials{1.0 / 479001600.0,
                                                      1.0 / 39916800.0,
                                                      1.0 / 3628800.0,
                                                      1.0 / 362880.0,
                                                      1.0 / 40320.0,
                                                      1.0 / 5040.0,
                                                      1.0 / 720.0,
                                                      1.0 / 120.0,
                                                      1.0 / 24.0,
                                                      1.0 / 6.0,
                                                      0.5,
                                                      1.0,
                                                      1.0};
  for (const double c : inverse_factorials) term_sum = term_sum * r + c;
  // Scales in two steps, so that subnormal and very large results are right.
  const auto exponent = static_cast<std::int64_t>(m);
  const std::int64_t half = exponent / 2;
  return term_sum * power_of_two(half) * power_of_two(exponent - half);
}

double log(double x) {
  if (std::isnan(x) || x < 0) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (std::isinf(x)) return x;
  double shift = 0;
  if (x < std::numeric_limits<double>::min()) {  // subnormal: scale it to a normal number
    x *= 18014398509481984.0;                    // 2^54
    shift = -54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  double e = static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 1023) + shift;
  double m = std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL);
  if (m > 1.41421356237309514547) {
    m *= 0.5;
    e += 1;
  }
  const double f = m - 1.0;  // exact
  const double s = f / (2.0 + f);
  const double z = s * s;  // at most 0.0295, so eleven terms suffice for 2^-55
  double series = 0;
  for (int odd = 23; odd >= 3; odd -= 2) series = (series + 1.0 / odd) * z;
  // 2 artanh s = f - f^2/2 + s (f^2/2 + 2 series). The large part f is exact (as in Sun's fdlibm).
  const double half_square = 0.5 * f * f;
  return e * ln2_high - ((half_square - (s * (half_square + 2.0 * series) + e * ln2_low)) - f);
}

double log1p(double x) {
  const double u = 1.0 + x;
  if (u == 1.0) return x;
  if (std::isinf(u) || u <= 0) return log(u);
  return log(u) + (x - (u - 1.0)) / u;  // corrects the rounding of 1 + x to first order
}

double expm1(double x) {
  if (!(std::abs(x) < 0.4)) return exp(x) - 1.0;
  double series = 1.0;  // x (1 + x/2 (1 + x/3 (...))); 0.4^16 / 17! is far below 2^-53
  for (int k = 16; k >= 2; --k) series = 1.0 + series * x / k;
  return x * series;
}

double tanh(double x) {
  if (std::isnan(x)) return x;
  const double e = std::abs(x) < 22 ? expm1(2 * std::abs(x)) : std::numeric_limits<double>::infinity();
  return std::copysign(std::isinf(e) ? 1.0 : e / (e + 2.0), x);
}

double power(double x, unsigned n) {
  double result = 1;
  for (; n > 0; n /= 2, x *= x)
    if (n % 2 == 1) result *= x;
  return result;
}

SineCosine sine_cosine(double x) {
  require(std::abs(x) <= 1e9, "sine and cosine need |x| <= 1e9");
  constexpr double half_pi_high = 1.57079632679489655800e+00, half_pi_low = 6.12323399573676603587e-17;
  const double k = std::floor(x * 0.636619772367581343076 + 0.5);
  const double r = std::fma(-k, half_pi_low, std::fma(-k, half_pi_high, x));
  const double z = r * r;  // at most 0.62
  double sine = 0, cosine = 0;
  for (int n = 18; n >= 2; n -= 2) {
    cosine = (cosine + 1.0) * -z / (n * (n - 1));
    sine = (sine + 1.0) * -z / (n * (n + 1));
  }
  sine = r + r * sine;
  cosine += 1.0;
  switch (static_cast<std::int64_t>(k) & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

namespace {

const double root_pi = std::sqrt(std::numbers::pi);

// exp(-x^2). Corrects the rounding of x^2, which exp would magnify.
double gaussian(double x) {
  const double square = x * x;
  return exp(-square) * (1 - std::fma(x, x, -square));
}

// 2/sqrt(pi) exp(-x^2) sum 2^k x^(2k+1) / (2k+1)!!, for 0 <= x < 1.
double erf_series(double x) {
  double term = x, total = x;
  for (int k = 1; term > 1e-18 * total; ++k) total += term *= 2 * x * x / (2 * k + 1);
  return 2 / root_pi * gaussian(x) * total;
}

// exp(-x^2)/sqrt(pi) / (x + (1/2)/(x + (2/2)/(x + (3/2)/(x + ...)))), for x >= 1.
double erfc_fraction(double x) {
  double tail = x;
  for (int k = 250; k > 0; --k) tail = x + 0.5 * k / tail;
  return gaussian(x) / (root_pi * tail);
}

}  // namespace

double erf(double x) {
  if (x < 0) return -erf(-x);
  if (!(x >= 6)) return x < 1 ? erf_series(x) : x >= 1 ? 1 - erfc_fraction(x) : x;
  return 1;
}

double erfc(double x) {
  if (x < 0.5) return x < -6 ? 2 : 1 - erf(x);
  if (!(x >= 28)) return x < 1 ? 1 - erf_series(x) : x >= 1 ? erfc_fraction(x) : x;
  return 0;
}

Vector multiply(const Matrix& m, const Vector& v) {
  require_size("vector", v.size(), m.cols());
  Vector out(m.rows());
  for (Index i = 0; i < m.rows(); ++i) out[i] = dot(row_span(m, i), as_span(v));
  return out;
}

Vector multiply_transposed(const Matrix& m, const Vector& p) {
  require_size("vector", p.size(), m.rows());
  Vector out = Vector::Zero(m.cols());
  for (Index i = 0; i < m.rows(); ++i) {
    if (p[i] == 0) continue;  // zero weights of sparse maps cost nothing
    charge(static_cast<std::uint64_t>(m.cols()));
    for (Index j = 0; j < m.cols(); ++j) out[j] += p[i] * m(i, j);
  }
  return out;
}

Vector centred_product(const Vector& w, const Vector& v) {
  require_size("vector", v.size(), w.size());
  Vector product = Vector::Zero(w.size());
  Index heavy = 0;
  for (Index i = 1; i < w.size(); ++i)
    if (w[i] > w[heavy]) heavy = i;
  if (w.size() == 0 || w[heavy] == 0) return product;
  for (Index i = 0; i < w.size(); ++i)
    if (w[i] > 0) product[i] = w[i] * (v[i] - v[heavy]);
  const double total = sum(w), summed = sum(product);
  for (Index i = 0; i < w.size(); ++i) product[i] -= w[i] * (summed / total);
  return product;
}

namespace {

// Chosen: 4 by 4 sums take 8 of the 16 registers of every x86-64 processor.
constexpr Index block = 4;
using Four = Eigen::Array<double, block, 1>;

// Packs columns first .. first + block-1 of B row by row, padded with zeros.
void pack(const Matrix& b, Index first, std::vector<double>& packed) {
  const Index count = std::min(block, b.cols() - first);
  for (Index k = 0; k < b.rows(); ++k)
    for (Index j = 0; j < block; ++j)
      packed[static_cast<std::size_t>(k * block + j)] = j < count ? b(k, first + j) : 0.0;
}

// Multiplies `Rows` rows of A by the packed columns, and stores the first `columns` sums of each row in C.
template <Index Rows>
void multiply_block(const double* a, Index terms, const double* packed, double* c, Index stride,
                    Index columns) {
  std::array<Four, static_cast<std::size_t>(Rows)> sums;
  sums.fill(Four::Zero());
  for (Index k = 0; k < terms; ++k) {
    const Four b = Eigen::Map<const Four>(packed + k * block);
    for (Index i = 0; i < Rows; ++i) sums[static_cast<std::size_t>(i)] += a[i * terms + k] * b;
  }
  for (Index i = 0; i < Rows; ++i)
    for (Index j = 0; j < columns; ++j) c[i * stride + j] = sums[static_cast<std::size_t>(i)][j];
}

}  // namespace

Matrix product(const Matrix& a, const Matrix& b) {
  require_size("rows of the right factor", b.rows(), a.cols());
  Matrix c(a.rows(), b.cols());
  std::vector<double> packed(static_cast<std::size_t>(b.rows() * block));
  for (Index j = 0; j < b.cols(); j += block) {
    charge(static_cast<std::uint64_t>(a.size()) * block);
    pack(b, j, packed);
    const Index columns = std::min(block, b.cols() - j);
    Index i = 0;
    for (; i + block <= a.rows(); i += block)
      multiply_block<block>(a.data() + i * a.cols(), a.cols(), packed.data(), c.data() + i * c.cols() + j,
                            c.cols(), columns);
    for (; i < a.rows(); ++i)
      multiply_block<1>(a.data() + i * a.cols(), a.cols(), packed.data(), c.data() + i * c.cols() + j,
                        c.cols(), columns);
  }
  return c;
}

}  // namespace engram::core
