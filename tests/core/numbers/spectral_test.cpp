// SPDX-License-Identifier: MIT
#include "core/numbers/spectral.hpp"

#include <Eigen/Eigenvalues>
#include <numbers>

#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

constexpr double pi = std::numbers::pi;

Matrix random_symmetric(Rng& rng, Index n) {
  const Matrix m = normal_matrix(rng, n, n);
  return m + m.transpose();
}

// A ring with random chords: connected, n rows, entries in (0, 1).
Matrix random_graph(Rng& rng, Index n, int chords) {
  Matrix a = Matrix::Zero(n, n);
  const auto join = [&](Index i, Index j) {
    if (i != j) a(i, j) = a(j, i) = rng.uniform();
  };
  for (Index i = 0; i < n; ++i) join(i, (i + 1) % n);
  for (int c = 0; c < chords; ++c) join(below(rng, n), below(rng, n));
  return a;
}

Matrix laplacian_of(const Matrix& a) { return Matrix(a.rowwise().sum().asDiagonal()) - a; }

// Checks that vectors have length 1, are orthogonal, and satisfy M u = lambda u and the sign rule.
void check_pairs(const Matrix& m, const Eigenpairs& pairs, double tolerance) {
  const Matrix& u = pairs.vectors;
  REQUIRE(u.rows() == m.rows());
  REQUIRE(u.cols() == pairs.values.size());
  const double norm = m.cwiseAbs().rowwise().sum().maxCoeff();
  CHECK(distance(Matrix(u.transpose() * u), Matrix(Matrix::Identity(u.cols(), u.cols()))) < tolerance);
  CHECK(distance(Matrix(m * u), Matrix(u * pairs.values.asDiagonal())) <= tolerance * norm);
  for (Index k = 0; k < u.cols(); ++k) {
    const double largest = u.col(k).cwiseAbs().maxCoeff();
    Index first = 0;
    while (std::abs(u(first, k)) < largest * (1 - 1e-8)) ++first;
    CHECK(u(first, k) > 0);
  }
}

// Eigenvalues by Eigen's solver with doubles.
Vector eigen_values(const Matrix& m) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m, Eigen::EigenvaluesOnly).eigenvalues();
}

TEST_CASE("eigenpairs of small matrices computed by hand", "[spectral]") {
  const Matrix m{{2, 1}, {1, 2}};
  const Eigenpairs pairs = eigenpairs(m);
  CHECK(distance(pairs.values, vector({1, 3})) < 1e-15 * 4);
  const double half = std::sqrt(0.5);
  Matrix expected(2, 2);
  expected << half, half, -half, half;  // the first of the largest components is positive
  CHECK(distance(pairs.vectors, expected) < 1e-15 * 4);
  CHECK(distance(eigenvalues(m), pairs.values) < 1e-15 * 4);

  const Matrix one = Matrix::Constant(1, 1, -7.0);
  CHECK(eigenvalues(one) == vector({-7}));
  CHECK(eigenpairs(one).values == vector({-7}));
  CHECK(eigenpairs(one).vectors == Matrix::Ones(1, 1));
  CHECK(eigenvalues(Matrix(0, 0)).size() == 0);
  CHECK(eigenpairs(Matrix(0, 0)).vectors.size() == 0);
  CHECK(eigenvalues(Matrix::Zero(4, 4)) == Vector::Zero(4));
  check_pairs(Matrix::Zero(4, 4), eigenpairs(Matrix(Matrix::Zero(4, 4))), 1e-15);
  check_pairs(Matrix::Identity(5, 5), eigenpairs(Matrix(Matrix::Identity(5, 5))), 1e-15);
}

TEST_CASE("dense eigenpairs agree with Eigen's solver", "[spectral]") {
  Rng rng(1, "spectral_test dense");
  for (const Index n : {2, 3, 4, 7, 20, 49, 90}) {
    const Matrix m = random_symmetric(rng, n);
    const Eigenpairs pairs = eigenpairs(m);
    const double norm = m.cwiseAbs().rowwise().sum().maxCoeff();
    CHECK(distance(pairs.values, eigen_values(m)) < 1e-14 * norm);
    CHECK(distance(eigenvalues(m), eigen_values(m)) < 1e-14 * norm);
    check_pairs(m, pairs, 1e-13);
    CHECK(eigenpairs(m).vectors == pairs.vectors);
  }
}

TEST_CASE("eigenvalues of huge and tiny matrices are right", "[spectral]") {
  Rng rng(2, "spectral_test scale");
  const Matrix m = random_symmetric(rng, 12);
  const Vector values = eigen_values(m);
  for (const double scale : {1e-300, 1e-160, 1e160, 1e300}) {
    CHECK(distance(Vector(eigenvalues(Matrix(m * scale)) / scale), values) < 1e-13);
    CHECK(distance(Vector(eigenpairs(Matrix(m * scale)).values / scale), values) < 1e-13);
    const Eigenpairs sparse = eigenpairs(samples::sparse(m * scale), 3, SpectrumEnd::largest);
    CHECK(distance(Vector(sparse.values / scale), Vector(values.tail(3).reverse())) < 1e-13);
  }
}

