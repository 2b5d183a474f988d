// SPDX-License-Identifier: MIT
#include "core/embeddings/embedding.hpp"

#include <numbers>
#include <numeric>

#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// Symmetric weights in (0, 1). Pairs and self loops are linked with the probability 1/sparsity.
Matrix random_weights(Rng& rng, Index n, std::uint64_t sparsity) {
  Matrix w = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j)
      if (rng.below(sparsity) == 0) w(i, j) = w(j, i) = rng.uniform();
  return w;
}

// Reference implementation of random-walk positions with dense matrices.
Matrix walk_oracle(const Matrix& w, Index steps) {
  Matrix p = w, power = Matrix::Identity(w.rows(), w.rows()), back(w.rows(), steps);
  for (Index i = 0; i < w.rows(); ++i)
    if (const double degree = w.row(i).sum(); degree > 0) p.row(i) /= degree;
  for (Index k = 0; k < steps; ++k) {
    power = power * p;
    back.col(k) = power.diagonal();
  }
  return back;
}
Matrix laplacian_oracle(const Matrix& w) { return Matrix(w.rowwise().sum().asDiagonal()) - w; }
Matrix normalised_oracle(const Matrix& w) {
  const Vector d = w.rowwise().sum();
  Matrix l = Matrix::Zero(w.rows(), w.rows());
  for (Index i = 0; i < w.rows(); ++i)
    for (Index j = 0; j < w.rows(); ++j)
      if (d[i] > 0 && d[j] > 0) l(i, j) = (i == j ? 1.0 : 0.0) - w(i, j) / std::sqrt(d[i] * d[j]);
  return l;
}

// Element (i, j) of w becomes element (p(i), p(j)) of the result.
Matrix permuted(const Matrix& w, const std::vector<std::uint32_t>& p) {
  Matrix out(w.rows(), w.cols());
  for (Index i = 0; i < w.rows(); ++i)
    for (Index j = 0; j < w.cols(); ++j)
      out(p[static_cast<std::size_t>(i)], p[static_cast<std::size_t>(j)]) = w(i, j);
  return out;
}

Matrix cycle(Index n) {
  Matrix w = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) w(i, (i + 1) % n) = w((i + 1) % n, i) = 1;
  return w;
}

TEST_CASE("return probabilities are the diagonals of the powers of P", "[positions]") {
  Rng rng(1, "positions_test walk");
  for (int trial = 0; trial < 12; ++trial) {
    const Matrix w = random_weights(rng, 1 + trial, 3);
    CHECK(distance(random_walk_positions(sparse(w), 7), walk_oracle(w, 7)) < 1e-15 * 8);
  }
  // The positions also match for directed links.
  const Matrix directed = normal_matrix(rng, 6, 6).cwiseAbs();
  CHECK(distance(random_walk_positions(sparse(directed), 5), walk_oracle(directed, 5)) < 1e-15 * 8);
}

TEST_CASE("return probabilities computed by hand", "[positions]") {
  Matrix w = Matrix::Zero(4, 4);
  w(0, 1) = w(1, 0) = 3;  // a pair, a node with only a loop, an isolated node
  w(2, 2) = 0.1;
  const Matrix expected{{0, 1, 0}, {0, 1, 0}, {1, 1, 1}, {0, 0, 0}};
  CHECK(random_walk_positions(sparse(w), 3) == expected);
  CHECK(random_walk_positions(sparse(w), 0).cols() == 0);
  CHECK(random_walk_positions(SparseRows(0), 3).rows() == 0);
  // On a ring of 5 nodes no walk returns to its start in 3 steps. Two of the 2^5 walks of 5 steps return.
  const Matrix ring = random_walk_positions(sparse(cycle(5)), 5);
  for (Index i = 0; i < 5; ++i)
    CHECK(distance(Vector(ring.row(i)), vector({0, 0.5, 0, 0.375, 0.0625})) < 1e-16);
}

TEST_CASE("scaling the weights does not change return probabilities", "[positions]") {
  Rng rng(2, "positions_test scale");
  const Matrix w = random_weights(rng, 9, 3);
  const Matrix expected = walk_oracle(w, 6), normal = normalised_oracle(w);
  for (const double scale : {1e-300, 1e4, 1e300}) {
    const SparseRows scaled = sparse(w * scale);
    CHECK(distance(random_walk_positions(scaled, 6), expected) < 1e-14);
    CHECK(distance(normalised_laplacian(scaled).dense(), normal) < 1e-14);
  }
  Matrix pair = Matrix::Zero(2, 2);
  pair(0, 1) = pair(1, 0) = std::numeric_limits<double>::denorm_min();
  CHECK(random_walk_positions(sparse(pair), 2) == Matrix{{0, 1}, {0, 1}});
  CHECK(distance(normalised_laplacian(sparse(pair)).dense(), Matrix{{1, -1}, {-1, 1}}) < 1e-15);
  const Matrix full = Matrix::Constant(2, 2, 1.7e308);  // degrees overflow, but the walk is defined
  CHECK(random_walk_positions(sparse(full), 1) == Matrix::Constant(2, 1, 0.5));
  CHECK_INVALID(laplacian(sparse(full)));
  CHECK_INVALID(normalised_laplacian(sparse(full)));
}

