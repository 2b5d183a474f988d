// SPDX-License-Identifier: MIT
#include "core/embeddings/embedding.hpp"

#include <Eigen/Eigenvalues>

#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

Matrix random_incidence(Rng& rng, Index p, Index n) {
  Matrix a(p, n);
  for (double& x : a.reshaped()) x = rng.below(3) == 0 ? 1.0 : 0.0;
  return a;
}

TEST_CASE("random indexing of one statement is exact", "[embedding]") {
  const Matrix a{{1, 0, 1, 1}};
  for (const Index nonzeros : {1, 2, 8}) {
    const Matrix x = random_indexing(sparse(a), 16, nonzeros, 5);
    REQUIRE(x.rows() == 4);
    REQUIRE(x.cols() == 16);
    CHECK(x.row(1).isZero(0));
    CHECK(x.row(0) == x.row(2));
    CHECK((x.row(0).array() != 0).count() == nonzeros);
    // Entries are +1 or -1 divided by sqrt(nonzeros), so inner products are 1 up to rounding.
    CHECK(distance(Matrix(x * x.transpose()), Matrix(a.transpose() * a)) < 1e-15 * 4);
  }
}

TEST_CASE("random indexing repeats for a seed, and statements have independent vectors", "[embedding]") {
  Rng rng(1, "embedding_test repeat");
  const Matrix a = random_incidence(rng, 12, 9);
  const Matrix x = random_indexing(sparse(a), 64, 6, 3);
  CHECK(random_indexing(sparse(a), 64, 6, 3) == x);
  CHECK(random_indexing(sparse(a), 64, 6, 4) != x);
  // The embedding is additive: X is the sum of the embeddings of two disjoint sets of statements.
  Matrix first = a, last = a;
  first.bottomRows(5).setZero();
  last.topRows(7).setZero();
  const Matrix parts = random_indexing(sparse(first), 64, 6, 3) + random_indexing(sparse(last), 64, 6, 3);
  CHECK(distance(parts, x) < 1e-14);  // rounding
}

TEST_CASE("random indexing estimates the Hebbian graph without bias", "[embedding]") {
  Rng rng(2, "embedding_test unbiased");
  constexpr int seeds = 600;
  constexpr Index dimensions = 32;
  const Matrix a = random_incidence(rng, 8, 6);
  const Matrix truth = a.transpose() * a;
  for (const Index nonzeros : {4, 32}) {
    Matrix mean = Matrix::Zero(6, 6), squares = Matrix::Zero(6, 6);
    for (int seed = 0; seed < seeds; ++seed) {
      const Matrix x = random_indexing(sparse(a), dimensions, nonzeros, static_cast<std::uint64_t>(seed));
      const Matrix error = x * x.transpose() - truth;
      mean += error / seeds;
      squares += error.cwiseProduct(error) / seeds;
    }
    double observed = 0, expected = 0;
    for (Index i = 0; i < 6; ++i)
      for (Index j = 0; j < 6; ++j) {
        // The vectors r_s and r_t of two statements have an inner product with mean 0 and variance 1/d. The variance of
        // the error is that of sum_{s<t} (a_si a_tj + a_ti a_sj) r_s r_t.
        double variance = 0;
        for (Index s = 0; s < 8; ++s)
          for (Index t = 0; t < s; ++t)
            variance += std::pow(a(s, i) * a(t, j) + a(t, i) * a(s, j), 2) / dimensions;
        CHECK(std::abs(mean(i, j)) <= 4.5 * std::sqrt(variance / seeds) + 1e-12);  // 4.5 standard errors
        observed += squares(i, j);
        expected += variance;
      }
    // A wide tolerance, because there are only 600 seeds and the entries are not independent.
    CHECK(observed == Approx(expected).epsilon(0.15));
  }
}

TEST_CASE("the standard error is proportional to 1/sqrt(d)", "[embedding]") {
  Rng rng(3, "embedding_test dimensions");
  const Matrix a = random_incidence(rng, 30, 10);
  const Matrix truth = a.transpose() * a;
  const auto squared_error = [&](Index dimensions) {
    double total = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const Matrix x = random_indexing(sparse(a), dimensions, 8, seed);
      total += (x * x.transpose() - truth).squaredNorm();
    }
    return total;
  };
  // A wide tolerance, because there are only 40 seeds.
  CHECK(squared_error(64) / squared_error(1024) == Approx(16).epsilon(0.25));
}

TEST_CASE("random indexing of empty inputs, and outside its ranges", "[embedding]") {
  CHECK(random_indexing(SparseRows(3), 8, 2, 1) == Matrix::Zero(3, 8));
  CHECK(random_indexing(SparseRows(0), 8, 2, 1).rows() == 0);
  const Matrix full = random_indexing(sparse(Matrix::Ones(1, 1)), 4, 4, 1);
  CHECK(full.cwiseAbs() == Matrix::Constant(1, 4, 0.5));
  CHECK_INVALID(random_indexing(SparseRows(3), 8, 0, 1));
  CHECK_INVALID(random_indexing(SparseRows(3), 8, 9, 1));
  CHECK_INVALID(random_indexing(SparseRows(3), 0, 1, 1));
}

