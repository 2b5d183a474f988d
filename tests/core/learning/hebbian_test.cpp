// SPDX-License-Identifier: MIT
#include "core/learning/hebbian.hpp"

#include "core/learning/pattern_weights.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

Matrix hollow(Matrix w) {
  w.diagonal().setZero();
  return w;
}

TEST_CASE("Hebb's rule with decay weights each step by its age", "[hebbian]") {
  Rng rng(1, "hebbian_test decay");
  const Matrix a = normal_matrix(rng, 9, 5);
  for (const double decay : {0.0, 0.1, 0.5, 1.0}) {
    Matrix expected = Matrix::Zero(5, 5);
    for (Index t = 0; t < 9; ++t)
      expected += 0.3 * std::pow(1 - decay, 8 - t) * a.row(t).transpose() * a.row(t);
    const Matrix w = hebb_decay_weights(a, 0.3, decay);
    CHECK(distance(w, hollow(expected)) < 1e-13);
    CHECK(w == w.transpose());
  }
}

TEST_CASE("Hebb's rule without decay and with eta = 1/n is Hopfield's", "[hebbian]") {
  Rng rng(2, "hebbian_test hopfield");
  for (const Index n : {1, 8, 21}) {
    const Matrix x = spins(rng, 6, n);
    CHECK(distance(hebb_decay_weights(x, 1 / static_cast<double>(n), 0), hebb_weights(x)) < 1e-14);
  }
}

TEST_CASE("weights converge to eta / decay times the product with decay, and grow without", "[hebbian]") {
  const Matrix a = vector({1, -2, 0.5}).transpose().replicate(400, 1);
  const Matrix product = hollow(a.row(0).transpose() * a.row(0));
  CHECK(distance(hebb_decay_weights(a, 0.02, 0.1), Matrix(0.2 * product)) < 1e-14);
  CHECK(distance(hebb_decay_weights(a, 0.02, 0), Matrix(8 * product)) < 1e-11);
}

TEST_CASE("covariance weights are mean products of deviations", "[hebbian]") {
  Rng rng(3, "hebbian_test covariance");
  Matrix a = normal_matrix(rng, 40, 6);
  Matrix expected = Matrix::Zero(6, 6);
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 6; ++j)
      if (i != j)
        for (Index t = 0; t < 40; ++t)
          expected(i, j) += (a(t, i) - a.col(i).mean()) * (a(t, j) - a.col(j).mean()) / 40;
  const Matrix w = covariance_weights(a);
  CHECK(distance(w, expected) < 1e-14);
  CHECK(w == w.transpose());
  // Entries that are multiples of 2^-20 make the shift by 1e6 exact.
  for (Index t = 0; t < 40; ++t)
    for (Index i = 0; i < 6; ++i) a(t, i) = std::round(a(t, i) * 1048576) / 1048576;
  const Matrix near = covariance_weights(a);
  a.array() += 1e6;
  CHECK(distance(covariance_weights(a), near) < 1e-14);
}

TEST_CASE("a constant unit has no covariance weights", "[hebbian]") {
  Rng rng(4, "hebbian_test hub");
  Matrix a(50, 4);
  for (Index t = 0; t < 50; ++t)
    for (Index i = 0; i < 4; ++i) a(t, i) = i == 0 || rng.below(5) == 0 ? 1.0 : 0.0;
  CHECK(covariance_weights(a).row(0).cwiseAbs().maxCoeff() < 1e-16);
  CHECK(hebb_decay_weights(a, 1, 0).row(0).tail(3).minCoeff() > 2);
  CHECK(covariance_weights(a.topRows(1)) == Matrix::Zero(4, 4));
}

TEST_CASE("sequence weights map each state to the next", "[hebbian]") {
  Rng rng(5, "hebbian_test sequence");
  const Matrix a = normal_matrix(rng, 7, 4);
  Matrix expected = Matrix::Zero(4, 4);
  for (Index t = 0; t < 6; ++t) expected += a.row(t + 1).transpose() * a.row(t) / 4;
  CHECK(distance(sequence_weights(a), expected) < 1e-14);
  CHECK(sequence_weights(a.topRows(1)) == Matrix::Zero(4, 4));
  const Matrix x = spins(rng, 5, 200);
  const Matrix w = sequence_weights(x);
  for (Index t = 0; t < 4; ++t) {
    const Vector next = w * x.row(t).transpose();
    CHECK((next.array() * x.row(t + 1).transpose().array() > 0).count() > 195);
  }
}

