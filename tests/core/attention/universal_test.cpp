// SPDX-License-Identifier: MIT
#include "core/attention/universal.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/hopfield/modern_hopfield.hpp"
#include "core/learning/pattern_weights.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

TEST_CASE("the table names each separation once, in its place", "[core][universal]") {
  for (const SeparationFacts& row : separations) {
    CHECK(name_of(separations, row.value) == row.name);
    CHECK(value_named(separations, row.name) == row.value);
  }
  CHECK_FALSE(value_named(separations, "Softmax"));
}

TEST_CASE("separations by hand", "[core][universal]") {
  const Vector s = samples::vector({2, -3, 2, 0});
  CHECK(separate(Separation::identity, s, 7) == s);
  CHECK(separate(Separation::max, s, 7) == samples::vector({1, 0, 0, 0}));  // the first of equals
  CHECK(separate(Separation::poly, s, 3) == samples::vector({8, -27, 8, 0}));
  CHECK(separate(Separation::poly, s, 0) == samples::vector({1, 1, 1, 1}));
  CHECK(separate(Separation::poly, samples::vector({4, 0}), 0.5)[1] == 0);
  CHECK(std::abs(separate(Separation::poly, samples::vector({4, 9}), 2.5)[1] - 243) < 1e-12);
  CHECK(separate(Separation::poly, samples::vector({2, -4}), -2) == samples::vector({0.25, 0.0625}));
  const double e = std::exp(-4.0);  // softmax(2 s) of (1, 0, 0, 0) less 1
  const Vector soft = separate(Separation::softmax, samples::vector({1, -1}), 2);
  CHECK(std::abs(soft[0] - 1 / (1 + e)) < 1e-15);
  CHECK(separate(Separation::entmax, samples::vector({0.25, 0}), 2) == samples::vector({0.625, 0.375}));
  CHECK_THROWS_AS(separate(Separation::poly, s, 0.5), std::invalid_argument);  // of -3
  CHECK_THROWS_AS(separate(Separation::entmax, s, 0.5), std::invalid_argument);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(separate(Separation::identity, samples::vector({nan}), 1), std::invalid_argument);
  CHECK_THROWS_AS(separate(Separation::softmax, s, nan), std::invalid_argument);
}

TEST_CASE("entmax at alpha 1 and 2 is softmax and sparsemax", "[core][universal]") {
  Rng rng(1, "universal_test entmax");
  for (int trial = 0; trial < 50; ++trial) {
    const Vector s = 2 * samples::normal_vector(rng, 6);
    CHECK(samples::distance(separate(Separation::entmax, s, 1), separate(Separation::softmax, s, 1)) < 1e-15);
    CHECK(samples::distance(separate(Separation::entmax, s, 2), apply(SimplexMap::sparsemax, s)) < 1e-15);
  }
}

TEST_CASE("the universal form holds Hebb's memory, modern Hopfield and the nearest neighbour",
          "[core][universal]") {
  Rng rng(2, "universal_test kinds");
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix x = samples::spins(rng, 4, 12);
    const Vector q = samples::spins(rng, 1, 12).row(0).transpose();
    const auto hebb = recall_universal(x, x, q, Score::dot, Separation::identity, 0);
    // n W q + k q, as the diagonal of W is left out; whole numbers but for quotients by n
    CHECK(samples::distance(hebb.output, Vector(12 * (hebb_weights(x) * q) + 4 * q)) < 1e-12);
    const auto modern = recall_universal(x, x, q, Score::dot, Separation::softmax, 0.3);
    CHECK(samples::distance(modern.output, recall_modern(x, q, {0.3, SimplexMap::softmax, 1, 1e-12}).state) <
          1e-14);
    const auto nearest = recall_universal(x, x, q, Score::neg_sq_euclid, Separation::max, 0);
    Index best = 0;
    for (Index i = 1; i < 4; ++i)
      if ((x.row(i).transpose() - q).norm() < (x.row(best).transpose() - q).norm()) best = i;
    CHECK(nearest.output == Vector(x.row(best).transpose()));
  }
}

TEST_CASE("hetero-association gives values of their own width", "[core][universal]") {
  const Matrix keys = Matrix::Identity(2, 2), values = (Matrix(2, 3) << 1, 2, 3, 4, 5, 6).finished();
  const auto recall =
      recall_universal(keys, values, samples::vector({0, 2}), Score::dot, Separation::identity, 0);
  CHECK(recall.similarity == samples::vector({0, 2}));
  CHECK(recall.output == samples::vector({8, 10, 12}));
  CHECK_THROWS_AS(recall_universal(keys, Matrix::Ones(3, 1), Vector::Ones(2), Score::dot, Separation::max, 0),
                  std::invalid_argument);
  CHECK_THROWS_AS(recall_universal(keys, values, Vector::Ones(3), Score::dot, Separation::max, 0),
                  std::invalid_argument);
  CHECK_THROWS_AS(
      recall_universal(Matrix(0, 2), Matrix(0, 2), Vector::Ones(2), Score::dot, Separation::max, 0),
      std::invalid_argument);
  CHECK_THROWS_AS(recall_universal(keys, values, Vector::Ones(2), Score::bilinear, Separation::max, 0),
                  std::invalid_argument);
}

}  // namespace
}  // namespace engram::core
