// SPDX-License-Identifier: MIT
#include "core/attention/attention.hpp"
#include "core/hopfield/modern_hopfield.hpp"
#include "core/learning/pattern_weights.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

ScoreMaps random_maps(Rng& rng, Index query, Index key, Index hidden) {
  return {normal_matrix(rng, query, key), normal_matrix(rng, hidden, query), normal_matrix(rng, hidden, key),
          normal_vector(rng, hidden), normal_vector(rng, hidden)};
}

// Reference implementation of all scores, in long double.
double by_definition(Score score, const Vector& q, const Vector& k, const ScoreMaps& maps) {
  long double total = 0, qq = 0, kk = 0;
  switch (score) {
    case Score::bilinear:
      for (Index i = 0; i < q.size(); ++i)
        for (Index j = 0; j < k.size(); ++j)
          total += static_cast<long double>(q[i]) * maps.bilinear(i, j) * k[j];
      return static_cast<double>(total);
    case Score::additive:
      for (Index h = 0; h < maps.bias.size(); ++h) {
        long double inside = maps.bias[h];
        for (Index i = 0; i < q.size(); ++i) inside += static_cast<long double>(maps.query(h, i)) * q[i];
        for (Index j = 0; j < k.size(); ++j) inside += static_cast<long double>(maps.key(h, j)) * k[j];
        total += maps.direction[h] * std::tanh(inside);
      }
      return static_cast<double>(total);
    default:
      break;
  }
  for (Index i = 0; i < q.size(); ++i) {
    const long double a = q[i], b = k[i];
    qq += a * a;
    kk += b * b;
    if (score == Score::neg_sq_euclid)
      total -= (a - b) * (a - b);
    else if (score == Score::neg_manhattan)
      total -= std::abs(a - b);
    else
      total += a * b;
  }
  if (score == Score::scaled_dot) total /= std::sqrt(static_cast<long double>(q.size()));
  if (score == Score::cosine) total = qq > 0 && kk > 0 ? total / std::sqrt(qq) / std::sqrt(kk) : 0;
  return static_cast<double>(total);
}

TEST_CASE("the table of scores is complete and in order", "[scores]") {
  std::set<std::string> names;
  for (const auto& row : score_table) {
    CHECK(name_of(score_table, row.value) == row.name);
    CHECK(value_named(score_table, row.name) == row.value);
    CHECK(names.insert(std::string(row.name)).second);
  }
  CHECK_FALSE(value_named(score_table, "euclid"));
  CHECK_FALSE(value_named(score_table, ""));
}

TEST_CASE("all seven scores match a naive implementation in long double", "[scores]") {
  Rng rng(1, "scores_test naive");
  for (int trial = 0; trial < 60; ++trial)
    for (const auto& row : score_table) {
      const bool mapped = row.value == Score::bilinear || row.value == Score::additive;
      const auto d = 1 + below(rng, 40), h = 1 + below(rng, 20);
      const Index key_d = mapped ? 1 + below(rng, 40) : d;
      const ScoreMaps maps = random_maps(rng, d, key_d, h);
      const Matrix q = normal_matrix(rng, 1 + below(rng, 5), d);
      const Matrix k = normal_matrix(rng, 1 + below(rng, 5), key_d);
      const Matrix found = scores(row.value, q, k, maps);
      REQUIRE(found.rows() == q.rows());
      REQUIRE(found.cols() == k.rows());
      INFO(row.name);
      for (Index i = 0; i < q.rows(); ++i)
        for (Index j = 0; j < k.rows(); ++j) {
          const double wanted = by_definition(row.value, q.row(i).transpose(), k.row(j).transpose(), maps);
          // About 1600 products of size 1 are summed in two ways, so rounding errors stay below this bound.
          REQUIRE(std::abs(found(i, j) - wanted) < 1e-12);
        }
    }
}

TEST_CASE("the cosine is scale invariant and at most 1 in magnitude", "[scores]") {
  Rng rng(2, "scores_test cosine");
  for (int trial = 0; trial < 200; ++trial) {
    const Matrix q = normal_matrix(rng, 1, 5), k = normal_matrix(rng, 1, 5);
    const double plain = scores(Score::cosine, q, k)(0, 0);
    for (const double size : {0x1p-1000, 0x1p+1000})  // squares overflow or underflow; the scaling is exact
      CHECK(scores(Score::cosine, q * size, k / size)(0, 0) == plain);
    CHECK(std::abs(plain) <= 1);
    const double same = scores(Score::cosine, q, q)(0, 0);
    CHECK(same <= 1);
    CHECK(same > 1 - 1e-15 * 4);
    CHECK(scores(Score::cosine, q, -q)(0, 0) >= -1);
  }
  const Matrix least = Matrix::Constant(1, 3, std::numeric_limits<double>::denorm_min());
  CHECK(std::abs(scores(Score::cosine, least, least)(0, 0) - 1) < 1e-15);
  CHECK(std::abs(scores(Score::cosine, least, Matrix::Constant(1, 3, -1e308))(0, 0) + 1) < 1e-15);
  const Matrix zero = Matrix::Zero(1, 3);
  CHECK(scores(Score::cosine, zero, least)(0, 0) == 0);
  CHECK(scores(Score::cosine, least, zero)(0, 0) == 0);
  CHECK(scores(Score::cosine, zero, zero)(0, 0) == 0);
}