// Hebbian weights W = A' D A of random episodes. The activity is the diagonal of W; links are the other entries.
struct Hebbian {
  Matrix w;
  SparseRows links;
  Vector activity;
};
Hebbian hebbian(Rng& rng, Index p, Index n) {
  const Matrix a = random_incidence(rng, p, n);
  Vector evidence(p);
  for (double& d : evidence) d = rng.uniform();
  Hebbian h;
  h.w = a.transpose() * evidence.asDiagonal() * a;
  h.activity = h.w.diagonal();
  Matrix off = h.w;
  off.diagonal().setZero();
  h.links = sparse(off);
  return h;
}

Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> oracle(const Matrix& m) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m);
}

TEST_CASE("the truncated SVD is the best approximation of its rank", "[embedding]") {
  Rng rng(4, "embedding_test svd");
  for (const Index n : {1, 2, 5, 12, 30}) {
    const Hebbian h = hebbian(rng, n + 3, n);
    const auto solver = oracle(h.w);
    const double scale = h.w.cwiseAbs().rowwise().sum().maxCoeff() + 1e-300;
    for (Index d = 1; d <= n; d += 3) {
      const Matrix x = truncated_svd(h.links, h.activity, d);
      const Matrix u = solver.eigenvectors().rightCols(d);
      const Matrix nearest = u * solver.eigenvalues().tail(d).cwiseMax(0).asDiagonal() * u.transpose();
      CHECK(distance(Matrix(x * x.transpose()), nearest) < 1e-12 * scale);
      // Columns are orthogonal, in descending order, and have a positive largest component.
      const Matrix gram = x.transpose() * x;
      CHECK(distance(Vector(gram.diagonal()), Vector(solver.eigenvalues().tail(d).reverse().cwiseMax(0))) <
            1e-12 * scale);
      CHECK((gram - Matrix(gram.diagonal().asDiagonal())).cwiseAbs().maxCoeff() < 1e-12 * scale);
      for (Index k = 0; k < d; ++k) CHECK(x.col(k).maxCoeff() >= -x.col(k).minCoeff() * (1 - 1e-7));
    }
    CHECK(distance(Matrix(truncated_svd(h.links, h.activity, n + 2) *
                          truncated_svd(h.links, h.activity, n + 2).transpose()),
                   h.w) < 1e-12 * scale);
    CHECK(truncated_svd(h.links, h.activity, n + 2).rightCols(2).isZero(0));
  }
}

TEST_CASE("the truncated SVD of a large graph needs no dense matrix", "[embedding]") {
  Rng rng(5, "embedding_test large");
  const Hebbian h = hebbian(rng, 6, 400);  // rank 6, one connected component of 400 concepts
  const Matrix x = truncated_svd(h.links, h.activity, 6);
  CHECK(distance(Matrix(x * x.transpose()), h.w) < 1e-9);
  const Matrix faded = truncated_svd(sparse(dense(h.links) * 1e-310), h.activity * 1e-310, 2);
  CHECK(faded.allFinite());
  CHECK((faded.array() != 0).any());
}

TEST_CASE("the Laplacian embedding approximates the heat kernel", "[embedding]") {
  Rng rng(6, "embedding_test heat");
  for (const double time : {0.0, 0.5, 1.0, 4.0})
    for (const Index n : {2, 5, 11}) {
      Matrix w = dense(hebbian(rng, n, n).links);
      const Vector degree = w.rowwise().sum();
      // The generator -t L_sym of the heat kernel, for nodes with links.
      Matrix generator = Matrix::Zero(n, n);
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
          if (degree[i] > 0 && degree[j] > 0)
            generator(i, j) = -time * ((i == j ? 1.0 : 0.0) - w(i, j) / std::sqrt(degree[i] * degree[j]));
      // The matrix exponential, by its power series.
      Matrix heat = Matrix::Zero(n, n), term = Matrix::Zero(n, n);
      for (Index i = 0; i < n; ++i) term(i, i) = degree[i] > 0 ? 1 : 0;
      for (int k = 1; k < 80; ++k) {
        heat += term;
        term = Matrix(term * generator) / k;
      }
      const Matrix x = laplacian_embedding(sparse(w), n, time);
      CHECK(distance(Matrix(x * x.transpose()), heat) < 1e-12);
      CHECK((x * x.transpose()).minCoeff() > -1e-13);
      // With fewer dimensions the embedding keeps the modes that decay most slowly.
      const auto solver = oracle(heat);
      const Matrix first = laplacian_embedding(sparse(w), 2, time);
      CHECK(distance(Vector((first.transpose() * first).diagonal().reverse()),
                     Vector(solver.eigenvalues().tail(2))) < 1e-12);
    }
}

