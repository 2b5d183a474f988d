// SPDX-License-Identifier: MIT
#include "core/single_precision/float_attention.hpp"

#include "core/attention/attention.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

// Sparse maps. The budget has k = 1, so that it fits a single key.
const std::vector<Regulariser> sparse_maps{SimplexMap::sparsemax,      {SimplexMap::entmax},
                                           {SimplexMap::entmax, 1.2},  {SimplexMap::entmax, 5},
                                           {SimplexMap::entmax, 1000}, {SimplexMap::normmax, 2},
                                           {SimplexMap::normmax, 40},  {SimplexMap::budget, 2, 1},
                                           SimplexMap::argmax,         {SimplexMap::entmax, infinity}};
template <class Rows>
Rows packed(const Matrix& numbers, Precision precision = Precision::float32) {
  Rows rows(numbers.cols(), precision);
  rows.append(numbers);
  return rows;
}

template <class Rows>
Matrix as_stored(const Rows& rows) {
  Matrix numbers(rows.rows(), rows.columns());
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index j = 0; j < rows.columns(); ++j) numbers(i, j) = static_cast<double>(rows.at(i, j));
  return numbers;
}

// The error bound that core/single_precision/float_attention.hpp documents.
double bound(const Matrix& queries, const Matrix& keys, const Matrix& values, double scale,
             Precision precision) {
  const double s = (std::abs(scale) * queries.cwiseAbs() * keys.cwiseAbs().transpose()).maxCoeff();
  const double v = values.cwiseAbs().maxCoeff(), d = static_cast<double>(keys.cols());
  double total = ((2 * d + 8) * s + 350) * 0x1p-24 * v;
  // The factor 1.1 covers higher-order terms.
  if (precision == Precision::bf16) total += (2 * s + 1) * 0x1p-8 * v * 1.1;
  return total;
}

TEST_CASE("softmax in single precision has the documented error", "[float]") {
  Rng rng(1, "float_attention_test bound");
  double worst = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Index n = 1 + below(rng, trial % 10 == 0 ? 9000 : 700);
    const Index d = 1 + below(rng, 70), d_v = 1 + below(rng, 40);
    const Matrix q = uniform_matrix(rng, 1 + below(rng, 9), d);
    const Matrix k = uniform_matrix(rng, n, d), v = uniform_matrix(rng, n, d_v);
    const double scale = uniform(rng, -2, 2);
    const Matrix exact = attend(q, k, v, scale).output;
    for (const Precision precision : samples::precisions) {
      const Matrix found =
          attend(packed<PackedKeys>(k, precision), packed<PackedValues>(v, precision), q, scale);
      const double allowed = bound(q, k, v, scale, precision);
      REQUIRE(distance(found, exact) <= allowed);
      if (precision == Precision::float32) worst = std::max(worst, distance(found, exact) / allowed);
    }
    // If bf16 results are compared with attention over the rounded numbers, they are as accurate as float.
    const auto keys = packed<PackedKeys>(k, Precision::bf16);
    const auto values = packed<PackedValues>(v, Precision::bf16);
    REQUIRE(distance(attend(keys, values, q, scale),
                     attend(q, as_stored(keys), as_stored(values), scale).output) <=
            bound(q, as_stored(keys), as_stored(values), scale, Precision::float32));
  }
  CHECK(worst > 1e-4);  // the bound is not far too large
}

TEST_CASE("softmax of very different scores, computed by hand", "[float]") {
  Matrix k(300, 1), v(300, 2);
  for (Index i = 0; i < 300; ++i) {
    k(i, 0) = static_cast<double>(i);
    v.row(i) << static_cast<double>(i), 1;
  }
  const auto keys = packed<PackedKeys>(k);
  const auto values = packed<PackedValues>(v);
  const auto answer = [&](double q) { return attend(keys, values, Matrix::Constant(1, 1, q), 1.0); };
  CHECK(answer(1e4) == Matrix{{299, 1}});  // scores of the last block exceed those of earlier blocks
  CHECK(answer(-1e4) == Matrix{{0, 1}});
  CHECK(answer(0) == Matrix{{149.5, 1}});
  CHECK(answer(1e-300) == answer(0));
  // Weights are 2^-i at distance i from the end, so the mean distance is 1.
  CHECK(std::abs(answer(std::log(2.0))(0, 0) - 298) < 1e-3);  // scores near 299 have an error of 299 * 2^-24
}