TEST_CASE("scores by hand", "[scores]") {
  const Matrix q{{1, 2, 3, 4}}, k = Matrix{{4, 3, 2, 1}};
  CHECK(scores(Score::dot, q, k)(0, 0) == 20);
  CHECK(scores(Score::scaled_dot, q, k)(0, 0) == 10);
  CHECK(scores(Score::neg_sq_euclid, q, k)(0, 0) == -20);
  CHECK(scores(Score::neg_manhattan, q, k)(0, 0) == -8);
  ScoreMaps maps;
  maps.bilinear = Matrix::Zero(4, 4);
  maps.bilinear(0, 3) = 5;  // this entry multiplies q_0 and k_3, not q_3 and k_0
  CHECK(scores(Score::bilinear, q, k, maps)(0, 0) == 5);
  maps.query = maps.key = Matrix::Zero(1, 4);
  maps.bias = vector({1000});
  maps.direction = vector({-3});
  CHECK(scores(Score::additive, q, k, maps)(0, 0) == -3);  // tanh(1000) is 1, times the direction -3
  CHECK(scores(Score::dot, Matrix(0, 4), k).rows() == 0);
}

TEST_CASE("scores reject wrong shapes", "[scores]") {
  const Matrix two = Matrix::Ones(1, 2), three = Matrix::Ones(1, 3);
  for (const auto& row : score_table) {
    INFO(row.name);
    CHECK_INVALID(scores(row.value, two, three));
  }
  Rng rng(3, "scores_test shapes");
  const ScoreMaps good = random_maps(rng, 2, 3, 4);
  CHECK_NOTHROW(scores(Score::additive, two, three, good));
  CHECK_NOTHROW(scores(Score::bilinear, two, three, good));
  CHECK_INVALID(scores(Score::additive, three, two, good));
  CHECK_INVALID(scores(Score::bilinear, three, two, good));
  for (int part = 0; part < 3; ++part) {
    ScoreMaps bad = random_maps(rng, 2, 3, 4);
    if (part == 0) bad.bias = Vector::Ones(3);
    if (part == 1) bad.direction = Vector::Ones(5);
    if (part == 2) bad.key = Matrix::Ones(3, 3);
    CHECK_INVALID(scores(Score::additive, two, three, bad));
  }
}

const Matrix identity = Matrix::Identity(2, 2);
const Matrix values{{1, 2}, {3, 4}};

TEST_CASE("attention of two queries to two keys, worked by hand", "[attention]") {
  // Scores (log 3, 0) and (0, log 3) give weights (3/4, 1/4) and (1/4, 3/4).
  const Attention soft = attend(identity, identity, values, std::log(3.0));
  const Matrix weights{{0.75, 0.25}, {0.25, 0.75}};
  const Matrix output{{1.5, 2.5}, {2.5, 3.5}};
  CHECK(distance(soft.weights, weights) < 1e-15);  // rounding of log and exp
  CHECK(distance(soft.output, output) < 2e-15);
  // sparsemax of (1/2, 0) is the same distribution, exactly.
  const Attention sparse = attend(identity, identity, values, 0.5, SimplexMap::sparsemax);
  CHECK(sparse.weights == weights);
  CHECK(sparse.output == output);
  const Attention hard = attend(identity, identity, values, 0.5, SimplexMap::argmax);
  CHECK(hard.weights == identity);
  CHECK(hard.output == values);
}

TEST_CASE("equal keys have equal weights", "[attention]") {
  Matrix keys(4, 4);
  keys.row(0) << -0.12110476722096261, 0.8640020252770902, -0.7620537889635945, -0.9123961386556594;
  keys.row(1) = keys.row(3) = keys.row(0);
  keys.row(2) << 0.1545172142990155, 0.9162912759255561, -0.6738181730475752, 0.9903489828617286;
  Matrix queries(2, 4);
  queries.row(0) << -2.085740431429243, -0.6550318113760645, -0.5197854418455995, 2.196236482966435;
  queries.row(1) << 1.012344610339015, 0.8473729819316697, -0.020567888631340705, -1.2590696212154864;
  const Matrix v{{0.427029573841808}, {0.2525297152794618}, {0.7721908164406611}, {-1.081252279302136}};
  const Attention result = attend(queries, keys, v, 0.5, SimplexMap::sparsemax);
  CHECK(result.weights.row(0) == Eigen::RowVector4d(0, 0, 1, 0));
  CHECK(result.output(0, 0) == 0.7721908164406611);
  // Exact arithmetic gives a third each; scores are near 1, so some rounding remains.
  CHECK(distance(result.weights.row(1), Eigen::RowVector4d(1, 1, 0, 1) / 3) < 1e-15);
  CHECK(std::abs(result.output(1, 0) - -0.13389766339362205) < 1e-15);
}

