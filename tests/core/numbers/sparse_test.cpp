// SPDX-License-Identifier: MIT
#include "core/numbers/numeric.hpp"
#include "core/numbers/ranking.hpp"
#include "core/numbers/sparse_rows.hpp"
#include "core/numbers/sparse_vector.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// A random matrix. A third of its entries are nonzero, so small ones often have empty rows and columns.
Matrix random_sparse(Rng& rng, Index rows, Index columns) {
  Matrix m = Matrix::Zero(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j)
      if (rng.below(3) == 0) m(i, j) = normal(rng);
  return m;
}

using Columns = std::vector<std::uint32_t>;
using Values = std::vector<double>;

TEST_CASE("sparse rows return the pushed entries", "[sparse_rows]") {
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
  CHECK(rows.row_dot(2, vector({3, 0, 0, 0, 0})) == 24);
  CHECK(rows.row_dot(0, vector({9, 2, 9, 9, 3})) == 2);
}

TEST_CASE("an invalid row is rejected and leaves the matrix unchanged", "[sparse_rows]") {
  SparseRows rows(3);
  rows.push_row(Columns{0, 2}, Values{1, 2});
  CHECK_INVALID(rows.push_row(Columns{0}, Values{1, 2}));
  CHECK_INVALID(rows.push_row(Columns{0, 1}, Values{1}));
  CHECK_INVALID(rows.push_row(Columns{2, 1}, Values{1, 2}));
  CHECK_INVALID(rows.push_row(Columns{1, 1}, Values{1, 2}));
  CHECK_INVALID(rows.push_row(Columns{0, 3}, Values{1, 2}));
  CHECK_INVALID(SparseRows(0).push_row(Columns{0}, Values{1}));
  CHECK(rows.rows() == 1);
  CHECK(rows.entries() == 2);
  CHECK(dense(rows) == Matrix{{1, 0, 2}});
}

TEST_CASE("sparse products agree with the dense matrix", "[sparse_rows]") {
  Rng rng(1, "sparse_rows_test products");
  for (int trial = 0; trial < 100; ++trial) {
    const auto p = below(rng, 20), n = below(rng, 20);
    const Matrix m = random_sparse(rng, p, n);
    const SparseRows rows = sparse(m);
    const Vector x = normal_vector(rng, n), y = normal_vector(rng, p);
    // At most 20 products of size about 1: 1e-14 is more than 10 times their rounding error.
    CHECK(distance(rows.multiply(x), Vector(m * x)) < 1e-14);
    CHECK(distance(rows.multiply_transposed(y), Vector(m.transpose() * y)) < 1e-14);
    for (Index i = 0; i < p; ++i) CHECK(rows.row_dot(i, x) == rows.multiply(x)[i]);
  }
}

TEST_CASE("sparse products add in the order of rows, then columns", "[sparse_rows]") {
  Rng rng(2, "sparse_rows_test order");
  const Matrix m = random_sparse(rng, 40, 30);
  const SparseRows rows = sparse(m);
  const Vector x = normal_vector(rng, 30), y = normal_vector(rng, 40);
  Vector forward = Vector::Zero(40), backward = Vector::Zero(30);
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 30; ++j) {  // adding 0 does not change a sum
      forward[i] += m(i, j) * x[j];
      backward[j] += m(i, j) * y[i];
    }
  CHECK(rows.multiply(x) == forward);
  CHECK(rows.multiply_transposed(y) == backward);
}

TEST_CASE("the sparse transpose equals the dense one and has ascending columns", "[sparse_rows]") {
  Rng rng(3, "sparse_rows_test transpose");
  for (int trial = 0; trial < 50; ++trial) {
    const auto p = below(rng, 12), n = below(rng, 12);
    const Matrix m = random_sparse(rng, p, n);
    const SparseRows transposed = sparse(m).transposed();
    CHECK(distance(dense(transposed), Matrix(m.transpose())) == 0);
    bool ascending = true;
    for (Index i = 0; i < transposed.rows(); ++i)
      for (std::size_t k = 1; k < transposed.columns_of(i).size(); ++k)
        ascending = ascending && transposed.columns_of(i)[k - 1] < transposed.columns_of(i)[k];
    CHECK(ascending);
    CHECK(distance(dense(transposed.transposed()), m) == 0);
  }
}