TEST_CASE("spectral embeddings separate components and leave out isolated concepts", "[embedding]") {
  Matrix w = Matrix::Zero(6, 6);
  w(0, 3) = w(3, 0) = 2;
  w(1, 4) = w(4, 1) = w(1, 5) = w(5, 1) = 1;  // node 2 is isolated
  const Matrix x = laplacian_embedding(sparse(w), 8);
  CHECK(x.row(2).isZero(0));
  CHECK(x.rightCols(3).isZero(0));
  for (const Index i : {0, 3})
    for (const Index j : {1, 4, 5}) CHECK(x.row(i).dot(x.row(j)) == 0);
  CHECK(x.row(0).dot(x.row(3)) > 0.1);
  // One dimension covers only the first connected component.
  const Matrix one = laplacian_embedding(sparse(w), 1);
  CHECK(one(0, 0) > 0);
  CHECK(one(1, 0) == 0);
  Vector activity = Vector::Ones(6);
  activity[2] = 0.5;
  const Matrix y = truncated_svd(sparse(w), activity, 6);
  CHECK(std::abs(y.row(2).squaredNorm() - 0.5) < 1e-14);
  CHECK(y.row(2).dot(y.row(0)) == 0);
}

TEST_CASE("a weight of 0 is no link", "[embedding]") {
  // A path of four concepts whose middle link has weight 0 consists of two equal pairs, which are sorted by their
  // concepts.
  SparseRows links(4);
  const auto row = [&](std::vector<std::uint32_t> columns, std::vector<double> values) {
    links.push_row(columns, values);
  };
  row({1}, {1});
  row({0, 2}, {1, 0});
  row({1, 3}, {0, 1});
  row({2}, {1});
  for (const Matrix& x : {truncated_svd(links, Vector::Ones(4), 1), laplacian_embedding(links, 1)}) {
    CHECK(x.topRows(2).minCoeff() > 0.1);
    CHECK(x.bottomRows(2).isZero(0));
  }
}

TEST_CASE("permuting the concepts permutes the inner products of spectral embeddings", "[embedding]") {
  Rng rng(7, "embedding_test order");
  const Hebbian h = hebbian(rng, 9, 10);
  const auto p = rng.permutation(10);
  Matrix moved(10, 10);
  for (Index i = 0; i < 10; ++i)
    for (Index j = 0; j < 10; ++j)
      moved(p[static_cast<std::size_t>(i)], p[static_cast<std::size_t>(j)]) = h.w(i, j);
  const Vector activity = moved.diagonal();
  moved.diagonal().setZero();
  const SparseRows links = sparse(moved);
  for (const bool svd : {true, false}) {
    const Matrix a = svd ? truncated_svd(h.links, h.activity, 3) : laplacian_embedding(h.links, 3);
    const Matrix b = svd ? truncated_svd(links, activity, 3) : laplacian_embedding(links, 3);
    const Matrix of_a = a * a.transpose(), of_b = b * b.transpose();
    for (Index i = 0; i < 10; ++i)
      for (Index j = 0; j < 10; ++j)
        CHECK(std::abs(of_a(i, j) - of_b(p[static_cast<std::size_t>(i)], p[static_cast<std::size_t>(j)])) <
              1e-12);
  }
}

TEST_CASE("spectral embeddings of empty and invalid graphs", "[embedding]") {
  CHECK(truncated_svd(SparseRows(0), Vector(), 3).size() == 0);
  CHECK(laplacian_embedding(SparseRows(0), 3).size() == 0);
  const SparseRows empty = sparse(Matrix::Zero(3, 3));
  CHECK(truncated_svd(empty, Vector::Zero(3), 2) == Matrix::Zero(3, 2));
  CHECK(laplacian_embedding(empty, 2) == Matrix::Zero(3, 2));
  CHECK_INVALID(truncated_svd(empty, Vector::Zero(2), 2));
  CHECK_INVALID(truncated_svd(empty, Vector::Constant(3, -1), 2));
  CHECK_INVALID(truncated_svd(empty, Vector::Constant(3, nan), 2));
  CHECK_INVALID(truncated_svd(empty, Vector::Zero(3), -1));
  CHECK_INVALID(truncated_svd(sparse(Matrix::Identity(2, 2)), Vector::Ones(2), 1));
  CHECK_INVALID(laplacian_embedding(sparse(-Matrix::Ones(2, 2)), 1));
  CHECK_INVALID(laplacian_embedding(empty, 1, -1));
  CHECK_INVALID(laplacian_embedding(empty, -1));
}

}  // namespace
}  // namespace engram::core