TEST_CASE("attention with Q = xi and K = V = X is one step of a modern Hopfield network", "[attention]") {
  Rng rng(1, "attention_test hopfield");
  for (int trial = 0; trial < 200; ++trial) {
    const Matrix x = normal_matrix(rng, 1 + below(rng, 12), 1 + below(rng, 10));
    const Vector xi = normal_vector(rng, x.cols());
    const double beta = uniform(rng, 0.1, 4);
    for (const SimplexMap map : {SimplexMap::softmax, SimplexMap::sparsemax, SimplexMap::argmax}) {
      const Attention step = attend(xi.transpose(), x, x, beta, map);
      const ModernRecall recall = recall_modern(x, xi, {beta, map, 1, 1e-12});
      // One function multiplies by beta, the other divides by 1/beta. The scores are at most 50.
      REQUIRE(distance(Vector(step.output.row(0).transpose()), recall.state) < 1e-12);
      REQUIRE(distance(Vector(step.weights.row(0).transpose()), recall.weights) < 1e-12);
    }
  }
}

TEST_CASE("self-attention without a map is the Hebbian matrix", "[attention]") {
  Rng rng(2, "attention_test hebb");
  for (int trial = 0; trial < 20; ++trial) {
    const Index k = 1 + below(rng, 6), d = 1 + below(rng, 20);
    const Matrix x = spins(rng, k, d);
    const Attention raw = attend(x, x, x, 1.0, std::nullopt);
    CHECK(raw.weights == Matrix(x * x.transpose()));  // integers: exact
    CHECK(attend(x, x, x, 0.25, std::nullopt).output == Matrix(raw.output / 4));
    // The output is (X X') X = d X W, where W has k/d on its diagonal. The diagonal of hebb_weights() is 0, so k X is
    // added.
    const Matrix hebb = static_cast<double>(d) * x * hebb_weights(x) + static_cast<double>(k) * x;
    CHECK(distance(raw.output, hebb) < 1e-12);  // the entries of W are quotients by d, which are rounded
  }
}

TEST_CASE("the result of a query does not depend on other queries", "[attention]") {
  Rng rng(3, "attention_test rows");
  const Matrix q = normal_matrix(rng, 5, 3), k = normal_matrix(rng, 7, 3), v = normal_matrix(rng, 7, 2);
  const Attention all = attend(q, k, v, 0.6);
  CHECK(all.weights.rows() == 5);
  CHECK(all.weights.cols() == 7);
  for (Index i = 0; i < 5; ++i) {
    const Attention one = attend(q.row(i), k, v, 0.6);
    CHECK(one.weights.row(0) == all.weights.row(i));
    CHECK(one.output.row(0) == all.output.row(i));
    CHECK((all.weights.row(i).array() >= 0).all());
    CHECK(std::abs(all.weights.row(i).sum() - 1) < 1e-15 * 7);
    // A mean of values is within their range.
    for (Index j = 0; j < 2; ++j) {
      CHECK(all.output(i, j) <= v.col(j).maxCoeff() + 1e-15);
      CHECK(all.output(i, j) >= v.col(j).minCoeff() - 1e-15);
    }
  }
}

TEST_CASE("edge cases of attention: one key, a zero query, no query", "[attention]") {
  CHECK(attend(identity, Matrix::Ones(1, 2), Matrix::Constant(1, 3, 7), 5.0).output ==
        Matrix::Constant(2, 3, 7));
  const Attention even = attend(Matrix::Zero(1, 2), identity, values, 9.0);
  CHECK(even.weights == Matrix::Constant(1, 2, 0.5));
  CHECK(even.output == Matrix{{2, 3}});
  CHECK(attend(Matrix(0, 2), identity, values, 1.0).output.rows() == 0);
  CHECK(attend(identity, identity, values, 0.0).weights == Matrix::Constant(2, 2, 0.5));
}

TEST_CASE("attention rejects wrong shapes", "[attention]") {
  CHECK_INVALID(attend(identity, Matrix::Ones(2, 3), values, 1.0));
  CHECK_INVALID(attend(identity, identity, Matrix::Ones(3, 2), 1.0));
  CHECK_INVALID(attend(identity, Matrix(0, 2), Matrix(0, 2), 1.0));
  CHECK_INVALID(attend(identity, identity, values, nan));
}

