// SPDX-License-Identifier: MIT
#include "core/numbers/sparse_rows.hpp"

#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

// Random matrix with a third of its entries not 0. Small ones often have empty rows and columns.
Matrix random_sparse(Rng& rng, Index rows, Index columns) {
  Matrix m = Matrix::Zero(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j)
      if (rng.below(3) == 0) m(i, j) = samples::normal(rng);
  return m;
}

using Columns = std::vector<std::uint32_t>;
using Values = std::vector<double>;

TEST_CASE("sparse rows return the pushed entries", "[core][sparse_rows]") {
  SparseRows rows(5);
  CHECK(rows.rows() == 0);
  rows.push_row(Columns{1, 4}, Values{2.5, -1});
  rows.push_row(Columns{}, Values{});
  rows.push_row(Columns{0}, Values{7});
  CHECK(rows.rows() == 3);
  CHECK(rows.columns() == 5);
  CHECK(rows.entries() == 3);
  CHECK(Columns(rows.columns_of(0).begin(), rows.columns_of(0).end()) == Columns{1, 4});
  CHECK(rows.values_of(0)[1] == -1);
  CHECK(rows.columns_of(1).empty());
  CHECK(rows.columns_of(2)[0] == 0);
  rows.values_of(2)[0] = 8;
  CHECK(rows.row_dot(2, samples::vector({3, 0, 0, 0, 0})) == 24);
  CHECK(rows.row_dot(0, samples::vector({9, 2, 9, 9, 3})) == 2);
}

TEST_CASE("an invalid row is rejected and leaves the matrix unchanged", "[core][sparse_rows]") {
  SparseRows rows(3);
  rows.push_row(Columns{0, 2}, Values{1, 2});
  CHECK_THROWS_AS(rows.push_row(Columns{0}, Values{1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(rows.push_row(Columns{0, 1}, Values{1}), std::invalid_argument);
  CHECK_THROWS_AS(rows.push_row(Columns{2, 1}, Values{1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(rows.push_row(Columns{1, 1}, Values{1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(rows.push_row(Columns{0, 3}, Values{1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(SparseRows(0).push_row(Columns{0}, Values{1}), std::invalid_argument);
  CHECK(rows.rows() == 1);
  CHECK(rows.entries() == 2);
  CHECK(samples::dense(rows) == (Matrix(1, 3) << 1, 0, 2).finished());
}

TEST_CASE("sparse products agree with the dense matrix", "[core][sparse_rows]") {
  Rng rng(1, "sparse_rows_test products");
  for (int trial = 0; trial < 100; ++trial) {
    const auto p = static_cast<Index>(rng.below(20)), n = static_cast<Index>(rng.below(20));
    const Matrix m = random_sparse(rng, p, n);
    const SparseRows rows = samples::sparse(m);
    const Vector x = samples::normal_vector(rng, n), y = samples::normal_vector(rng, p);
    // At most 20 products of size about 1: 1e-14 is more than 10 times their rounding error.
    CHECK(samples::distance(rows.multiply(x), Vector(m * x)) < 1e-14);
    CHECK(samples::distance(rows.multiply_transposed(y), Vector(m.transpose() * y)) < 1e-14);
    for (Index i = 0; i < p; ++i) CHECK(rows.row_dot(i, x) == rows.multiply(x)[i]);
  }
}

TEST_CASE("sparse products add in the order of rows, then columns", "[core][sparse_rows]") {
  Rng rng(2, "sparse_rows_test order");
  const Matrix m = random_sparse(rng, 40, 30);
  const SparseRows rows = samples::sparse(m);
  const Vector x = samples::normal_vector(rng, 30), y = samples::normal_vector(rng, 40);
  Vector forward = Vector::Zero(40), backward = Vector::Zero(30);
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 30; ++j) {  // adding 0 does not change a sum
      forward[i] += m(i, j) * x[j];
      backward[j] += m(i, j) * y[i];
    }
  CHECK(rows.multiply(x) == forward);
  CHECK(rows.multiply_transposed(y) == backward);
}

TEST_CASE("the sparse transpose equals the dense one and has ascending columns", "[core][sparse_rows]") {
  Rng rng(3, "sparse_rows_test transpose");
  for (int trial = 0; trial < 50; ++trial) {
    const auto p = static_cast<Index>(rng.below(12)), n = static_cast<Index>(rng.below(12));
    const Matrix m = random_sparse(rng, p, n);
    const SparseRows transposed = samples::sparse(m).transposed();
    CHECK(samples::distance(samples::dense(transposed), Matrix(m.transpose())) == 0);
    bool ascending = true;
    for (Index i = 0; i < transposed.rows(); ++i)
      for (std::size_t k = 1; k < transposed.columns_of(i).size(); ++k)
        ascending = ascending && transposed.columns_of(i)[k - 1] < transposed.columns_of(i)[k];
    CHECK(ascending);
    CHECK(samples::distance(samples::dense(transposed.transposed()), m) == 0);
  }
}

TEST_CASE("products with a matrix without rows or columns are 0", "[core][sparse_rows]") {
  CHECK(SparseRows(4).multiply(Vector::Ones(4)).size() == 0);
  CHECK(SparseRows(4).multiply_transposed(Vector()) == Vector::Zero(4));
  CHECK(SparseRows(4).transposed().rows() == 4);
  SparseRows narrow(0);
  narrow.push_row(Columns{}, Values{});
  CHECK(narrow.multiply(Vector()) == Vector::Zero(1));
  CHECK(narrow.transposed().rows() == 0);
}

TEST_CASE("sparse products reject vectors of another size", "[core][sparse_rows]") {
  SparseRows rows(3);
  rows.push_row(Columns{0}, Values{1});
  CHECK_THROWS_AS(rows.multiply(Vector::Ones(2)), std::invalid_argument);
  CHECK_THROWS_AS(rows.multiply_transposed(Vector::Ones(3)), std::invalid_argument);
}

}  // namespace
}  // namespace engram::core
