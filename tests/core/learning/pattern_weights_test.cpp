// SPDX-License-Identifier: MIT
#include "core/learning/pattern_weights.hpp"

#include <Eigen/Dense>

#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// Storkey's rule by its definition. Computes every field by a new sum.
Matrix storkey_as_written(const Matrix& patterns, bool cavity) {
  const Index n = patterns.cols();
  Matrix w = Matrix::Zero(n, n);
  for (Index p = 0; p < patterns.rows(); ++p) {
    const Vector x = patterns.row(p).transpose();
    const auto field = [&](Index i, Index j) {
      double h = 0;
      for (Index k = 0; k < n; ++k)
        if (!cavity || (k != i && k != j)) h += w(i, k) * x[k];
      return h;
    };
    Matrix next = w;
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        if (i != j)
          next(i, j) += (x[i] * x[j] - x[i] * field(j, i) - field(i, j) * x[j]) / static_cast<double>(n);
    w = next;
  }
  return w;
}

double spectral_radius(const Matrix& w) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(w).eigenvalues().cwiseAbs().maxCoeff();
}

// The share of stable spins of pattern k.
double held(const Matrix& w, const Matrix& patterns, Index k) {
  const Vector x = patterns.row(k).transpose(), aligned = x.cwiseProduct(Vector(w * x));
  return static_cast<double>((aligned.array() > 0).count()) / static_cast<double>(x.size());
}

TEST_CASE("weight rules have names", "[pattern_weights]") {
  for (const auto& facts : weight_rules) CHECK(value_named(weight_rules, facts.name) == facts.value);
  CHECK_FALSE(value_named(weight_rules, "Hebb"));
  CHECK_FALSE(value_named(weight_rules, ""));
}

TEST_CASE("every rule has symmetric weights, and weights of 0 without patterns", "[pattern_weights]") {
  Rng rng(1, "learning_rules_test symmetric");
  for (const auto& facts : weight_rules) {
    INFO(facts.name);
    CHECK(pattern_weights(facts.value, Matrix(0, 3)) == Matrix::Zero(3, 3));
    for (const Index count : {1, 4, 9, 30}) {
      const Matrix w = pattern_weights(facts.value, spins(rng, count, 9));
      CHECK(w == w.transpose());
      if (facts.value != WeightRule::pseudo_inverse) CHECK(w.diagonal() == Vector::Zero(9));
    }
    CHECK_INVALID(pattern_weights(facts.value, Matrix(2, 0)));
    for (const double wrong : {0.0, 0.5, -2.0, std::nan(""), infinity}) {
      Matrix patterns = Matrix::Ones(2, 3);
      patterns(1, 2) = wrong;
      CHECK_INVALID(pattern_weights(facts.value, patterns));
    }
  }
}

TEST_CASE("Hebb's and Storkey's rules agree for one pattern", "[pattern_weights]") {
  Rng rng(2, "learning_rules_test one");
  const Matrix x = spins(rng, 1, 12);
  CHECK(distance(pattern_weights(WeightRule::storkey, x), hebb_weights(x)) < 1e-16);
  CHECK(distance(pattern_weights(WeightRule::storkey_full_field, x), hebb_weights(x)) < 1e-16);
  CHECK(pattern_weights(WeightRule::hebb, x) == hebb_weights(x));
  CHECK(pattern_weights(WeightRule::storkey, Matrix::Ones(3, 1)) == Matrix::Zero(1, 1));
}

TEST_CASE("Storkey's weights for two patterns, computed by hand", "[pattern_weights]") {
  const Matrix x{{1, 1, 1}, {1, 1, -1}};
  // W_ij = 1/3 after the first pattern. For the second, the full field is h = (0, 0, 2/3), and the cavity fields are
  // h_01 = h_10 = -1/3, h_02 = h_12 = h_20 = h_21 = 1/3.
  Matrix cavity(3, 3), full(3, 3);
  cavity << 0, 8, 0, 8, 0, 0, 0, 0, 0;
  full << 0, 6, -2, 6, 0, -2, -2, -2, 0;
  CHECK(distance(pattern_weights(WeightRule::storkey, x), Matrix(cavity / 9)) < 1e-16);
  CHECK(distance(pattern_weights(WeightRule::storkey_full_field, x), Matrix(full / 9)) < 1e-16);
}

TEST_CASE("Storkey's weights equal the definition", "[pattern_weights]") {
  Rng rng(3, "learning_rules_test storkey");
  for (const auto& [count, n] : {std::pair<Index, Index>{2, 2}, {5, 8}, {12, 12}, {25, 13}, {9, 40}}) {
    const Matrix x = spins(rng, count, n);
    const Matrix cavity = storkey_as_written(x, true), full = storkey_as_written(x, false);
    CHECK(distance(pattern_weights(WeightRule::storkey, x), cavity) < 1e-13);
    CHECK(distance(pattern_weights(WeightRule::storkey_full_field, x), full) < 1e-13);
  }
}

