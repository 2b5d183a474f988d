// SPDX-License-Identifier: MIT
#include "core/attention/scores.hpp"

#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>

#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core {
namespace {

ScoreMaps random_maps(Rng& rng, Index query, Index key, Index hidden) {
  return {samples::normal_matrix(rng, query, key), samples::normal_matrix(rng, hidden, query),
          samples::normal_matrix(rng, hidden, key), samples::normal_vector(rng, hidden),
          samples::normal_vector(rng, hidden)};
}

// Every score by loops over its definition, in long double.
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

TEST_CASE("the table names each score once, in its place", "[core][scores]") {
  std::set<std::string> names;
  for (const auto& row : score_table) {
    CHECK(name_of(score_table, row.value) == row.name);
    CHECK(value_named(score_table, row.name) == row.value);
    CHECK(names.insert(std::string(row.name)).second);
  }
  CHECK_FALSE(value_named(score_table, "euclid"));
  CHECK_FALSE(value_named(score_table, ""));
}

TEST_CASE("all seven scores are their definitions, by naive loops in long double", "[core][scores]") {
  Rng rng(1, "scores_test naive");
  for (int trial = 0; trial < 60; ++trial)
    for (const auto& row : score_table) {
      const bool mapped = row.value == Score::bilinear || row.value == Score::additive;
      const auto d = 1 + static_cast<Index>(rng.below(40)), h = 1 + static_cast<Index>(rng.below(20));
      const Index key_d = mapped ? 1 + static_cast<Index>(rng.below(40)) : d;
      const ScoreMaps maps = random_maps(rng, d, key_d, h);
      const Matrix q = samples::normal_matrix(rng, 1 + static_cast<Index>(rng.below(5)), d);
      const Matrix k = samples::normal_matrix(rng, 1 + static_cast<Index>(rng.below(5)), key_d);
      const Matrix found = scores(row.value, q, k, maps);
      REQUIRE(found.rows() == q.rows());
      REQUIRE(found.cols() == k.rows());
      INFO(row.name);
      for (Index i = 0; i < q.rows(); ++i)
        for (Index j = 0; j < k.rows(); ++j) {
          const double wanted = by_definition(row.value, q.row(i).transpose(), k.row(j).transpose(), maps);
          // some 1600 products of size 1 in two sums: roundings of their partial sums
          REQUIRE(std::abs(found(i, j) - wanted) < 1e-12);
        }
    }
}

TEST_CASE("the cosine does not depend on the size of the numbers, and stays within 1", "[core][scores]") {
  Rng rng(2, "scores_test cosine");
  for (int trial = 0; trial < 200; ++trial) {
    const Matrix q = samples::normal_matrix(rng, 1, 5), k = samples::normal_matrix(rng, 1, 5);
    const double plain = scores(Score::cosine, q, k)(0, 0);
    for (const double size : {0x1p-1000, 0x1p+1000})  // squares leave the doubles; the scaling is exact
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

TEST_CASE("scores by hand", "[core][scores]") {
  const Matrix q = (Matrix(1, 4) << 1, 2, 3, 4).finished(), k = (Matrix(1, 4) << 4, 3, 2, 1).finished();
  CHECK(scores(Score::dot, q, k)(0, 0) == 20);
  CHECK(scores(Score::scaled_dot, q, k)(0, 0) == 10);
  CHECK(scores(Score::neg_sq_euclid, q, k)(0, 0) == -20);
  CHECK(scores(Score::neg_manhattan, q, k)(0, 0) == -8);
  ScoreMaps maps;
  maps.bilinear = Matrix::Zero(4, 4);
  maps.bilinear(0, 3) = 5;  // q_0 k_3, not q_3 k_0
  CHECK(scores(Score::bilinear, q, k, maps)(0, 0) == 5);
  maps.query = maps.key = Matrix::Zero(1, 4);
  maps.bias = samples::vector({1000});
  maps.direction = samples::vector({-3});
  CHECK(scores(Score::additive, q, k, maps)(0, 0) == -3);  // tanh is 1
  CHECK(scores(Score::dot, Matrix(0, 4), k).rows() == 0);
}

TEST_CASE("scores refuse shapes that do not fit", "[core][scores]") {
  const Matrix two = Matrix::Ones(1, 2), three = Matrix::Ones(1, 3);
  for (const auto& row : score_table) {
    INFO(row.name);
    CHECK_THROWS_AS(scores(row.value, two, three), std::invalid_argument);
  }
  Rng rng(3, "scores_test shapes");
  const ScoreMaps good = random_maps(rng, 2, 3, 4);
  CHECK_NOTHROW(scores(Score::additive, two, three, good));
  CHECK_NOTHROW(scores(Score::bilinear, two, three, good));
  CHECK_THROWS_AS(scores(Score::additive, three, two, good), std::invalid_argument);
  CHECK_THROWS_AS(scores(Score::bilinear, three, two, good), std::invalid_argument);
  for (int part = 0; part < 3; ++part) {
    ScoreMaps bad = random_maps(rng, 2, 3, 4);
    if (part == 0) bad.bias = Vector::Ones(3);
    if (part == 1) bad.direction = Vector::Ones(5);
    if (part == 2) bad.key = Matrix::Ones(3, 3);
    CHECK_THROWS_AS(scores(Score::additive, two, three, bad), std::invalid_argument);
  }
}

}  // namespace
}  // namespace engram::core
