// SPDX-License-Identifier: MIT
// Tests of attention with masks, biases, positions in time, a cache and several heads.

#include "core/attention/attention.hpp"
#include "core/numbers/numeric.hpp"
#include "tests/core/samples.hpp"

namespace engram::core {
namespace {

using namespace samples;

const std::vector<Regulariser> some_maps{SimplexMap::softmax,        SimplexMap::sparsemax,
                                         SimplexMap::entmax,         {SimplexMap::entmax, 1.3},
                                         {SimplexMap::normmax, 2.0}, SimplexMap::argmax};

Mask random_mask(Rng& rng, Index rows, Index columns) {
  Mask mask(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) mask(i, j) = rng.below(3) != 0;
  return mask;
}

// Reference implementation of softmax attention, in long double.
Attention naive(const Matrix& q, const Matrix& k, const Matrix& v, double scale, const Mask& allow,
                const Matrix& bias) {
  Attention result{Matrix::Zero(q.rows(), k.rows()), Matrix::Zero(q.rows(), v.cols())};
  for (Index i = 0; i < q.rows(); ++i) {
    std::vector<long double> e(static_cast<std::size_t>(k.rows()), 0.0L);
    long double total = 0;
    for (Index j = 0; j < k.rows(); ++j) {
      if (!allow(i, j)) continue;
      long double s = 0;
      for (Index d = 0; d < q.cols(); ++d) s += static_cast<long double>(q(i, d)) * k(j, d);
      total += e[static_cast<std::size_t>(j)] = std::exp(scale * s + bias(i, j));
    }
    if (total == 0) continue;
    for (Index c = 0; c < v.cols(); ++c) {
      long double out = 0;
      for (Index j = 0; j < k.rows(); ++j) out += e[static_cast<std::size_t>(j)] / total * v(j, c);
      result.output(i, c) = static_cast<double>(out);
    }
    for (Index j = 0; j < k.rows(); ++j)
      result.weights(i, j) = static_cast<double>(e[static_cast<std::size_t>(j)] / total);
  }
  return result;
}

TEST_CASE("attention with mask and bias matches a naive implementation", "[attention]") {
  Rng rng(1, "attention_masks_test naive");
  for (int trial = 0; trial < 100; ++trial) {
    const auto n = 1 + below(rng, 8), m = 1 + below(rng, 8);
    const Matrix q = normal_matrix(rng, n, 5), k = normal_matrix(rng, m, 5), v = normal_matrix(rng, m, 3);
    const AttentionOptions options{
        .scale = uniform(rng, -2, 2), .allow = random_mask(rng, n, m), .bias = normal_matrix(rng, n, m)};
    const Attention found = attend(q, k, v, options);
    const Attention wanted = naive(q, k, v, options.scale, options.allow, options.bias);
    REQUIRE(distance(found.weights, wanted.weights) < 1e-14);  // scores of about 10 limit the rounding errors
    REQUIRE(distance(found.output, wanted.output) < 1e-13);
  }
}

TEST_CASE("masking keys gives the same bits as removing them", "[attention]") {
  Rng rng(2, "attention_masks_test removed");
  int empty_rows = 0;
  for (int trial = 0; trial < 60; ++trial)
    for (const Regulariser& map : some_maps) {
      const Index m = 1 + below(rng, 6);
      const Matrix q = normal_matrix(rng, 1, 4), k = 3 * normal_matrix(rng, m, 4),
                   v = normal_matrix(rng, m, 2);
      const AttentionOptions options{
          .map = map, .allow = random_mask(rng, 1, m), .bias = normal_matrix(rng, 1, m)};
      const Attention masked = attend(q, k, v, options);
      std::vector<Index> kept;
      for (Index j = 0; j < m; ++j)
        if (options.allow(0, j)) kept.push_back(j);
      if (kept.empty()) {
        ++empty_rows;
        CHECK(masked.weights == Matrix::Zero(1, m));
        CHECK(masked.output == Matrix::Zero(1, 2));
        continue;
      }
      AttentionOptions rest;
      rest.map = map;
      rest.bias = options.bias(Eigen::all, kept);
      const Attention without = attend(q, k(kept, Eigen::all), v(kept, Eigen::all), rest);
      CHECK(Matrix(masked.weights(Eigen::all, kept)) == without.weights);
      CHECK(masked.output == without.output);
      for (Index j = 0; j < m; ++j)
        if (!options.allow(0, j)) CHECK(masked.weights(0, j) == 0);
    }
  CHECK(empty_rows > 5);
}

TEST_CASE("permuting keys permutes the weights", "[attention]") {
  Rng rng(3, "attention_masks_test permutation");
  for (const Regulariser& map : some_maps) {
    const Matrix q = normal_matrix(rng, 3, 4), k = normal_matrix(rng, 7, 4), v = normal_matrix(rng, 7, 2);
    const AttentionOptions options{
        .map = map, .allow = random_mask(rng, 3, 7), .bias = normal_matrix(rng, 3, 7)};
    const Attention plain = attend(q, k, v, options);
    std::vector<Index> order;
    for (const auto i : rng.permutation(7)) order.push_back(static_cast<Index>(i));
    AttentionOptions moved = options;
    moved.allow = options.allow(Eigen::all, order);
    moved.bias = options.bias(Eigen::all, order);
    const Attention permuted = attend(q, k(order, Eigen::all), v(order, Eigen::all), moved);
    // The sums are in another order, and the thresholds of entmax and normmax have rounding errors.
    CHECK(distance(permuted.weights, Matrix(plain.weights(Eigen::all, order))) < 1e-13);
    CHECK(distance(permuted.output, plain.output) < 1e-13);
  }
}

TEST_CASE("without a map, weights are the scores, or 0 if masked", "[attention]") {
  AttentionOptions options;
  options.map.reset();
  options.allow = causal_mask(2);
  const Matrix x{{1, 2}, {3, 4}};
  const Attention raw = attend(x, x, x, options);
  CHECK(raw.weights == Matrix{{5, 0}, {11, 25}});
  CHECK(raw.output == Matrix{{5, 10}, {86, 122}});
}

TEST_CASE("attention rejects masks and biases of wrong shapes", "[attention]") {
  const Matrix x = Matrix::Ones(2, 2);
  AttentionOptions options;
  options.allow = Mask::Ones(2, 3);
  CHECK_INVALID(attend(x, x, x, options));
  options.allow = Mask::Ones(1, 2);
  CHECK_INVALID(attend(x, x, x, options));
  options.allow = {};
  options.bias = Matrix::Ones(3, 2);
  CHECK_INVALID(attend(x, x, x, options));
  options.bias = Matrix::Constant(2, 2, nan);
  CHECK_INVALID(attend(x, x, x, options));
  options.allow = Mask::Zero(2, 2);  // masked scores may be infinite or NaN
  CHECK(attend(x, x, x, options).output == Matrix::Zero(2, 2));
  CHECK_INVALID(attend_by(Matrix::Ones(2, 3), x, {}));
}

TEST_CASE("masks by hand", "[masks]") {
  const auto rows = [](std::initializer_list<const char*> lines) {
    Mask mask(static_cast<Index>(lines.size()), static_cast<Index>(lines.size()));
    Index i = 0;
    for (const char* line : lines) {
      for (Index j = 0; j < mask.cols(); ++j) mask(i, j) = line[j] == '1';
      ++i;
    }
    return mask;
  };
  CHECK(causal_mask(3) == rows({"100", "110", "111"}));
  CHECK(window_mask(4, 1) == rows({"1100", "1110", "0111", "0011"}));
  CHECK(window_mask(3, 0) == rows({"100", "010", "001"}));
  CHECK(window_mask(3, 9) == rows({"111", "111", "111"}));
  CHECK_INVALID(window_mask(3, -1));
  Matrix links = Matrix::Zero(3, 3);
  links(0, 1) = 2;
  links(2, 0) = 0.5;
  CHECK(neighbourhood_mask(sparse(links)) == rows({"110", "010", "101"}));
  SparseRows with_zero(2);  // a stored link of weight 0 is ignored
  with_zero.push_row(std::vector<std::uint32_t>{1}, std::vector<double>{0.0});
  with_zero.push_row(std::vector<std::uint32_t>{}, std::vector<double>{});
  CHECK(neighbourhood_mask(with_zero) == Mask(Mask::Identity(2, 2)));
}

TEST_CASE("masked softmax of log weights is the random walk on the graph", "[masks]") {
  Rng rng(4, "attention_masks_test walk");
  Matrix links = Matrix::Zero(8, 8), logs = Matrix::Zero(8, 8);
  for (Index i = 0; i < 8; ++i)
    for (Index j = 0; j < 8; ++j)
      if (i == j || rng.below(3) == 0) {
        links(i, j) = uniform(rng, 0.1, 5);
        logs(i, j) = std::log(links(i, j));
      }
  AttentionOptions options;
  options.allow = neighbourhood_mask(sparse(links));
  const Attention walk = attend_by(logs, Matrix::Identity(8, 8), options);
  for (Index i = 0; i < 8; ++i)
    CHECK(distance(Matrix(walk.weights.row(i)), Matrix(links.row(i) / links.row(i).sum())) < 1e-15);
  CHECK(walk.output == walk.weights);
}

TEST_CASE("sinusoidal positions match the formula of the paper", "[positions]") {
  Vector times(200);
  for (Index i = 0; i < 200; ++i) times[i] = static_cast<double>(i * i) * 0.37 - 500;
  for (const Index d : {1, 2, 7, 64}) {
    const Matrix found = sinusoidal_positions(times, d);
    Matrix wanted(times.size(), d);
    for (Index i = 0; i < wanted.rows(); ++i)
      for (Index c = 0; c < d; ++c) {
        const long double angle = times[i] / std::pow(10000.0L, static_cast<long double>(c - c % 2) / d);
        wanted(i, c) = static_cast<double>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
      }
    // The error comes from angles up to 14000 times relative errors of 1e-15 in the frequencies.
    CHECK(distance(found, wanted) < 1e-11);
  }
  const Matrix at = sinusoidal_positions(times, 8);
  const Matrix later = sinusoidal_positions(times.array() + 12.5, 8);
  for (Index i = 1; i < 50; ++i)  // inner products depend only on the difference of times
    CHECK(std::abs(dot(Vector(at.row(i)), Vector(at.row(i - 1))) -
                   dot(Vector(later.row(i)), Vector(later.row(i - 1)))) < 1e-11);
  CHECK_INVALID(sinusoidal_positions(times, 0));
  CHECK_INVALID(sinusoidal_positions(times, 2, 0.0));
  CHECK_INVALID(sinusoidal_positions(vector({2e9}), 2));
}

TEST_CASE("a linear age bias is equal to an exponential prior on age", "[positions]") {
  Rng rng(5, "attention_masks_test age");
  const Index n = 7;
  const Vector times = Vector::LinSpaced(n, 0, n - 1);
  const AttentionOptions options{.allow = causal_mask(n), .bias = linear_age_bias(times, times, 0.3)};
  CHECK(options.bias(4, 1) == -0.3 * 3);
  CHECK(options.bias(1, 4) == 0.3 * 3);
  const Matrix q = normal_matrix(rng, n, 4), k = normal_matrix(rng, n, 4);
  const Attention aged = attend(q, k, Matrix::Identity(n, n), options);
  for (Index i = 0; i < n; ++i) {
    Vector p = Vector::Zero(n);
    for (Index j = 0; j <= i; ++j)
      p[j] = std::exp(-0.3 * static_cast<double>(i - j)) * std::exp(q.row(i).dot(k.row(j)));
    CHECK(distance(Vector(aged.weights.row(i).transpose()), Vector(p / p.sum())) < 1e-14);
  }
}

TEST_CASE("a Gaussian kernel smoother is attention with a prior by the keys' lengths", "[attention]") {
  // Nadaraya-Watson smoothing with bandwidth h: the weights are proportional to exp(-|q-k|^2 / 2h^2). This equals
  // softmax(q.k / h^2) with the prior exp(-|k|^2 / 2h^2).
  Rng rng(6, "attention_masks_test smoother");
  const Matrix q = normal_matrix(rng, 4, 3), k = normal_matrix(rng, 6, 3), v = normal_matrix(rng, 6, 2);
  const double h = 0.8;
  Matrix kernel(4, 6);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 6; ++j) kernel(i, j) = std::exp(-(q.row(i) - k.row(j)).squaredNorm() / (2 * h * h));
  for (Index i = 0; i < 4; ++i) kernel.row(i) /= kernel.row(i).sum();
  AttentionOptions options;
  options.scale = 1 / (h * h);
  options.bias = Matrix::Zero(4, 6);
  for (Index j = 0; j < 6; ++j) options.bias.col(j).setConstant(-k.row(j).squaredNorm() / (2 * h * h));
  const Attention attention = attend(q, k, v, options);
  CHECK(distance(attention.weights, kernel) < 1e-14);
  CHECK(distance(attention.output, Matrix(kernel * v)) < 1e-14);
  AttentionOptions distances;  // the softmax of negative squared distances gives the same weights
  distances.scale = 1 / (2 * h * h);
  CHECK(distance(attend_by(scores(Score::neg_sq_euclid, q, k), v, distances).weights, kernel) < 1e-14);
}

TEST_CASE("the cache gives each row of batch attention with the same bits", "[attention_cache]") {
  Rng rng(7, "attention_masks_test cache");
  const Index n = 30;
  const Matrix q = normal_matrix(rng, n, 5), k = normal_matrix(rng, n, 5), v = normal_matrix(rng, n, 3);
  const Vector times = Vector::LinSpaced(n, 0, n - 1);
  const std::vector<std::optional<Index>> windows{{}, 0, 1, 6, 100};
  for (const Regulariser& map : some_maps)
    for (const auto& window : windows)
      for (const bool biased : {false, true}) {
        AttentionOptions batch;
        batch.scale = 0.7;
        batch.map = map;
        batch.allow = causal_mask(n);
        if (window) batch.allow = batch.allow.array() && window_mask(n, *window).array();
        if (biased) batch.bias = linear_age_bias(times, times, 0.2);
        const Attention all = attend(q, k, v, batch);
        AttentionCache cache(5, 3, {0.7, map, window});
        for (Index t = 0; t < n; ++t) {
          cache.append(k.row(t).transpose(), v.row(t).transpose());
          REQUIRE(cache.size() == t + 1);
          const Vector bias = biased ? Vector(batch.bias.row(t).head(t + 1).transpose()) : Vector();
          const auto step = cache.attend(q.row(t).transpose(), bias);
          REQUIRE(step.weights == Vector(all.weights.row(t).head(t + 1).transpose()));
          REQUIRE(step.output == Vector(all.output.row(t).transpose()));
        }
      }
}

TEST_CASE("edge cases of the cache: no keys, no map, wrong shapes", "[attention_cache]") {
  AttentionCache raw(2, 1, {2.0, std::nullopt, {}});
  CHECK(raw.attend(Vector::Ones(2)).output == Vector(Vector::Zero(1)));
  CHECK(raw.attend(Vector::Ones(2)).weights.size() == 0);
  raw.append(vector({1, 2}), vector({10}));
  raw.append(vector({3, 4}), vector({1}));
  CHECK(raw.attend(vector({1, 1})).weights == vector({6, 14}));
  CHECK(raw.attend(vector({1, 1})).output == vector({74}));
  CHECK_INVALID(raw.append(Vector::Ones(3), Vector::Ones(1)));
  CHECK_INVALID(raw.append(Vector::Ones(2), Vector::Ones(2)));
  CHECK_INVALID(raw.attend(Vector::Ones(3)));
  CHECK_INVALID(raw.attend(Vector::Ones(2), Vector::Ones(1)));
  CHECK(raw.size() == 2);
  CHECK_INVALID(AttentionCache(0, 1));
  CHECK_INVALID(AttentionCache(1, 0));
  CHECK_INVALID(AttentionCache(1, 1, {1.0, SimplexMap::softmax, -1}));
  CHECK_INVALID(AttentionCache(1, 1, {infinity, {}, {}}));
}

TEST_CASE("each head attends in its own columns", "[multihead]") {
  Rng rng(8, "attention_masks_test heads");
  for (const Index heads : {1, 2, 3, 6}) {
    const Matrix q = normal_matrix(rng, 4, 6), k = normal_matrix(rng, 5, 6), v = normal_matrix(rng, 5, 6);
    const Matrix in = normal_matrix(rng, 18, 6), out = normal_matrix(rng, 6, 6);
    const Vector in_bias = normal_vector(rng, 18), out_bias = normal_vector(rng, 6);
    const Mask allow = random_mask(rng, 4, 5);
    const auto found =
        attend_multihead(q, k, v, heads, MultiheadMaps::stacked(in, in_bias, out, out_bias), allow);
    const auto mapped = [&](const Matrix& x, Index part) {
      return Matrix((x * in.middleRows(6 * part, 6).transpose()).rowwise() +
                    in_bias.segment(6 * part, 6).transpose());
    };
    const Matrix mq = mapped(q, 0), mk = mapped(k, 1), mv = mapped(v, 2);
    const Index d = 6 / heads;
    Matrix joined(4, 6);
    REQUIRE(found.weights.size() == static_cast<std::size_t>(heads));
    for (Index h = 0; h < heads; ++h) {
      const Attention head = naive(mq.middleCols(h * d, d), mk.middleCols(h * d, d), mv.middleCols(h * d, d),
                                   1 / std::sqrt(static_cast<double>(d)), allow, Matrix::Zero(4, 5));
      joined.middleCols(h * d, d) = head.output;
      // Scores s are at most 100, so e^s has relative errors of 1e-14.
      CHECK(distance(found.weights[static_cast<std::size_t>(h)], head.weights) < 1e-13);
    }
    const Matrix wanted = (joined * out.transpose()).rowwise() + out_bias.transpose();
    CHECK(distance(found.output, wanted) < 1e-12);
  }
}

TEST_CASE("one head with identity maps is plain attention", "[multihead]") {
  Rng rng(9, "attention_masks_test identity");
  const Matrix x = normal_matrix(rng, 5, 4);
  const auto found = attend_multihead(x, x, x, 1, MultiheadMaps::identity(4), {}, SimplexMap::sparsemax);
  const Attention plain = attend(x, x, x, 0.5, SimplexMap::sparsemax);
  CHECK(found.weights[0] == plain.weights);
  CHECK(found.output == plain.output);
}

TEST_CASE("an empty bias is a bias of zeros", "[multihead]") {
  Rng rng(10, "attention_masks_test no bias");
  const Matrix x = normal_matrix(rng, 5, 4), in = normal_matrix(rng, 12, 4), out = normal_matrix(rng, 4, 4);
  const Matrix wanted =
      attend_multihead(x, x, x, 2, MultiheadMaps::stacked(in, Vector::Zero(12), out, Vector::Zero(4))).output;
  CHECK(attend_multihead(x, x, x, 2, MultiheadMaps::stacked(in, {}, out, {})).output == wanted);
}

TEST_CASE("multi-head attention rejects wrong shapes", "[multihead]") {
  const Matrix x = Matrix::Ones(2, 4), narrow = Matrix::Ones(2, 3);
  const MultiheadMaps maps = MultiheadMaps::identity(4);
  CHECK_INVALID(attend_multihead(x, x, x, 3, maps));
  CHECK_INVALID(attend_multihead(x, x, x, 0, maps));
  CHECK_INVALID(attend_multihead(x, x, x, -4, maps));
  CHECK_INVALID(attend_multihead(narrow, x, x, 1, maps));
  CHECK_INVALID(attend_multihead(x, narrow, x, 1, maps));
  CHECK_INVALID(attend_multihead(x, x, Matrix::Ones(3, 4), 1, maps));
  const auto stack = [](Index in, Index bias, Index out, Index out_bias) {
    return MultiheadMaps::stacked(Matrix::Ones(in, 4), Vector::Ones(bias), Matrix::Ones(out, 4),
                                  Vector::Ones(out_bias));
  };
  CHECK_NOTHROW(stack(12, 12, 4, 4));
  CHECK_INVALID(stack(8, 12, 4, 4));
  CHECK_INVALID(stack(12, 8, 4, 4));
  CHECK_INVALID(stack(12, 12, 5, 4));
  CHECK_INVALID(stack(12, 12, 4, 5));
}

}  // namespace
}  // namespace engram::core