TEST_CASE("spectra of the path, the cycle, the star and the complete graph are right", "[spectral]") {
  for (const Index n : {2, 3, 5, 8, 30}) {
    Matrix path = Matrix::Zero(n, n), cycle = path, star = path;
    for (Index i = 0; i + 1 < n; ++i) path(i, i + 1) = path(i + 1, i) = 1;
    cycle = path;
    if (n > 2) cycle(0, n - 1) = cycle(n - 1, 0) = 1;
    for (Index i = 1; i < n; ++i) star(0, i) = star(i, 0) = 1;
    const Matrix complete = Matrix::Ones(n, n) - Matrix::Identity(n, n);
    const auto nn = static_cast<double>(n);
    Vector of_path(n), of_cycle(n), of_star = Vector::Ones(n), of_complete = Vector::Constant(n, nn);
    for (Index k = 0; k < n; ++k) {
      const auto kk = static_cast<double>(k);
      of_path[k] = 2 - 2 * std::cos(pi * kk / nn);
      of_cycle[k] = 2 - 2 * std::cos(2 * pi * kk / nn);
    }
    std::sort(of_cycle.begin(), of_cycle.end());
    of_star[0] = of_complete[0] = 0;
    of_star[n - 1] = nn;
    const double tolerance = 1e-14 * nn;
    CHECK(distance(eigenvalues(laplacian_of(path)), of_path) < tolerance);
    if (n > 2) CHECK(distance(eigenvalues(laplacian_of(cycle)), of_cycle) < tolerance);
    CHECK(distance(eigenvalues(laplacian_of(star)), of_star) < tolerance);
    CHECK(distance(eigenvalues(laplacian_of(complete)), of_complete) < tolerance);
  }
}

TEST_CASE("both ends of a sparse spectrum agree with the dense one", "[spectral]") {
  Rng rng(3, "spectral_test sparse");
  for (const Index n : {1, 2, 9, 100, static_cast<int>(max_dense_size) + 80}) {
    Matrix m = random_graph(rng, n, static_cast<int>(4 * n));
    for (Index i = 0; i < n; ++i) m(i, i) = normal(rng);
    const Vector all = eigen_values(m);
    for (const Index count : {1, 6, 40}) {
      const Index k = std::min(count, n);
      const Eigenpairs low = eigenpairs(samples::sparse(m), count, SpectrumEnd::smallest);
      const Eigenpairs high = eigenpairs(samples::sparse(m), count, SpectrumEnd::largest);
      INFO(n << ' ' << count);
      CHECK(low.converged);
      CHECK(high.converged);
      CHECK(distance(low.values, Vector(all.head(k))) < 1e-11);
      CHECK(distance(high.values, Vector(all.tail(k).reverse())) < 1e-11);
      check_pairs(m, low, 1e-10);
      check_pairs(m, high, 1e-10);
    }
  }
}

TEST_CASE("no copy of a multiple eigenvalue of a large matrix is missed", "[spectral]") {
  // In a star of equal paths (arms), every eigenvalue has the multiplicity arms - 1, except those of symmetric
  // eigenvectors. A single Lanczos run finds each eigenvalue once.
  constexpr Index arms = 9, length = 50, n = arms * length + 1;
  static_assert(n > max_dense_size);
  Matrix a = Matrix::Zero(n, n);
  const auto join = [&](Index i, Index j) { a(i, j) = a(j, i) = 1; };
  for (Index arm = 0; arm < arms; ++arm) {
    join(0, 1 + arm * length);
    for (Index i = 1; i < length; ++i) join(arm * length + i, arm * length + i + 1);
  }
  const Matrix l = laplacian_of(a);
  const Vector all = eigen_values(l);
  for (const Index count : {5, 30}) {
    const Eigenpairs low = eigenpairs(samples::sparse(l), count, SpectrumEnd::smallest);
    CHECK(low.converged);
    CHECK(distance(low.values, Vector(all.head(count))) < 1e-11);
    check_pairs(l, low, 1e-9);
    const Eigenpairs high = eigenpairs(samples::sparse(l), count, SpectrumEnd::largest);
    CHECK(distance(high.values, Vector(all.tail(count).reverse())) < 1e-11);
    check_pairs(l, high, 1e-9);
  }
  // The Laplacian of a star has the eigenvalues 0 and n, and 1 in all other places. For a complete graph
  // they are 0, and n in all other places.
  Matrix star = Matrix::Zero(400, 400);
  star.row(0).setOnes();
  star.col(0).setOnes();
  star(0, 0) = 0;
  const Eigenpairs ones = eigenpairs(samples::sparse(laplacian_of(star)), 60, SpectrumEnd::smallest);
  REQUIRE(ones.values.size() == 60);
  CHECK(std::abs(ones.values[0]) < 1e-11);
  CHECK(distance(Vector(ones.values.tail(59)), Vector(Vector::Ones(59))) < 1e-11);
  check_pairs(laplacian_of(star), ones, 1e-9);
}