TEST_CASE("products with a matrix without rows or columns are 0", "[sparse_rows]") {
  CHECK(SparseRows(4).multiply(Vector::Ones(4)).size() == 0);
  CHECK(SparseRows(4).multiply_transposed(Vector()) == Vector::Zero(4));
  CHECK(SparseRows(4).transposed().rows() == 4);
  SparseRows narrow(0);
  narrow.push_row(Columns{}, Values{});
  CHECK(narrow.multiply(Vector()) == Vector::Zero(1));
  CHECK(narrow.transposed().rows() == 0);
}

TEST_CASE("sparse products reject vectors of another size", "[sparse_rows]") {
  SparseRows rows(3);
  rows.push_row(Columns{0}, Values{1});
  CHECK_INVALID(rows.multiply(Vector::Ones(2)));
  CHECK_INVALID(rows.multiply_transposed(Vector::Ones(3)));
}

// Equal numbers as a dense vector and as entries; some stored entries are 0.
struct Both {
  Vector whole;
  SparseVector sparse;
};

Both some(Rng& rng, Index size, double share) {
  Both both{Vector::Zero(size), {}};
  std::vector<SparseVector::Entry> entries;
  for (Index i = 0; i < size; ++i)
    if (rng.uniform() < share) {
      both.whole[i] = rng.below(5) == 0 ? 0 : std::round(normal(rng) * 8) / 7;
      entries.emplace_back(static_cast<std::uint32_t>(i), both.whole[i]);
    }
  both.sparse = {size, std::move(entries)};
  return both;
}

TEST_CASE("a sparse vector has the same bits as the dense one", "[numbers]") {
  Rng rng(1, "sparse vectors");
  for (int trial = 0; trial < 300; ++trial) {
    const auto size = below(rng, 70);
    const auto [whole, sparse] = some(rng, size, rng.uniform());
    const auto [other, sparse_other] = some(rng, size, rng.uniform());
    CHECK(sparse.size() == size);
    CHECK(sparse.whole() == whole);
    CHECK(sparse == whole);
    CHECK(SparseVector(whole) == sparse);
    for (Index i = 0; i < size; ++i) CHECK(sparse[i] == whole[i]);
    CHECK(sum(sparse) == sum(whole));
    CHECK(dot(sparse, sparse_other) == dot(whole, other));
    CHECK(max(sparse) == max(whole));
    CHECK(sparse.any_above_zero() == (whole.array() > 0).any());
    CHECK(sparse * 0.3 == Vector(whole * 0.3));
    CHECK(sparse / 3.0 == Vector(whole / 3.0));
    for (const std::size_t capacity : {0U, 1U, 3U, 100U})
      CHECK(rank(sparse, capacity) == rank(whole, capacity));
  }
}

TEST_CASE("rank returns the first entries of the sorted scores", "[numbers]") {
  Rng rng(2, "rankings");
  for (int trial = 0; trial < 200; ++trial) {
    const Vector scores = some(rng, below(rng, 60), 0.8).whole;
    std::vector<std::uint32_t> expected;
    for (Index i = 0; i < scores.size(); ++i)
      if (scores[i] > 0) expected.push_back(static_cast<std::uint32_t>(i));
    std::ranges::stable_sort(expected,
                             [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
    const std::size_t capacity = rng.below(20);
    expected.resize(std::min(capacity, expected.size()));
    CHECK(rank(scores, capacity) == expected);
  }
}

TEST_CASE("a sparse vector rejects entries out of order or range", "[numbers]") {
  CHECK_INVALID(SparseVector(2, {{2, 1.0}}));
  CHECK_INVALID(SparseVector(3, {{1, 1.0}, {1, 1.0}}));
  CHECK_INVALID(SparseVector(3, {{1, 1.0}, {0, 1.0}}));
  CHECK_INVALID(dot(SparseVector::zero(2), SparseVector::zero(3)));
}

TEST_CASE("sparse sums add in the order of the calls", "[numbers]") {
  Rng rng(3, "sparse sums");
  for (int trial = 0; trial < 50; ++trial) {
    Vector expected = Vector::Zero(5000);
    std::vector<bool> met(5000);
    SparseSums sums;
    for (int k = 0; k < 300; ++k) {
      const auto id = static_cast<std::uint32_t>(rng.below(trial % 2 == 0 ? 40 : 5000));
      const double x = normal(rng);
      expected[id] += x;
      met[id] = true;
      sums.add(id, x);
      CHECK(sums[id] == expected[id]);
    }
    CHECK(SparseVector(5000, sums.ascending()) == expected);
    CHECK(sums.ascending().size() == static_cast<std::size_t>(std::ranges::count(met, true)));
  }
}

}  // namespace
}  // namespace engram::core
