// SPDX-License-Identifier: MIT
#include "core/numbers/numeric.hpp"

#include <bit>

#include "tests/core/samples.hpp"
#include "tests/support/text.hpp"

namespace engram::core {
namespace {

using namespace samples;

// The relative error |found - truth| / |truth|. The truth has a mantissa of at least 64 bits.
double relative_error(double found, long double truth) {
  if (found == static_cast<double>(truth)) return 0;
  return static_cast<double>(std::abs((static_cast<long double>(found) - truth) / truth));
}

// Distance in ulps of two finite doubles with the same sign.
std::uint64_t ulps_apart(double a, double b) {
  const auto x = std::bit_cast<std::uint64_t>(a), y = std::bit_cast<std::uint64_t>(b);
  return x > y ? x - y : y - x;
}

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

std::vector<double> random_numbers(Rng& rng, std::size_t n) {
  std::vector<double> numbers(n);
  for (double& x : numbers) x = normal(rng) * std::ldexp(1.0, static_cast<int>(rng.below(40)) - 20);
  return numbers;
}

// Adds element i to lane i mod 16. Then adds the upper half of the lanes to the lower half until one is left.
double sixteen_lanes(const std::vector<double>& terms) {
  std::vector<double> lanes(16, 0.0);
  for (std::size_t i = 0; i < terms.size(); ++i) lanes[i % 16] += terms[i];
  while (lanes.size() > 1) {
    const std::size_t half = lanes.size() / 2;
    for (std::size_t i = 0; i < half; ++i) lanes[i] += lanes[half + i];
    lanes.resize(half);
  }
  return lanes[0];
}

const std::array<std::size_t, 14> sizes{0, 1, 2, 7, 15, 16, 17, 31, 32, 33, 48, 100, 1000, 4097};

TEST_CASE("exp has the documented error in its whole range", "[numeric]") {
  Rng rng(1, "numeric_test exp");
  double worst = 0, worst_at = 0;
  std::uint64_t worst_ulps = 0;
  const auto visit = [&](double x) {
    const double error = relative_error(exp(x), std::exp(static_cast<long double>(x)));
    if (!(error <= worst)) worst = error, worst_at = x;
    worst_ulps = std::max(worst_ulps, ulps_apart(exp(x), std::exp(x)));
  };
  for (int i = 0; i < 100000; ++i) visit(uniform(rng, -708.0, 709.7));
  for (int i = 0; i < 20000; ++i) visit(uniform(rng, -1.0, 1.0));
  for (int i = 0; i < 20000; ++i) visit(normal(rng) * std::ldexp(1.0, -static_cast<int>(rng.below(80))));
  for (int m = -1000; m <= 1000; ++m)  // near the boundaries of the range reduction
    for (const double step : {-1e-9, 0.0, 1e-9}) visit((m + 0.5) * 0.69314718055994530942 + step);
  INFO("worst at " << worst_at);
  CHECK(worst < 3e-16);    // the documented bound
  CHECK(worst_ulps <= 2);  // an error of at most one ulp in each of the two functions
}

TEST_CASE("exp of a subnormal result has an error of one unit in the last place", "[numeric]") {
  Rng rng(2, "numeric_test subnormal exp");
  double worst = 0;  // in units of the smallest subnormal
  for (int i = 0; i < 50000; ++i) {
    const double x = uniform(rng, -745.13, -708.4);
    const long double difference = static_cast<long double>(exp(x)) - std::exp(static_cast<long double>(x));
    const auto units = static_cast<double>(std::abs(difference) / std::numeric_limits<double>::denorm_min());
    worst = std::max(worst, units);
  }
  // The final rounding causes half a unit. Near 2^-1022 the polynomial's error of 3e-16 causes up to 1.5 units more.
  CHECK(worst < 2.0);
  CHECK(exp(-745.13) == std::numeric_limits<double>::denorm_min());
}

TEST_CASE("exp is exact at 0, and underflows and overflows at the right arguments", "[numeric]") {
  CHECK(exp(0.0) == 1.0);
  CHECK(exp(-0.0) == 1.0);
  CHECK(exp(5e-324) == 1.0);
  CHECK(ulps_apart(exp(1.0), 2.71828182845904523536) <= 1);
  // ln of the largest double is 709.78271289338397..., that of half the smallest is -745.13321910194122...
  CHECK(exp(709.78271289338397) < infinity);
  CHECK(exp(709.78271289338397) > 1.797e308);
  CHECK(exp(709.78271289338409) == infinity);
  CHECK(exp(710.0) == infinity);
  CHECK(exp(1e308) == infinity);
  CHECK(exp(infinity) == infinity);
  CHECK(exp(-745.1332) > 0.0);
  CHECK(exp(-745.1333) == 0.0);
  CHECK(exp(-746.0) == 0.0);
  CHECK(exp(-1e308) == 0.0);
  CHECK(exp(-infinity) == 0.0);
  CHECK(std::isnan(exp(nan)));
}

TEST_CASE("log has the documented error in its whole range", "[numeric]") {
  Rng rng(3, "numeric_test log");
  double worst = 0, worst_at = 0;
  std::uint64_t worst_ulps = 0;
  const auto visit = [&](double x) {
    const double error = relative_error(log(x), std::log(static_cast<long double>(x)));
    if (!(error <= worst)) worst = error, worst_at = x;
    worst_ulps = std::max(worst_ulps, ulps_apart(log(x), std::log(x)));
  };
  for (int i = 0; i < 100000; ++i)  // all exponents, including subnormal numbers
    visit(std::bit_cast<double>(1 + rng.below(0x7fefffffffffffffULL)));
  for (int i = 0; i < 20000; ++i) visit(std::bit_cast<double>(1 + rng.below(0x000fffffffffffffULL)));
  for (int i = 0; i < 50000; ++i) visit(uniform(rng, 0.5, 2.0));
  for (int i = 0; i < 50000; ++i)  // near 1, the hardest case
    visit(1.0 + uniform(rng, -1.0, 1.0) * std::ldexp(1.0, -static_cast<int>(rng.below(52))));
  INFO("worst at " << worst_at);
  CHECK(worst < 4e-16);    // the documented bound
  CHECK(worst_ulps <= 3);  // 4e-16 is at most 3.6 ulp; the C library's error is below one
}

TEST_CASE("log is exact at 1, and returns NaN or infinity outside its domain", "[numeric]") {
  CHECK(log(1.0) == 0.0);
  CHECK(ulps_apart(log(2.0), 0.69314718055994530942) <= 1);
  CHECK(ulps_apart(log(10.0), 2.30258509299404568402) <= 1);
  CHECK(ulps_apart(log(std::numeric_limits<double>::denorm_min()), -744.44007192138126231) <= 1);
  CHECK(ulps_apart(log(std::numeric_limits<double>::max()), 709.78271289338397310) <= 1);
  CHECK(log(0.0) == -infinity);
  CHECK(log(-0.0) == -infinity);
  CHECK(log(infinity) == infinity);
  CHECK(std::isnan(log(-1.0)));
  CHECK(std::isnan(log(-5e-324)));
  CHECK(std::isnan(log(-infinity)));
  CHECK(std::isnan(log(nan)));
}

TEST_CASE("exp and log are inverse functions", "[numeric]") {
  Rng rng(4, "numeric_test round trip");
  bool all = true;
  for (int i = 0; i < 50000; ++i) {
    const double x = std::bit_cast<double>(0x0010000000000000ULL + rng.below(0x7fd0000000000000ULL));
    // The error of the logarithm, 4e-16 times its value, becomes a relative error of x. exp adds its own.
    all = all && std::abs(exp(log(x)) - x) <= x * (4e-16 * std::abs(std::log(x)) + 4e-16);
    const double y = uniform(rng, -700.0, 700.0);
    all = all && std::abs(log(exp(y)) - y) <= 4e-16 * std::abs(y) + 4e-16;
  }
  CHECK(all);
}

TEST_CASE("sum and dot use the documented order", "[numeric]") {
  Rng rng(5, "numeric_test order");
  for (const std::size_t n : sizes) {
    const auto a = random_numbers(rng, n), b = random_numbers(rng, n);
    std::vector<double> products(n);
    for (std::size_t i = 0; i < n; ++i) products[i] = a[i] * b[i];
    INFO("n = " << n);
    CHECK(bits_of(sum(a)) == bits_of(sixteen_lanes(a)));
    CHECK(bits_of(dot(a, b)) == bits_of(sixteen_lanes(products)));
  }
}

TEST_CASE("sum adds elements 16 apart in one lane", "[numeric]") {
  // Lane 0 sums 1e16 - 1e16 = 0, and lane 8 has the 1. A sum from left to right would lose the 1.
  std::vector<double> a(17, 0.0);
  a[0] = 1e16;
  a[8] = 1.0;
  a[16] = -1e16;
  CHECK(sum(a) == 1.0);
  CHECK((a[0] + a[8]) + a[16] == 0.0);
  // Folding adds lane 8 to lane 0 before lane 4, so 1e16 and -1e16 cancel first.
  std::vector<double> b(16, 0.0);
  b[0] = 1e16;
  b[8] = -1e16;
  b[4] = 1.0;
  CHECK(sum(b) == 1.0);
}

TEST_CASE("sum and dot agree with long double", "[numeric]") {
  Rng rng(6, "numeric_test long double");
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for (const std::size_t n : sizes) {
    const auto a = random_numbers(rng, n), b = random_numbers(rng, n);
    long double total = 0, total_size = 0, product = 0, product_size = 0;
    for (std::size_t i = 0; i < n; ++i) {
      total += a[i];
      total_size += std::abs(a[i]);
      product += static_cast<long double>(a[i]) * b[i];
      product_size += std::abs(static_cast<long double>(a[i]) * b[i]);
    }
    // Error bound: half an epsilon times the size of the terms for each addition and product.
    const double additions = static_cast<double>(n / 16) + 6;
    INFO("n = " << n);
    CHECK(std::abs(sum(a) - static_cast<double>(total)) <=
          additions * epsilon * static_cast<double>(total_size));
    CHECK(std::abs(dot(a, b) - static_cast<double>(product)) <=
          additions * epsilon * static_cast<double>(product_size));
  }
}

TEST_CASE("reductions of empty vectors are neutral, and sizes must agree", "[numeric]") {
  CHECK(sum(Vector()) == 0.0);
  CHECK(dot(Vector(), Vector()) == 0.0);
  CHECK(max(Vector()) == -infinity);
  CHECK(max(vector({-3, -1, -2})) == -1.0);
  CHECK(max(vector({-infinity, 5, 5, infinity})) == infinity);
  CHECK_INVALID(dot(Vector::Ones(3), Vector::Ones(4)));
  CHECK_INVALID(multiply(Matrix::Ones(2, 3), Vector::Ones(2)));
  CHECK_INVALID(multiply_transposed(Matrix::Ones(2, 3), Vector::Ones(3)));
  const std::string message =
      testing::message_of<std::invalid_argument>([] { dot(Vector::Ones(3), Vector::Ones(4)); });
  CHECK(message.find('3') != std::string::npos);
  CHECK(message.find('4') != std::string::npos);
}

TEST_CASE("matrix-vector products agree with Eigen", "[numeric]") {
  Rng rng(7, "numeric_test products");
  for (int trial = 0; trial < 50; ++trial) {
    const auto k = below(rng, 30), d = below(rng, 40);
    const Matrix m = normal_matrix(rng, k, d);
    const Vector v = normal_vector(rng, d), p = normal_vector(rng, k);
    // Sums of at most 40 products of size about 1: 1e-13 is 100 times their rounding error.
    CHECK(distance(multiply(m, v), Vector(m * v)) < 1e-13);
    CHECK(distance(multiply_transposed(m, p), Vector(m.transpose() * p)) < 1e-13);
  }
}

TEST_CASE("scaled_difference does not overflow", "[numeric]") {
  CHECK(scaled_difference(3, 1, 4) == 0.5);
  CHECK(scaled_difference(1e308, -1e308, 1e300) == 2e8);
  CHECK(scaled_difference(-1e308, 1e308, 1e308) == -2);
  CHECK(scaled_difference(1e308, -1e308, 1) == infinity);
  CHECK(scaled_difference(1e-300, 1e-300, 1e-300) == 0);
}

TEST_CASE("centred_product equals its matrix times the vector", "[numeric]") {
  Rng rng(21, "numeric_test centred");
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = 1 + below(rng, 40);
    const Vector v = normal_vector(rng, n);
    Vector w(n);
    for (double& x : w) x = rng.below(3) == 0 ? 0.0 : 5 * rng.uniform();
    const double total = w.sum();
    const Vector expected = w.array() * v.array() - w.array() * (total > 0 ? w.dot(v) / total : 0.0);
    CHECK(distance(centred_product(w, v), expected) < 1e-13);  // 40 terms of size 15
  }
  CHECK(centred_product(Vector(), Vector()).size() == 0);
  CHECK(centred_product(Vector::Zero(2), Vector::Ones(2)) == Vector(Vector::Zero(2)));
  // If one weight has nearly the whole sum, w1 w2/(w1 + w2) (v1 - v2) is accurate, but 1 - w1/(w1 + w2) is not.
  const Vector small = centred_product(vector({1, 1e-20}), vector({3, 1}));
  CHECK(distance(small, vector({2e-20, -2e-20})) < 1e-34);
  CHECK_INVALID(centred_product(Vector::Ones(2), Vector::Ones(3)));
}

TEST_CASE("the product of a row does not depend on other rows", "[numeric]") {
  Rng rng(8, "numeric_test rows");
  const Matrix m = normal_matrix(rng, 9, 37);
  const Vector v = normal_vector(rng, 37);
  const Vector all = multiply(m, v);
  for (Index i = 0; i < m.rows(); ++i) {
    const Matrix alone = m.row(i);
    CHECK(bits_of(multiply(alone, v)[0]) == bits_of(all[i]));
  }
}

TEST_CASE("tanh has the documented error, and saturates at 1", "[numeric]") {
  Rng rng(11, "numeric_test tanh");
  double worst = 0;
  const auto visit = [&](double x) {
    worst = std::max(worst, relative_error(tanh(x), std::tanh(static_cast<long double>(x))));
    CHECK(tanh(-x) == -tanh(x));
  };
  for (int i = 0; i < 20000; ++i) visit(uniform(rng, 0, 25));
  for (int i = 0; i < 20000; ++i) visit(uniform(rng, 0, 1));
  for (int i = 0; i < 5000; ++i) visit(std::ldexp(rng.uniform(), -static_cast<int>(rng.below(1060))));
  CHECK(worst < 2e-15);  // the documented bound
  for (const double x : {22.0, 400.0, 1e300, infinity}) {
    CHECK(tanh(x) == 1);
    CHECK(tanh(-x) == -1);
  }
  CHECK(bits_of(tanh(-0.0)) == bits_of(-0.0));
  CHECK(tanh(5e-324) == 5e-324);
  CHECK(std::isnan(tanh(nan)));
}

TEST_CASE("power equals repeated multiplication", "[numeric]") {
  CHECK(power(0, 0) == 1);
  CHECK(power(-2, 5) == -32);
  CHECK(power(1.5, 4) == 5.0625);
  CHECK(power(3, 33) == 5559060566555523.0);
  CHECK(power(-1, 4294967295U) == -1);
  CHECK(power(10, 400) == infinity);
  Rng rng(12, "numeric_test power");
  for (int i = 0; i < 2000; ++i) {
    const double x = uniform(rng, -3, 3);
    const auto n = static_cast<unsigned>(rng.below(60));
    long double product = 1;
    for (unsigned k = 0; k < n; ++k) product *= x;
    // Each squaring doubles the error, to at most 60 ulps.
    CHECK(relative_error(power(x, n), product) < 2e-14);
  }
}

TEST_CASE("sine and cosine have the documented error", "[numeric]") {
  Rng rng(13, "numeric_test sine");
  double worst = 0;
  const auto visit = [&](double x) {
    const SineCosine found = sine_cosine(x);
    const auto exact = static_cast<long double>(x);
    worst = std::max({worst, static_cast<double>(std::abs(found.sine - std::sin(exact))),
                      static_cast<double>(std::abs(found.cosine - std::cos(exact)))});
  };
  for (const double size : {1e-9, 1.0, 10.0, 1e3, 1e6, 1e9})
    for (int i = 0; i < 10000; ++i) visit(uniform(rng, -size, size));
  for (int k = -2000; k <= 2000; ++k) visit(k * 0.78539816339744830962);  // boundaries of the quadrants
  CHECK(worst < 4e-16);                                                   // the documented bound
  CHECK(sine_cosine(0).sine == 0);
  CHECK(sine_cosine(0).cosine == 1);
  CHECK(sine_cosine(1e-200).sine == 1e-200);
  for (const double x : {1.1e9, -1.1e9, infinity, nan}) CHECK_INVALID(sine_cosine(x));
}

TEST_CASE("erf and erfc have the documented error", "[numeric]") {
  double worst = 0, worst_complement = 0;
  for (int i = -30000; i <= 30000; ++i) {
    const double x = i * 0.0009173;
    worst = std::max(worst, relative_error(erf(x), std::erf(static_cast<long double>(x))));
    if (x < 26.5)
      worst_complement =
          std::max(worst_complement, relative_error(erfc(x), std::erfc(static_cast<long double>(x))));
  }
  CHECK(worst < 4e-15);  // the documented bound
  CHECK(worst_complement < 4e-15);
  CHECK(erf(0) == 0);
  CHECK(erf(1e-300) == 1e-300 * 2 / std::sqrt(3.14159265358979323846));
  CHECK(erf(infinity) == 1);
  CHECK(erf(-infinity) == -1);
  CHECK(erfc(infinity) == 0);
  CHECK(erfc(-infinity) == 2);
  CHECK(std::isnan(erf(nan)));
  CHECK(std::isnan(erfc(nan)));
}

// The matrix product by its definition.
Matrix slow_product(const Matrix& a, const Matrix& b) {
  Matrix c(a.rows(), b.cols());
  for (Index i = 0; i < c.rows(); ++i)
    for (Index j = 0; j < c.cols(); ++j) {
      double sum = 0;
      for (Index k = 0; k < a.cols(); ++k) sum += a(i, k) * b(k, j);
      c(i, j) = sum;
    }
  return c;
}

}  // namespace