TEST_CASE("learn_units learns the rows of an activity in order", "[hebbian]") {
  Rng rng(6, "hebbian_test units");
  const Matrix a = normal_matrix(rng, 20, 6), w0 = normal_matrix(rng, 3, 6) / 3;
  Matrix oja = w0, sanger = w0;
  for (Index t = 0; t < a.rows(); ++t) {
    const Vector x = a.row(t).transpose(), y = oja * x, z = sanger * x;
    const Matrix lower = Matrix(z * z.transpose()).triangularView<Eigen::Lower>();
    oja += Matrix(0.05 * (y * x.transpose() - y * y.transpose() * oja));
    sanger += Matrix(0.05 * (z * x.transpose() - lower * sanger));
  }
  CHECK(distance(learn_units(ComponentRule::oja, w0, a, 0.05), oja) < 1e-13);
  CHECK(distance(learn_units(ComponentRule::sanger, w0, a, 0.05), sanger) < 1e-13);
  CHECK(learn_units(ComponentRule::sanger, w0, Matrix::Zero(4, 6), 0.05) == w0);
}

TEST_CASE("a BCM step updates the weights with the old threshold, then the threshold", "[hebbian]") {
  BcmUnit unit{vector({0.5, 0.25}), 0.5};
  bcm_step(unit, vector({2, -1}), 0.5, 4);  // the response y is 0.75, so y (y - theta) = 0.1875
  CHECK(unit.w == vector({0.5 + 0.1875, 0.25 - 0.09375}));
  CHECK(unit.theta == 0.5 + (0.5625 - 0.5) / 4);
}

TEST_CASE("a BCM unit becomes selective", "[hebbian]") {
  // With k equally frequent orthogonal inputs, the stable response is k to one input and 0 to the others.
  Rng rng(7, "hebbian_test selective");
  BcmUnit unit{vector({0.5, 0.4, 0.45}), 0.3};
  for (int t = 0; t < 60000; ++t) bcm_step(unit, Vector::Unit(3, below(rng, 3)), 0.002, 50);
  Index best = 0;
  CHECK(std::abs(unit.w.maxCoeff(&best) - 3) < 0.2);
  unit.w[best] = 0;
  CHECK(unit.w.cwiseAbs().maxCoeff() < 0.05);
}

TEST_CASE("the STDP change decays on both sides of 0", "[hebbian]") {
  const StdpWindow window{2, 3, 10, 20};
  CHECK(std::abs(stdp_change(5, window) - 2 * std::exp(-0.5)) < 1e-15);
  CHECK(std::abs(stdp_change(-5, window) + 3 * std::exp(-0.25)) < 1e-15);
  CHECK(stdp_change(0, window) == 0);
  CHECK(stdp_change(-0.0, window) == 0);
  CHECK(stdp_change(1e-300, window) == 2);
  CHECK(stdp_change(-1e-300, window) == -3);
  CHECK(stdp_change(1e300, window) == 0);
  CHECK(std::abs(stdp_change(-infinity, window)) == 0);
  CHECK_INVALID(stdp_change(std::nan(""), window));
  CHECK_INVALID(stdp_change(1, {1, 1, 0, 1}));
  CHECK_INVALID(stdp_change(1, {1, 1, 1, -1}));
  CHECK_INVALID(stdp_change(1, {std::nan(""), 1, 1, 1}));
}

TEST_CASE("Hebbian rules reject invalid arguments", "[hebbian]") {
  Matrix w = Matrix::Zero(2, 2), a = Matrix::Ones(3, 2);
  BcmUnit unit{Vector::Ones(2), 0};
  CHECK_INVALID(hebb_step(w, Vector::Ones(3), 1, 0));
  for (const double decay : {-0.1, 1.1, std::nan("")}) CHECK_INVALID(hebb_step(w, Vector::Ones(2), 1, decay));
  CHECK_INVALID(hebb_step(w, Vector::Ones(2), infinity, 0));
  CHECK_INVALID(covariance_weights(Matrix(0, 2)));
  CHECK_INVALID(learn_units(ComponentRule::oja, Matrix::Ones(1, 3), a, 1));
  CHECK_INVALID(learn_units(ComponentRule::oja, Matrix::Ones(1, 2), a, std::nan("")));
  CHECK_INVALID(bcm_step(unit, Vector::Ones(3), 1, 1));
  CHECK_INVALID(bcm_step(unit, Vector::Ones(2), 1, 0));
  CHECK_INVALID(bcm_step(unit, Vector::Ones(2), std::nan(""), 1));
  for (const double wrong : {std::nan(""), infinity, -infinity}) {
    a(1, 1) = wrong;
    CHECK_INVALID(hebb_decay_weights(a, 1, 0));
    CHECK_INVALID(covariance_weights(a));
    CHECK_INVALID(sequence_weights(a));
    CHECK_INVALID(learn_units(ComponentRule::sanger, Matrix::Ones(1, 2), a, 1));
    CHECK_INVALID(bcm_step(unit, a.row(1).transpose(), 1, 1));
  }
}

}  // namespace
}  // namespace engram::core