TEST_CASE("the table of separations is complete and in order", "[universal]") {
  for (const SeparationFacts& row : separations) {
    CHECK(name_of(separations, row.value) == row.name);
    CHECK(value_named(separations, row.name) == row.value);
  }
  CHECK_FALSE(value_named(separations, "Softmax"));
}

TEST_CASE("separations by hand", "[universal]") {
  const Vector s = vector({2, -3, 2, 0});
  CHECK(separate(Separation::identity, s, 7) == s);
  CHECK(separate(Separation::max, s, 7) == vector({1, 0, 0, 0}));  // the first of equal scores wins
  CHECK(separate(Separation::poly, s, 3) == vector({8, -27, 8, 0}));
  CHECK(separate(Separation::poly, s, 0) == vector({1, 1, 1, 1}));
  CHECK(separate(Separation::poly, vector({4, 0}), 0.5)[1] == 0);
  CHECK(std::abs(separate(Separation::poly, vector({4, 9}), 2.5)[1] - 243) < 1e-12);
  CHECK(separate(Separation::poly, vector({2, -4}), -2) == vector({0.25, 0.0625}));
  const double e = std::exp(-4.0);  // the softmax of 2 (1, -1) is 1 / (1 + e^-4) for the first score
  const Vector soft = separate(Separation::softmax, vector({1, -1}), 2);
  CHECK(std::abs(soft[0] - 1 / (1 + e)) < 1e-15);
  CHECK(separate(Separation::entmax, vector({0.25, 0}), 2) == vector({0.625, 0.375}));
  CHECK_INVALID(separate(Separation::poly, s, 0.5));  // a fractional power of the score -3 is not real
  CHECK_INVALID(separate(Separation::entmax, s, 0.5));
  CHECK_INVALID(separate(Separation::identity, vector({nan}), 1));
  CHECK_INVALID(separate(Separation::softmax, s, nan));
}

TEST_CASE("entmax at alpha 1 and 2 is softmax and sparsemax", "[universal]") {
  Rng rng(1, "universal_test entmax");
  for (int trial = 0; trial < 50; ++trial) {
    const Vector s = 2 * normal_vector(rng, 6);
    CHECK(distance(separate(Separation::entmax, s, 1), separate(Separation::softmax, s, 1)) < 1e-15);
    CHECK(distance(separate(Separation::entmax, s, 2), apply(SimplexMap::sparsemax, s)) < 1e-15);
  }
}

TEST_CASE("the universal form includes Hebbian memory, modern Hopfield and nearest neighbour",
          "[universal]") {
  Rng rng(2, "universal_test kinds");
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix x = spins(rng, 4, 12);
    const Vector q = spin_state(rng, 12);
    const auto hebb = recall_universal(x, x, q, Score::dot, Separation::identity, 0);
    // The output is X' X q = n W q + k q for k = 4 patterns of n = 12 spins, because W has a zero diagonal. Only the
    // quotients by n are rounded.
    CHECK(distance(hebb.output, Vector(12 * (hebb_weights(x) * q) + 4 * q)) < 1e-12);
    const auto modern = recall_universal(x, x, q, Score::dot, Separation::softmax, 0.3);
    CHECK(distance(modern.output, recall_modern(x, q, {0.3, SimplexMap::softmax, 1, 1e-12}).state) < 1e-14);
    const auto nearest = recall_universal(x, x, q, Score::neg_sq_euclid, Separation::max, 0);
    Index best = 0;
    for (Index i = 1; i < 4; ++i)
      if ((x.row(i).transpose() - q).norm() < (x.row(best).transpose() - q).norm()) best = i;
    CHECK(nearest.output == Vector(x.row(best).transpose()));
  }
}

TEST_CASE("hetero-association: values may have another width than keys", "[universal]") {
  const Matrix keys = Matrix::Identity(2, 2), values = Matrix{{1, 2, 3}, {4, 5, 6}};
  const auto recall = recall_universal(keys, values, vector({0, 2}), Score::dot, Separation::identity, 0);
  CHECK(recall.similarity == vector({0, 2}));
  CHECK(recall.output == vector({8, 10, 12}));
  CHECK_INVALID(recall_universal(keys, Matrix::Ones(3, 1), Vector::Ones(2), Score::dot, Separation::max, 0));
  CHECK_INVALID(recall_universal(keys, values, Vector::Ones(3), Score::dot, Separation::max, 0));
  CHECK_INVALID(
      recall_universal(Matrix(0, 2), Matrix(0, 2), Vector::Ones(2), Score::dot, Separation::max, 0));
  CHECK_INVALID(recall_universal(keys, values, Vector::Ones(2), Score::bilinear, Separation::max, 0));
}

}  // namespace
}  // namespace engram::core