TEST_CASE("components are solved separately, and `skip` drops the first pairs of each", "[spectral]") {
  // The components are {0, 3, 6}, {1, 4}, {2} and {5}. Row 5 has only a diagonal entry.
  Matrix m = Matrix::Zero(7, 7);
  const auto join = [&](Index i, Index j) { m(i, j) = m(j, i) = -1; };
  join(0, 3);
  join(3, 6);
  join(1, 4);
  m.diagonal() << 1, 1, 0, 2, 1, 0.5, 1;
  CHECK(connected_components(samples::sparse(m)) == std::vector<std::uint32_t>{0, 1, 2, 0, 1, 5, 0});
  const Eigenpairs low = eigenpairs(samples::sparse(m), 7, SpectrumEnd::smallest);
  CHECK(distance(low.values, vector({0, 0, 0, 0.5, 1, 2, 3})) < 1e-14);
  check_pairs(m, low, 1e-14);
  for (Index k = 0; k < 7; ++k) {  // no eigenvector spans two components
    const bool path = (low.vectors(0, k) != 0) || (low.vectors(3, k) != 0) || (low.vectors(6, k) != 0);
    const bool pair = (low.vectors(1, k) != 0) || (low.vectors(4, k) != 0);
    CHECK(int{path} + int{pair} + int{low.vectors(2, k) != 0} + int{low.vectors(5, k) != 0} == 1);
  }
  const Eigenpairs later = eigenpairs(samples::sparse(m), 7, SpectrumEnd::smallest, 1);
  CHECK(distance(later.values, vector({1, 2, 3})) < 1e-14);
  const Eigenpairs one = eigenpairs(samples::sparse(m), 2, SpectrumEnd::largest, 1);
  CHECK(distance(one.values, vector({1, 0})) < 1e-14);
  CHECK(eigenpairs(samples::sparse(m), 0, SpectrumEnd::largest).values.size() == 0);
  CHECK(eigenpairs(SparseRows(0), 3, SpectrumEnd::largest).values.size() == 0);
}

TEST_CASE("permuting the rows permutes eigenvectors of simple eigenvalues", "[spectral]") {
  Rng rng(4, "spectral_test permutation");
  for (const Index n : {30, static_cast<int>(max_dense_size) + 20}) {
    const Matrix m = random_graph(rng, n, static_cast<int>(3 * n));
    const auto order = rng.permutation(static_cast<std::uint32_t>(n));
    Matrix other(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        other(i, j) = m(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
    const Eigenpairs pairs = eigenpairs(samples::sparse(m), 5, SpectrumEnd::largest);
    const Eigenpairs others = eigenpairs(samples::sparse(other), 5, SpectrumEnd::largest);
    CHECK(distance(pairs.values, others.values) < 1e-12);
    for (Index k = 0; k < 5; ++k) {
      Vector expected(n);
      for (Index i = 0; i < n; ++i) expected[i] = pairs.vectors(order[static_cast<std::size_t>(i)], k);
      const double same = (others.vectors.col(k) - expected).norm();
      CHECK(same < 1e-8);  // a residual of 1e-12 divided by a spectral gap of about 1e-3
    }
  }
}

TEST_CASE("invalid matrices and counts are rejected", "[spectral]") {
  CHECK_INVALID(eigenvalues(Matrix(2, 3)));
  CHECK_INVALID(eigenpairs(Matrix(2, 3)));
  for (const double bad : {nan, infinity}) {
    Matrix m = Matrix::Identity(3, 3);
    m(2, 1) = bad;
    CHECK_INVALID(eigenvalues(m));
    CHECK_INVALID(eigenpairs(m));
    CHECK_INVALID(eigenpairs(samples::sparse(m), 1, SpectrumEnd::largest));
  }
  SparseRows wide(3);
  wide.push_row({}, {});
  CHECK_INVALID(eigenpairs(wide, 1, SpectrumEnd::largest));
  Rng rng(5, "spectral_test refused");
  const SparseRows large = samples::sparse(random_graph(rng, max_dense_size + 1, 10));
  CHECK_INVALID(eigenpairs(large, max_sparse_eigenpairs + 1, SpectrumEnd::largest));
  CHECK_INVALID(eigenpairs(large, -1, SpectrumEnd::largest));
}

}  // namespace
}  // namespace engram::core
