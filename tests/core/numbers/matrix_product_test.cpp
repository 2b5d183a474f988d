// SPDX-License-Identifier: MIT
#include "core/numbers/matrix_product.hpp"

#include <cmath>
#include <stdexcept>

#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

// By the definition, one element after another.
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

TEST_CASE("a product is the chain of sums of its definition, bit by bit, in blocks or beside them",
          "[core][matrix_product]") {
  Rng rng(5, "matrix product");
  for (Index m = 0; m <= 9; ++m)
    for (Index n = 0; n <= 9; ++n)
      for (const Index k : {0, 1, 3, 8, 33}) {
        const Matrix a = samples::normal_matrix(rng, m, k), b = samples::normal_matrix(rng, k, n);
        const Matrix found = product(a, b), wanted = slow_product(a, b);
        REQUIRE((found.rows() == m && found.cols() == n));
        REQUIRE((found.array() == wanted.array()).all());
      }
}

TEST_CASE("a product of huge, tiny and missing numbers is the plain one", "[core][matrix_product]") {
  Matrix a(1, 3), b(3, 2);
  a << 1e200, 1e-300, -1e200;
  b << 1e100, samples::nan, 1e-300, 0, 1e100, 0;
  const Matrix c = product(a, b);
  CHECK(c(0, 0) == 0);  // 1e300 + 0 - 1e300
  CHECK(std::isnan(c(0, 1)));
}

TEST_CASE("factors that do not fit are refused", "[core][matrix_product]") {
  CHECK_THROWS_AS(product(Matrix::Zero(2, 3), Matrix::Zero(2, 3)), std::invalid_argument);
}

}  // namespace engram::core