TEST_CASE("both Laplacians equal their definitions", "[positions]") {
  Rng rng(3, "positions_test laplacians");
  for (int trial = 0; trial < 12; ++trial) {
    const Matrix w = random_weights(rng, 1 + trial, 3);
    const SparseRows links = sparse(w);
    CHECK(distance(laplacian(links).dense(), laplacian_oracle(w)) < 1e-15 * 8);
    CHECK(distance(normalised_laplacian(links).dense(), normalised_oracle(w)) < 1e-15 * 4);
    const Matrix l = normalised_laplacian(links).dense();
    CHECK(l == Matrix(l.transpose()));
    const Vector values = eigenvalues(l);
    CHECK(values.minCoeff() > -1e-14);
    CHECK(values.maxCoeff() < 2 + 1e-14);
  }
  // A weight of 0 is no link.
  SparseRows links(2);
  const std::vector<std::uint32_t> one{1}, zero{0};
  const std::vector<double> nothing{0.0};
  links.push_row(one, nothing);
  links.push_row(zero, nothing);
  CHECK(connected_components(laplacian(links)) == std::vector<std::uint32_t>{0, 1});
  CHECK(normalised_laplacian(links).dense() == Matrix::Zero(2, 2));
  CHECK(random_walk_positions(links, 2) == Matrix::Zero(2, 2));
}

TEST_CASE("Laplacian positions are the first eigenvectors after the constant ones", "[positions]") {
  Rng rng(4, "positions_test eigenvectors");
  for (const bool normalised : {true, false})
    for (int trial = 0; trial < 10; ++trial) {
      const Matrix w = random_weights(rng, 8 + trial, 4);
      const SparseRows links = sparse(w);
      const Matrix l = normalised ? normalised_oracle(w) : laplacian_oracle(w);
      std::vector<std::uint32_t> roots = connected_components(links);
      std::ranges::sort(roots);
      const auto components = std::unique(roots.begin(), roots.end()) - roots.begin();
      const Eigenpairs found = laplacian_positions(links, 4, normalised);
      const Vector all = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(l).eigenvalues();
      const Index count = std::min<Index>(4, w.rows() - components);
      REQUIRE(found.values.size() == count);
      CHECK(distance(found.values, Vector(all.segment(components, count))) < 1e-13);
      CHECK(distance(Matrix(l * found.vectors), Matrix(found.vectors * found.values.asDiagonal())) < 1e-13);
      CHECK(distance(Matrix(found.vectors.transpose() * found.vectors),
                     Matrix(Matrix::Identity(count, count))) < 1e-13);
    }
}

TEST_CASE("permuting the nodes permutes positions and eigenspaces", "[positions]") {
  Rng rng(5, "positions_test permutation");
  for (int trial = 0; trial < 8; ++trial) {
    // The eigenvalues of a ring have multiplicity two, so only their eigenspaces are unique.
    const Matrix w = trial < 4 ? random_weights(rng, 12, 3) : cycle(7 + trial);
    const auto p = rng.permutation(static_cast<std::uint32_t>(w.rows()));
    const Matrix moved = permuted(w, p);
    const Matrix walk = random_walk_positions(sparse(w), 6),
                 moved_walk = random_walk_positions(sparse(moved), 6);
    for (Index i = 0; i < w.rows(); ++i)
      CHECK(distance(Matrix(moved_walk.row(p[static_cast<std::size_t>(i)])), Matrix(walk.row(i))) <
            1e-15 * 4);
    const Eigenpairs a = laplacian_positions(sparse(w), 4), b = laplacian_positions(sparse(moved), 4);
    CHECK(distance(a.values, b.values) < 1e-13);
    if (a.values.size() == 4 && trial >= 4)
      CHECK(distance(permuted(a.vectors * a.vectors.transpose(), p),
                     Matrix(b.vectors * b.vectors.transpose())) < 1e-12);
  }
}

TEST_CASE("positions reject invalid graphs", "[positions]") {
  const auto refused = [](const Matrix& w) {
    const SparseRows links = sparse(w);
    CHECK_INVALID(random_walk_positions(links, 2));
    CHECK_INVALID(laplacian(links));
    CHECK_INVALID(normalised_laplacian(links));
    CHECK_INVALID(laplacian_positions(links, 2));
  };
  refused(Matrix::Ones(2, 3));
  refused(Matrix::Constant(2, 2, -1));
  refused(Matrix::Constant(2, 2, infinity));
  refused(Matrix::Constant(2, 2, nan));
  CHECK_INVALID(random_walk_positions(sparse(Matrix::Ones(2, 2)), -1));
}

}  // namespace
}  // namespace engram::core
