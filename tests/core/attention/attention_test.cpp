// SPDX-License-Identifier: MIT
#include "core/attention/attention.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "core/hopfield/modern_hopfield.hpp"
#include "core/learning/pattern_weights.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

const Matrix identity = Matrix::Identity(2, 2);
const Matrix values = (Matrix(2, 2) << 1, 2, 3, 4).finished();

TEST_CASE("attention of two queries to two keys, by hand", "[core][attention]") {
  // Scores (log 3, 0) and (0, log 3) give weights (3/4, 1/4) and (1/4, 3/4).
  const Attention soft = attend(identity, identity, values, std::log(3.0));
  const Matrix weights = (Matrix(2, 2) << 0.75, 0.25, 0.25, 0.75).finished();
  const Matrix output = (Matrix(2, 2) << 1.5, 2.5, 2.5, 3.5).finished();
  CHECK(samples::distance(soft.weights, weights) < 1e-15);  // roundings of log and exp
  CHECK(samples::distance(soft.output, output) < 2e-15);
  // sparsemax of (1/2, 0) is the same distribution, exactly.
  const Attention sparse = attend(identity, identity, values, 0.5, SimplexMap::sparsemax);
  CHECK(sparse.weights == weights);
  CHECK(sparse.output == output);
  const Attention hard = attend(identity, identity, values, 0.5, SimplexMap::argmax);
  CHECK(hard.weights == identity);
  CHECK(hard.output == values);
}

TEST_CASE("equal keys share the weight", "[core][attention]") {
  Matrix keys(4, 4);
  keys.row(0) << -0.12110476722096261, 0.8640020252770902, -0.7620537889635945, -0.9123961386556594;
  keys.row(1) = keys.row(3) = keys.row(0);
  keys.row(2) << 0.1545172142990155, 0.9162912759255561, -0.6738181730475752, 0.9903489828617286;
  Matrix queries(2, 4);
  queries.row(0) << -2.085740431429243, -0.6550318113760645, -0.5197854418455995, 2.196236482966435;
  queries.row(1) << 1.012344610339015, 0.8473729819316697, -0.020567888631340705, -1.2590696212154864;
  Matrix v(4, 1);
  v << 0.427029573841808, 0.2525297152794618, 0.7721908164406611, -1.081252279302136;
  const Attention result = attend(queries, keys, v, 0.5, SimplexMap::sparsemax);
  CHECK(result.weights.row(0) == Eigen::RowVector4d(0, 0, 1, 0));
  CHECK(result.output(0, 0) == 0.7721908164406611);
  // A third each, in exact arithmetic; scores are near 1, so a few roundings remain.
  CHECK(samples::distance(result.weights.row(1), Eigen::RowVector4d(1, 1, 0, 1) / 3) < 1e-15);
  CHECK(std::abs(result.output(1, 0) - -0.13389766339362205) < 1e-15);
}

TEST_CASE("attention with Q = xi and K = V = X is one step of modern Hopfield recall", "[core][attention]") {
  Rng rng(1, "attention_test hopfield");
  for (int trial = 0; trial < 200; ++trial) {
    const Matrix x = samples::normal_matrix(rng, 1 + static_cast<Index>(rng.below(12)),
                                            1 + static_cast<Index>(rng.below(10)));
    const Vector xi = samples::normal_vector(rng, x.cols());
    const double beta = samples::uniform(rng, 0.1, 4);
    for (const SimplexMap map : {SimplexMap::softmax, SimplexMap::sparsemax, SimplexMap::argmax}) {
      const Attention step = attend(xi.transpose(), x, x, beta, map);
      const ModernRecall recall = recall_modern(x, xi, {beta, map, 1, 1e-12});
      // One scales scores by beta, the other divides by 1/beta: the roundings of scores up to about 50.
      REQUIRE(samples::distance(Vector(step.output.row(0).transpose()), recall.state) < 1e-12);
      REQUIRE(samples::distance(Vector(step.weights.row(0).transpose()), recall.weights) < 1e-12);
    }
  }
}

TEST_CASE("raw self-attention is the Hebb matrix", "[core][attention]") {
  Rng rng(2, "attention_test hebb");
  for (int trial = 0; trial < 20; ++trial) {
    const Index k = 1 + static_cast<Index>(rng.below(6)), d = 1 + static_cast<Index>(rng.below(20));
    const Matrix x = samples::spins(rng, k, d);
    const Attention raw = attend(x, x, x, 1.0, std::nullopt);
    CHECK(raw.weights == Matrix(x * x.transpose()));  // integers: exact
    CHECK(attend(x, x, x, 0.25, std::nullopt).output == Matrix(raw.output / 4));
    // (X X') X = d X W with k/d on the diagonal of W, which the zero diagonal leaves out
    const Matrix hebb = static_cast<double>(d) * x * hebb_weights(x) + static_cast<double>(k) * x;
    CHECK(samples::distance(raw.output, hebb) < 1e-12);  // W has quotients by d
  }
}

TEST_CASE("a query is answered alike, alone or among others", "[core][attention]") {
  Rng rng(3, "attention_test rows");
  const Matrix q = samples::normal_matrix(rng, 5, 3), k = samples::normal_matrix(rng, 7, 3),
               v = samples::normal_matrix(rng, 7, 2);
  const Attention all = attend(q, k, v, 0.6);
  CHECK(all.weights.rows() == 5);
  CHECK(all.weights.cols() == 7);
  for (Index i = 0; i < 5; ++i) {
    const Attention one = attend(q.row(i), k, v, 0.6);
    CHECK(one.weights.row(0) == all.weights.row(i));
    CHECK(one.output.row(0) == all.output.row(i));
    CHECK((all.weights.row(i).array() >= 0).all());
    CHECK(std::abs(all.weights.row(i).sum() - 1) < 1e-15 * 7);
    // A mean of the values stays within them.
    for (Index j = 0; j < 2; ++j) {
      CHECK(all.output(i, j) <= v.col(j).maxCoeff() + 1e-15);
      CHECK(all.output(i, j) >= v.col(j).minCoeff() - 1e-15);
    }
  }
}

TEST_CASE("attention at its edges: one key, a zero query, no query", "[core][attention]") {
  CHECK(attend(identity, Matrix::Ones(1, 2), Matrix::Constant(1, 3, 7), 5.0).output ==
        Matrix::Constant(2, 3, 7));
  const Attention even = attend(Matrix::Zero(1, 2), identity, values, 9.0);
  CHECK(even.weights == Matrix::Constant(1, 2, 0.5));
  CHECK(even.output == (Matrix(1, 2) << 2, 3).finished());
  CHECK(attend(Matrix(0, 2), identity, values, 1.0).output.rows() == 0);
  CHECK(attend(identity, identity, values, 0.0).weights == Matrix::Constant(2, 2, 0.5));
}

TEST_CASE("attention refuses shapes that do not fit", "[core][attention]") {
  CHECK_THROWS_AS(attend(identity, Matrix::Ones(2, 3), values, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(attend(identity, identity, Matrix::Ones(3, 2), 1.0), std::invalid_argument);
  CHECK_THROWS_AS(attend(identity, Matrix(0, 2), Matrix(0, 2), 1.0), std::invalid_argument);
  CHECK_THROWS_AS(attend(identity, identity, values, std::numeric_limits<double>::quiet_NaN()),
                  std::invalid_argument);
}

}  // namespace
}  // namespace engram::core
