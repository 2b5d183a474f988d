// SPDX-License-Identifier: MIT
#include "core/learning/principal_components.hpp"

#include <Eigen/Dense>

#include "core/embeddings/embedding.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// An input row with all its columns, including zeros.
struct DenseInput {
  explicit DenseInput(const Vector& x) : values(x.data(), x.data() + x.size()) {
    for (std::uint32_t i = 0; i < values.size(); ++i) columns.push_back(i);
  }
  SparseInput input() const { return {columns, values}; }
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
};

// Random inputs with the given standard deviations along the columns of a random rotation.
Matrix inputs_with(Rng& rng, Index count, const Vector& deviations) {
  const Index n = deviations.size();
  const Matrix q = Eigen::HouseholderQR<Eigen::MatrixXd>(normal_matrix(rng, n, n)).householderQ();
  return normal_matrix(rng, count, n) * deviations.asDiagonal() * q.transpose();
}

Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> moments(const Matrix& a, const Vector& evidence) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(Matrix(a.transpose() * evidence.asDiagonal() * a));
}

Vector random_evidence(Rng& rng, Index p) {
  Vector evidence(p);
  for (double& d : evidence) d = 0.5 + rng.uniform();
  return evidence;
}

TEST_CASE("a step of each rule equals its matrix formula", "[principal_components]") {
  Rng rng(1, "principal_components_test step");
  for (const Index units : {1, 2, 5}) {
    const Matrix w = normal_matrix(rng, units, 7);
    Vector x = normal_vector(rng, 7);
    x[2] = x[5] = 0;
    const Vector y = w * x;
    const Matrix yy = y * y.transpose();
    const Matrix oja = w + 0.1 * (y * x.transpose() - yy * w);
    const Matrix lower = yy.triangularView<Eigen::Lower>();
    const Matrix sanger = w + 0.1 * (y * x.transpose() - lower * w);
    Matrix by_oja = w, by_sanger = w;
    oja_step(by_oja, DenseInput(x).input(), 0.1);
    sanger_step(by_sanger, DenseInput(x).input(), 0.1);
    CHECK(distance(by_oja, oja) < 1e-13);
    CHECK(distance(by_sanger, sanger) < 1e-13);
    // Zeros of an input may be omitted.
    const SparseRows sparse = samples::sparse(x.transpose());
    Matrix again = w;
    oja_step(again, {sparse.columns_of(0), sparse.values_of(0)}, 0.1);
    CHECK(distance(again, oja) < 1e-13);
  }
}

TEST_CASE("both rules have the step w + eta y (x - y w) for one unit", "[principal_components]") {
  const Matrix w{{0.5, 0.25}};
  const Vector x = vector({2, -1});  // the response y is 3/4
  Matrix expected(1, 2);
  expected << 0.5 + 0.5 * 0.75 * (2 - 0.375), 0.25 + 0.5 * 0.75 * (-1 - 0.1875);
  for (const auto step : {oja_step, sanger_step}) {
    Matrix stepped = w;
    step(stepped, DenseInput(x).input(), 0.5);
    CHECK(distance(stepped, expected) < 1e-15);
  }
}

TEST_CASE("Sanger's units converge to the principal directions in order", "[principal_components]") {
  Rng rng(2, "principal_components_test sanger");
  const Matrix a = inputs_with(rng, 300, vector({1, 4, 0.5, 2, 0.1}));
  const Vector evidence = random_evidence(rng, 300);
  const auto truth = moments(a, evidence);
  const Matrix w = learn_components(samples::sparse(a), evidence, ComponentRule::sanger, 3, {200, 0.5, 7});
  for (Index k = 0; k < 3; ++k) {
    const Vector u = truth.eigenvectors().col(4 - k);
    CHECK(std::abs(w.row(k).norm() - 1) < 0.02);
    CHECK(std::abs(w.row(k).dot(u)) / w.row(k).norm() > 0.999);
  }
}

TEST_CASE("Oja's units converge to an orthonormal basis of the principal space", "[principal_components]") {
  Rng rng(3, "principal_components_test oja");
  const Matrix a = inputs_with(rng, 300, vector({1, 4, 3, 0.5, 0.1, 0.2}));
  const Vector evidence = random_evidence(rng, 300);
  const auto truth = moments(a, evidence);
  const Matrix w = learn_components(samples::sparse(a), evidence, ComponentRule::oja, 2, {200, 0.5, 7});
  CHECK(distance(Matrix(w * w.transpose()), Matrix(Matrix::Identity(2, 2))) < 0.02);
  const Matrix u = truth.eigenvectors().rightCols(2);
  CHECK(distance(Matrix(w.transpose() * w), Matrix(u * u.transpose())) < 0.02);
}