TEST_CASE("a matrix product has the same bits as its definition, inside and outside of blocks",
          "[matrix_product]") {
  Rng rng(5, "matrix product");
  for (Index m = 0; m <= 9; ++m)
    for (Index n = 0; n <= 9; ++n)
      for (const Index k : {0, 1, 3, 8, 33}) {
        const Matrix a = normal_matrix(rng, m, k), b = normal_matrix(rng, k, n);
        const Matrix found = product(a, b), wanted = slow_product(a, b);
        REQUIRE((found.rows() == m && found.cols() == n));
        REQUIRE((found.array() == wanted.array()).all());
      }
}

TEST_CASE("a matrix product handles huge, tiny and missing numbers", "[matrix_product]") {
  Matrix a(1, 3), b(3, 2);
  a << 1e200, 1e-300, -1e200;
  b << 1e100, nan, 1e-300, 0, 1e100, 0;
  const Matrix c = product(a, b);
  CHECK(c(0, 0) == 0);  // 1e300 + 0 - 1e300
  CHECK(std::isnan(c(0, 1)));
}

TEST_CASE("a matrix product rejects factors of different sizes", "[matrix_product]") {
  CHECK_INVALID(product(Matrix::Zero(2, 3), Matrix::Zero(2, 3)));
}

}  // namespace engram::core