struct Problem {
  PackedKeys keys;
  PackedValues values;
  Matrix queries;
};

Problem problem(Index n, Index d, Index d_v, Index b, Precision precision) {
  Rng rng(3, "float_attention_test problem", static_cast<std::uint64_t>(n * 7919 + d * 101 + d_v));
  Matrix k = uniform_matrix(rng, n, d);
  // Some keys are equal, so their scores tie.
  for (Index i = 0; i + 40 < n; i += 37) k.row(i + 40) = k.row(i);
  return {packed<PackedKeys>(k, precision), packed<PackedValues>(uniform_matrix(rng, n, d_v), precision),
          uniform_matrix(rng, b, d)};
}

// The results of every function for one problem.
struct Answers {
  std::vector<Matrix> of_maps;
  Vector scores;
  std::vector<ScoredKey> best;
  bool operator==(const Answers&) const = default;
};

Answers answers(const Problem& p, const FloatOptions& options) {
  const Vector query = p.queries.row(0).transpose();
  Answers all{{}, scores(p.keys, query, 1.3, options), top_k(p.keys, query, 20, options)};
  for (const Regulariser& map :
       {Regulariser(SimplexMap::softmax), Regulariser(SimplexMap::sparsemax), Regulariser(SimplexMap::budget),
        Regulariser(SimplexMap::argmax), Regulariser(SimplexMap::entmax, 1.3)})
    all.of_maps.push_back(attend(p.keys, p.values, p.queries, 3.0, map, options));
  return all;
}

TEST_CASE("results have the same bits for all threads, batches and instruction sets", "[float]") {
  for (const Precision precision : samples::precisions)
    for (const auto& [n, d, d_v, b] : std::vector<std::array<Index, 4>>{
             {1, 1, 1, 1}, {15, 3, 17, 2}, {257, 16, 16, 7}, {4097, 19, 5, 3}, {13000, 8, 33, 70}}) {
      const Problem p = problem(n, d, d_v, b, precision);
      const Answers portable = answers(p, {1, Instructions::portable});
      for (const Instructions instructions : available_instructions()) {
        for (const unsigned threads : {1U, 2U, 5U}) {
          // Portable instructions with one thread are the reference itself.
          if (instructions == Instructions::portable && threads == 1) continue;
          INFO(name(instructions) << ' ' << threads << ' ' << n);
          CHECK(answers(p, {threads, instructions}) == portable);
        }
      }
      for (Index i = 0; i < b; i += 1 + b / 5)
        CHECK(attend(p.keys, p.values, p.queries.row(i), 3.0, SimplexMap::softmax) ==
              portable.of_maps.front().row(i));
    }
}

TEST_CASE("scores are fused sums of products with the rounded query", "[float]") {
  for (const Precision precision : samples::precisions) {
    const Problem p = problem(300, 21, 1, 1, precision);
    const Vector found = scores(p.keys, p.queries.row(0).transpose(), 0.7);
    for (Index i = 0; i < 300; ++i) {
      float total = 0;
      for (Index j = 0; j < 21; ++j)
        total = std::fma(static_cast<float>(p.queries(0, j) * 0.7), p.keys.at(i, j), total);
      REQUIRE(found[i] == static_cast<double>(total));
    }
  }
}

// Reference implementation of attention: applies the map to all scores at once.
Matrix by_all_scores(const Problem& p, double scale, const Regulariser& map) {
  Matrix out = Matrix::Zero(p.queries.rows(), p.values.columns());
  for (Index i = 0; i < out.rows(); ++i) {
    const Vector weights = apply(map, scores(p.keys, p.queries.row(i).transpose(), scale));
    for (Index key = 0; key < weights.size(); ++key)
      for (Index c = 0; c < out.cols(); ++c)
        out(i, c) += weights[key] * static_cast<double>(p.values.at(key, c));
  }
  return out;
}