TEST_CASE("learning depends on the seed alone", "[principal_components]") {
  Rng rng(4, "principal_components_test seed");
  const SparseRows a = samples::sparse(normal_matrix(rng, 20, 6));
  const Vector evidence = Vector::Ones(20);
  for (const auto rule : {ComponentRule::oja, ComponentRule::sanger}) {
    const Matrix w = learn_components(a, evidence, rule, 2, {5, 0.5, 1});
    CHECK(learn_components(a, evidence, rule, 2, {5, 0.5, 1}) == w);
    CHECK(learn_components(a, evidence, rule, 2, {5, 0.5, 2}) != w);
    // Scaling all evidence changes nothing.
    CHECK(distance(learn_components(a, 2 * evidence, rule, 2, {5, 0.5, 1}), w) < 1e-12);
  }
}

TEST_CASE("weights stay bounded for inputs of any size", "[principal_components]") {
  Rng rng(5, "principal_components_test bounded");
  const Matrix a = spins(rng, 30, 12);
  for (const auto rule : {ComponentRule::oja, ComponentRule::sanger}) {
    const Matrix w = learn_components(samples::sparse(a), Vector::Ones(30), rule, 12, {20, 1.0, 3});
    CHECK(w.allFinite());
    CHECK(w.rowwise().norm().maxCoeff() < 1.5);
    for (const double scale : {1e-300, 1e-150, 1e4, 1e300})
      CHECK(distance(learn_components(samples::sparse(a * scale), Vector::Ones(30), rule, 12, {20, 1.0, 3}),
                     w) < 1e-9);
  }
}

TEST_CASE("the embedding by exact directions is the truncated SVD", "[principal_components]") {
  Rng rng(6, "principal_components_test embedding");
  const Matrix a = normal_matrix(rng, 9, 6).cwiseAbs();
  const Vector evidence = random_evidence(rng, 9);
  Matrix w = a.transpose() * evidence.asDiagonal() * a;
  const Vector activity = w.diagonal();
  const auto truth = moments(a, evidence);
  const Matrix u = truth.eigenvectors().rightCols(3).transpose();
  // A rotation of the units does not change the embedding.
  const Matrix q = Eigen::HouseholderQR<Eigen::MatrixXd>(normal_matrix(rng, 3, 3)).householderQ();
  w.diagonal().setZero();
  const Matrix x = truncated_svd(samples::sparse(w), activity, 3);
  for (const Matrix& basis : {u, Matrix(q * u)}) {
    const Matrix y = component_embedding(basis, samples::sparse(a), evidence);
    CHECK(distance(Matrix(y * y.transpose()), Matrix(x * x.transpose())) < 1e-12);
    CHECK(distance(Vector((y.transpose() * y).diagonal()), Vector((x.transpose() * x).diagonal())) < 1e-12);
  }
}

TEST_CASE("principal components of empty and invalid inputs", "[principal_components]") {
  const auto learn = [](const Matrix& a, const Vector& d, Index k, LearningOptions options = {}) {
    return learn_components(samples::sparse(a), d, ComponentRule::sanger, k, options);
  };
  CHECK(learn(Matrix::Zero(3, 4), Vector::Ones(3), 2) == Matrix::Zero(2, 4));
  CHECK(learn(Matrix::Ones(3, 4), Vector::Zero(3), 2) == Matrix::Zero(2, 4));
  CHECK(learn(Matrix(0, 4), Vector(), 2) == Matrix::Zero(2, 4));
  CHECK(learn(Matrix::Ones(1, 2), Vector::Ones(1), 5).bottomRows(3).isZero(0));
  CHECK(component_embedding(Matrix::Zero(2, 4), SparseRows(4), Vector()) == Matrix::Zero(4, 2));
  CHECK_INVALID(learn(Matrix::Ones(1, 2), Vector::Ones(2), 1));
  CHECK_INVALID(learn(Matrix::Ones(1, 2), -Vector::Ones(1), 1));
  CHECK_INVALID(learn(Matrix::Ones(1, 2), Vector::Ones(1), -1));
  CHECK_INVALID(learn(Matrix::Ones(1, 2), Vector::Ones(1), 1, {-1, 0.5, 1}));
  CHECK_INVALID(learn(Matrix::Ones(1, 2), Vector::Ones(1), 1, {1, 0.0, 1}));
  CHECK_INVALID(learn(Matrix::Constant(1, 2, nan), Vector::Ones(1), 1));
  Matrix w = Matrix::Zero(1, 2);
  CHECK_INVALID(oja_step(w, DenseInput(Vector::Ones(3)).input(), 0.1));
  CHECK_INVALID(sanger_step(w, DenseInput(Vector::Ones(3)).input(), 0.1));
}

}  // namespace
}  // namespace engram::core