TEST_CASE("the pseudo-inverse is the projector on the span of the patterns", "[pattern_weights]") {
  Rng rng(4, "learning_rules_test projector");
  for (const auto& [count, n] : {std::pair<Index, Index>{1, 1}, {1, 7}, {3, 7}, {6, 7}, {12, 40}, {39, 40}}) {
    const Matrix independent = spins(rng, count, n);
    Matrix patterns(2 * count + 1, n);  // patterns, their opposites, and a repeated one
    for (Index k = 0; k < count; ++k) {
      patterns.row(2 * k) = independent.row(k);
      patterns.row(2 * k + 1) = -independent.row(k);
    }
    patterns.row(2 * count) = independent.row(0);
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(independent, Eigen::ComputeThinV);
    const auto rank = (svd.singularValues().array() > 1e-9).count();
    const Eigen::MatrixXd span = svd.matrixV().leftCols(rank);
    const Matrix expected = span * span.transpose();
    for (const Matrix& x : {independent, patterns}) {
      const Matrix w = pattern_weights(WeightRule::pseudo_inverse, x);
      CHECK(distance(w, expected) < 1e-13);
      CHECK(distance(Matrix(x * w), x) < 1e-13);
      Matrix hollow = w;
      hollow.diagonal().setZero();
      CHECK(pattern_weights(WeightRule::pseudo_inverse_zero_diag, x) == hollow);
    }
  }
}

TEST_CASE("the projector is accurate for nearly dependent patterns", "[pattern_weights]") {
  // The matrix B has ones where i - j is 0, 1 or 3, and its inverse grows as 1.47^n. The patterns are the rows of 1 - 2
  // B, with two more spins that always agree, and a pattern of ones. They span all vectors for which these two spins
  // agree.
  const Index n = 30;
  Matrix x = Matrix::Ones(n + 1, n + 2);
  for (Index i = 0; i < n; ++i)
    for (const Index back : {0, 1, 3})
      if (i >= back) x(i, i - back + 2) = -1;
  Matrix expected = Matrix::Identity(n + 2, n + 2);
  expected.topLeftCorner(2, 2).setConstant(0.5);
  CHECK(distance(pattern_weights(WeightRule::pseudo_inverse, x), expected) < 1e-13);
}

TEST_CASE("a linearly dependent pattern changes nothing", "[pattern_weights]") {
  const Matrix x{{1, 1, 1, 1, 1, -1}, {1, 1, 1, 1, -1, 1}, {1, 1, 1, 1, -1, -1}, {1, 1, 1, 1, 1, 1}};
  REQUIRE(x.row(3) == x.row(0) + x.row(1) - x.row(2));
  const Matrix w = pattern_weights(WeightRule::pseudo_inverse, x);
  CHECK(w == pattern_weights(WeightRule::pseudo_inverse, x.topRows(3)));
  CHECK(std::abs(w.trace() - 3) < 1e-14);
}

TEST_CASE("n independent patterns of n spins, or more, give the identity matrix", "[pattern_weights]") {
  Rng rng(5, "learning_rules_test full rank");
  for (const Index n : {2, 8, 30}) {
    const Matrix x = spins(rng, 3 * n, n);
    CHECK(pattern_weights(WeightRule::pseudo_inverse, x) == Matrix::Identity(n, n));
    CHECK(pattern_weights(WeightRule::pseudo_inverse_zero_diag, x) == Matrix::Zero(n, n));
  }
}

TEST_CASE("learning one pattern at a time equals learning all at once", "[pattern_weights]") {
  Rng rng(6, "learning_rules_test stream");
  const Matrix x = spins(rng, 10, 16);
  for (const auto rule : {WeightRule::hebb, WeightRule::storkey, WeightRule::storkey_full_field}) {
    Matrix w = Matrix::Zero(16, 16);
    for (Index k = 0; k < x.rows(); ++k) learn_pattern(rule, w, x.row(k).transpose());
    CHECK(w == pattern_weights(rule, x));  // equal for Hebb's rule as well, because 1/16 is exact
  }
  Matrix w = Matrix::Zero(3, 3);
  CHECK_INVALID(learn_pattern(WeightRule::pseudo_inverse, w, Vector::Ones(3)));
  CHECK_INVALID(learn_pattern(WeightRule::hebb, w, Vector::Ones(2)));
  CHECK_INVALID(learn_pattern(WeightRule::hebb, w, Vector::Zero(3)));
}

TEST_CASE("in a stream the full field stores the newest patterns, and the cavity field diverges",
          "[pattern_weights]") {
  Rng rng(7, "learning_rules_test palimpsest");
  const Index n = 100;
  const Matrix x = spins(rng, 4 * n, n);
  const Matrix full = pattern_weights(WeightRule::storkey_full_field, x);
  CHECK(spectral_radius(full) < 2);
  CHECK(spectral_radius(pattern_weights(WeightRule::storkey, x)) > 50);
  for (Index k = 4 * n - 20; k < 4 * n; ++k) CHECK(held(full, x, k) > 0.9);
  for (Index k = 4 * n - 5; k < 4 * n; ++k) CHECK(held(full, x, k) == 1);
  double old = 0;
  for (Index k = 0; k < 15; ++k) old += held(full, x, k) / 15;
  CHECK(old < 0.7);
}

}  // namespace
}  // namespace engram::core