TEST_CASE("a sparse map in single precision equals the map of all scores", "[float]") {
  std::vector<Regulariser> some = sparse_maps;
  some.insert(some.end(), {{SimplexMap::budget, 2, 7}, {SimplexMap::budget, 2, 5000}});
  for (const Precision precision : samples::precisions) {
    const Problem p = problem(9001, 12, 20, 3, precision);
    for (const Regulariser& map : some)
      for (const double scale : {0.0, 1e-3, 0.1, 1.0, 30.0}) {  // from all keys in the support to one
        INFO(facts(map.map).name << ' ' << map.alpha << ' ' << map.k << ' ' << scale);
        // attend() and the reference add weights in different orders. For small powers, weights near 0 are sensitive to
        // rounding.
        const double allowed = map.map == SimplexMap::budget ? 1e-11 : 1e-12;
        CHECK(distance(attend(p.keys, p.values, p.queries, scale, map, {.threads = 2}),
                       by_all_scores(p, scale, map)) < allowed);
      }
  }
  const Problem one = problem(5, 2, 3, 2, Precision::float32);
  CHECK(distance(attend(one.keys, one.values, one.queries, 1.0, {SimplexMap::budget, 2, 5}),
                 by_all_scores(one, 1.0, {SimplexMap::budget, 2, 5})) < 1e-14);
}

TEST_CASE("entmax has the bits of softmax for alpha 1 and of argmax for alpha infinity", "[float]") {
  const Problem p = problem(700, 6, 5, 4, Precision::float32);
  const auto answer = [&](const Regulariser& map) { return attend(p.keys, p.values, p.queries, 2.0, map); };
  CHECK(answer({SimplexMap::entmax, 1}) == answer(SimplexMap::softmax));
  CHECK(answer({SimplexMap::entmax, infinity}) == answer(SimplexMap::argmax));
  CHECK(answer({SimplexMap::entmax, 2}) == answer(SimplexMap::sparsemax));
}

TEST_CASE("values outside of the support of a sparse map have no effect", "[float]") {
  // The values are so large that a weight of 2^-100 would change the result.
  Matrix k = Matrix::Zero(1000, 1), v = Matrix::Constant(1000, 1, 0x1p100);
  k(300, 0) = k(900, 0) = 3;
  v(300, 0) = 1, v(900, 0) = 2;
  const auto keys = packed<PackedKeys>(k);
  const auto values = packed<PackedValues>(v);
  for (const Regulariser& map : {Regulariser(SimplexMap::sparsemax), Regulariser(SimplexMap::entmax),
                                 Regulariser(SimplexMap::normmax, 2)})
    CHECK(attend(keys, values, Matrix::Ones(1, 1), 1.0, map)(0, 0) == Approx(1.5).epsilon(1e-15));
}

TEST_CASE("a sparse map treats keys at the margin and ties like the map of all scores", "[float]") {
  // The scores are 2^24 and 2^24 - 1, so the gap is exactly the margin 1. The next float after 2^24 is 2^24 + 2.
  const Matrix v = vector({1, 2, 4});
  const auto values = packed<PackedValues>(v);
  const auto answer = [&](std::initializer_list<double> k, SimplexMap map) {
    return attend(packed<PackedKeys>(vector(k)), values, Matrix::Ones(1, 1), 1.0, map)(0, 0);
  };
  CHECK(answer({16777216, 16777215, 0}, SimplexMap::sparsemax) == 1);
  CHECK(answer({1, 0.5, 0}, SimplexMap::sparsemax) == 0.75 * 1 + 0.25 * 2);
  CHECK(answer({1, 1, 1}, SimplexMap::sparsemax) == Approx(7.0 / 3));
  CHECK(answer({0, 1, 1}, SimplexMap::argmax) == 2);
  CHECK(answer({-1e30, -1e30, -1e30}, SimplexMap::argmax) == 1);
}

TEST_CASE("top_k returns the first sorted scores, ties by index", "[float]") {
  for (const Precision precision : samples::precisions)
    for (const Index n : {1, 16, 31, 256, 1000, 20000}) {
      const Problem p = problem(n, 5, 1, 1, precision);
      const Vector query = p.queries.row(0).transpose(), all = scores(p.keys, query, 1);
      std::vector<Index> order(static_cast<std::size_t>(n));
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
      std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return all[a] > all[b]; });
      for (const Index k : {Index{0}, Index{1}, Index{32}, n - 1, n, n + 5}) {
        const auto found = top_k(p.keys, query, k, {.threads = 2});
        REQUIRE(static_cast<Index>(found.size()) == std::min(k, n));
        for (std::size_t i = 0; i < found.size(); ++i) {
          REQUIRE(found[i].key == order[i]);
          REQUIRE(static_cast<double>(found[i].score) == all[order[i]]);
        }
      }
    }
  PackedKeys equal(1);
  equal.append(Matrix::Ones(5000, 1));
  const auto first = top_k(equal, Vector::Ones(1), 3, {.threads = 3});
  CHECK(first == std::vector<ScoredKey>{{0, 1}, {1, 1}, {2, 1}});
  CHECK(top_k(PackedKeys(2), Vector::Ones(2), 3).empty());
}

TEST_CASE("single precision rejects invalid arguments", "[float]") {
  const auto keys = packed<PackedKeys>(Matrix::Ones(2, 3));
  const auto values = packed<PackedValues>(Matrix::Ones(2, 4));
  const Matrix q = Matrix::Ones(1, 3);
  CHECK(attend(keys, values, Matrix(0, 3), 1.0).rows() == 0);
  CHECK_INVALID(attend(keys, values, Matrix::Ones(1, 2), 1.0));
  CHECK_INVALID(attend(keys, packed<PackedValues>(Matrix::Ones(3, 4)), q, 1.0));
  CHECK_INVALID(attend(PackedKeys(3), PackedValues(4), q, 1.0));
  CHECK_INVALID(top_k(keys, Vector::Ones(3), -1));
  CHECK_INVALID(top_k(keys, Vector::Ones(4), 1));
  CHECK_INVALID(scores(keys, Vector::Ones(4), 1));
  for (const double bad : {nan, infinity, 1e40, -1e300}) {
    CHECK_INVALID(attend(keys, values, Matrix::Constant(1, 3, bad), 1.0));
    CHECK_INVALID(attend(keys, values, q, bad));
    CHECK_INVALID(scores(keys, Vector::Constant(3, bad), 1));
    CHECK_INVALID(top_k(keys, Vector::Constant(3, bad), 1));
  }
  for (const Regulariser& map :
       {Regulariser(SimplexMap::entmax, 0.9), Regulariser(SimplexMap::entmax, std::nan("")),
        Regulariser(SimplexMap::normmax, 1), Regulariser(SimplexMap::budget, 2, 0),
        Regulariser(SimplexMap::budget, 2, -1), Regulariser(SimplexMap::budget, 2, 3)})
    CHECK_INVALID(attend(keys, values, q, 1.0, map));
  const auto small = packed<PackedKeys>(Matrix::Constant(2, 3, 1e-30));  // the query must fit into a float
  CHECK_INVALID(scores(small, Vector::Constant(3, 1e40), 1));
  const auto large = packed<PackedKeys>(Matrix::Constant(2, 3, 1e30));
  CHECK_INVALID(scores(large, Vector::Constant(3, 1e7), 1));
  CHECK(scores(large, Vector::Constant(3, 1e5), 1)[1] == Approx(3e35));
  CHECK(attend(large, values, q * 1e5, 1.0) == Matrix::Ones(1, 4));
}

TEST_CASE("single precision has these bits on every processor", "[float]") {
  // Recorded from a run, to compare compilers and processors.
  const Problem p = problem(9001, 24, 3, 1, Precision::float32);
  const auto first = [](const Problem& of, double scale, SimplexMap map) {
    return attend(of.keys, of.values, of.queries, scale, map)(0, 1);
  };
  CHECK(first(p, 2.0, SimplexMap::softmax) == -0x1.9abffaad7c44fp-12);
  const Problem half = problem(9001, 24, 3, 1, Precision::bf16);
  CHECK(first(half, 2.0, SimplexMap::softmax) == -0x1.ce78bdb3672aap-11);
  CHECK(first(half, 0.2, SimplexMap::sparsemax) == 0x1.e4310258p-4);
}

}  // namespace
}  // namespace engram::core
