// SPDX-License-Identifier: MIT
#include "core/attention/attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "core/maps/simplex_map.hpp"
#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

// The matrix of entry(i, j) for each query i and key j.
template <class Entry>
Matrix table(const Matrix& queries, const Matrix& keys, Entry entry) {
  Matrix out(queries.rows(), keys.rows());
  for (Index i = 0; i < out.rows(); ++i)
    for (Index j = 0; j < out.cols(); ++j) out(i, j) = entry(i, j);
  return out;
}

Matrix dots(const Matrix& queries, const Matrix& keys) {
  return table(queries, keys, [&](Index i, Index j) { return dot(row_span(queries, i), row_span(keys, j)); });
}

// Normalises rows to length 1, except rows of zeros. Divides by the largest entry first, because squares overflow above
// 1e154 and underflow below 1e-162.
Matrix unit_rows(Matrix rows) {
  for (Index i = 0; i < rows.rows(); ++i) {
    double largest = 0;
    for (const double x : row_span(rows, i)) largest = std::max(largest, std::abs(x));
    if (largest == 0) continue;
    for (Index j = 0; j < rows.cols(); ++j) rows(i, j) /= largest;
    const double length = std::sqrt(dot(row_span(rows, i), row_span(rows, i)));
    for (Index j = 0; j < rows.cols(); ++j) rows(i, j) /= length;
  }
  return rows;
}

Matrix cosines(const Matrix& queries, const Matrix& keys) {
  Matrix out = dots(unit_rows(queries), unit_rows(keys));
  for (Index i = 0; i < out.size(); ++i)
    out.data()[i] = std::clamp(out.data()[i], -1.0, 1.0);  // rounding errors
  return out;
}

Matrix additive(const Matrix& queries, const Matrix& keys, const ScoreMaps& maps) {
  require_size("columns of the queries' map", maps.query.cols(), queries.cols());
  require_size("columns of the keys' map", maps.key.cols(), keys.cols());
  require_size("rows of the keys' map", maps.key.rows(), maps.query.rows());
  require_size("bias", maps.bias.size(), maps.query.rows());
  require_size("direction", maps.direction.size(), maps.query.rows());
  const Matrix q = dots(queries, maps.query), k = dots(keys, maps.key);
  Vector hidden(maps.bias.size());
  return table(queries, keys, [&](Index i, Index j) {
    charge(16 * static_cast<std::uint64_t>(hidden.size()));
    for (Index h = 0; h < hidden.size(); ++h) hidden[h] = tanh(q(i, h) + k(j, h) + maps.bias[h]);
    return dot(maps.direction, hidden);
  });
}

Matrix bilinear(const Matrix& queries, const Matrix& keys, const Matrix& map) {
  require_size("rows of the bilinear map", map.rows(), queries.cols());
  require_size("columns of the bilinear map", map.cols(), keys.cols());
  return dots(dots(queries, map.transpose()), keys);
}

// -sum f(q - k)
template <class Function>
Matrix negative_distances(const Matrix& queries, const Matrix& keys, Function f) {
  Vector terms(keys.cols());
  return table(queries, keys, [&](Index i, Index j) {
    for (Index d = 0; d < terms.size(); ++d) terms[d] = f(queries(i, d) - keys(j, d));
    return -sum(terms);
  });
}

}  // namespace

Matrix scores(Score score, const Matrix& queries, const Matrix& keys, const ScoreMaps& maps) {
  if (score == Score::bilinear) return bilinear(queries, keys, maps.bilinear);
  if (score == Score::additive) return additive(queries, keys, maps);
  require_size("columns of keys", keys.cols(), queries.cols());
  switch (score) {
    case Score::cosine:
      return cosines(queries, keys);
    case Score::neg_sq_euclid:
      return negative_distances(queries, keys, [](double x) { return x * x; });
    case Score::neg_manhattan:
      return negative_distances(queries, keys, [](double x) { return std::abs(x); });
    case Score::scaled_dot:
      return dots(queries, keys) / std::sqrt(static_cast<double>(std::max<Index>(queries.cols(), 1)));
    default:
      return dots(queries, keys);
  }
}

namespace {

template <class Rule>
Mask square_mask(Index n, Rule allowed) {
  Mask mask(n, n);
  for (Index i = 0; i < n; ++i) {
    charge(static_cast<std::uint64_t>(n));
    for (Index j = 0; j < n; ++j) mask(i, j) = allowed(i, j);
  }
  return mask;
}

}  // namespace

Mask causal_mask(Index n) {
  return square_mask(n, [](Index i, Index j) { return j <= i; });
}

Mask window_mask(Index n, Index width) {
  require(width >= 0, "the width of a window must not be negative", width);
  return square_mask(n, [&](Index i, Index j) { return std::abs(i - j) <= width; });
}

Mask neighbourhood_mask(const SparseRows& links) {
  require_size("columns of links", links.columns(), links.rows());
  Mask mask = Mask::Identity(links.rows(), links.rows());
  for (Index i = 0; i < links.rows(); ++i)
    for (std::size_t k = 0; k < links.columns_of(i).size(); ++k)
      if (links.values_of(i)[k] > 0) mask(i, links.columns_of(i)[k]) = true;
  return mask;
}

Matrix sinusoidal_positions(const Vector& times, Index dimensions, double base) {
  require(dimensions >= 1, "dimensions must be at least 1", dimensions);
  require(base > 0, "the base of the wave lengths must be above 0", base);
  Matrix positions(times.size(), dimensions);
  for (Index column = 0; column < dimensions; ++column) {
    const Index pair = column - column % 2;
    const double frequency = exp(-static_cast<double>(pair) / static_cast<double>(dimensions) * log(base));
    for (Index i = 0; i < times.size(); ++i) {
      const SineCosine wave = sine_cosine(times[i] * frequency);
      positions(i, column) = column % 2 == 0 ? wave.sine : wave.cosine;
    }
  }
  return positions;
}

Matrix linear_age_bias(const Vector& query_times, const Vector& key_times, double slope) {
  Matrix bias(query_times.size(), key_times.size());
  for (Index i = 0; i < bias.rows(); ++i)
    for (Index j = 0; j < bias.cols(); ++j) bias(i, j) = -slope * (query_times[i] - key_times[j]);
  return bias;
}

namespace {

void check_attention(const Matrix& scores, const Matrix& values, const AttentionOptions& options) {
  require(values.rows() > 0, "attention needs at least one key");
  require(std::isfinite(options.scale), "the scale must be finite", options.scale);
  require_size("columns of the scores", scores.cols(), values.rows());
  if (options.allow.size() > 0) {
    require_size("rows of the mask", options.allow.rows(), scores.rows());
    require_size("columns of the mask", options.allow.cols(), scores.cols());
  }
  if (options.bias.size() > 0) {
    require_size("rows of the bias", options.bias.rows(), scores.rows());
    require_size("columns of the bias", options.bias.cols(), scores.cols());
  }
}

std::vector<Index> allowed_keys(const Mask& allow, Index query, Index keys) {
  std::vector<Index> allowed;
  for (Index j = 0; j < keys; ++j)
    if (allow.size() == 0 || allow(query, j)) allowed.push_back(j);
  return allowed;
}

}  // namespace

Attention attend_by(const Matrix& scores, const Matrix& values, const AttentionOptions& options) {
  check_attention(scores, values, options);
  Attention result{Matrix::Zero(scores.rows(), scores.cols()), Matrix::Zero(scores.rows(), values.cols())};
  for (Index i = 0; i < scores.rows(); ++i) {
    const std::vector<Index> allowed = allowed_keys(options.allow, i, scores.cols());
    if (allowed.empty()) continue;
    Vector row(static_cast<Index>(allowed.size()));
    for (Index k = 0; k < row.size(); ++k) {
      const Index j = allowed[static_cast<std::size_t>(k)];
      row[k] = scores(i, j) * options.scale + (options.bias.size() > 0 ? options.bias(i, j) : 0.0);
    }
    if (options.map) row = apply(*options.map, row);
    for (Index k = 0; k < row.size(); ++k) result.weights(i, allowed[static_cast<std::size_t>(k)]) = row[k];
    const Vector weights = result.weights.row(i).transpose();
    result.output.row(i) = multiply_transposed(values, weights).transpose();
  }
  return result;
}

Attention attend(const Matrix& queries, const Matrix& keys, const Matrix& values,
                 const AttentionOptions& options) {
  require_size("rows of values", values.rows(), keys.rows());
  return attend_by(scores(Score::dot, queries, keys), values, options);
}

Attention attend(const Matrix& queries, const Matrix& keys, const Matrix& values, double scale,
                 std::optional<Regulariser> map) {
  AttentionOptions options;
  options.scale = scale;
  options.map = map;
  return attend(queries, keys, values, options);
}

AttentionCache::AttentionCache(Index key_dimensions, Index value_dimensions, AttentionCacheOptions options)
    : key_dimensions_(key_dimensions), value_dimensions_(value_dimensions), options_(options) {
  require(key_dimensions >= 1 && value_dimensions >= 1, "keys and values need at least one dimension");
  require(std::isfinite(options.scale), "the scale must be finite", options.scale);
  require(!options.window || *options.window >= 0, "the width of a window must not be negative");
}

void AttentionCache::append(const Vector& key, const Vector& value) {
  require_size("key", key.size(), key_dimensions_);
  require_size("value", value.size(), value_dimensions_);
  keys_.insert(keys_.end(), key.begin(), key.end());
  values_.insert(values_.end(), value.begin(), value.end());
  ++size_;
}

AttentionCache::Step AttentionCache::attend(const Vector& query, const Vector& bias) const {
  require_size("query", query.size(), key_dimensions_);
  if (bias.size() > 0) require_size("bias", bias.size(), size_);
  Step step{Vector::Zero(size_), Vector::Zero(value_dimensions_)};
  if (size_ == 0) return step;

  const Index first = options_.window ? std::max<Index>(size_ - 1 - *options_.window, 0) : 0;
  Vector weights(size_ - first);
  for (Index j = first; j < size_; ++j) {
    const std::span key(keys_.data() + j * key_dimensions_, static_cast<std::size_t>(key_dimensions_));
    weights[j - first] = dot(as_span(query), key) * options_.scale + (bias.size() > 0 ? bias[j] : 0.0);
  }
  if (options_.map) weights = apply(*options_.map, weights);
  step.weights.tail(weights.size()) = weights;
  for (Index j = first; j < size_; ++j) {
    const double weight = weights[j - first];
    if (weight == 0) continue;
    const double* value = values_.data() + j * value_dimensions_;
    for (Index d = 0; d < value_dimensions_; ++d) step.output[d] += weight * value[d];
  }
  return step;
}

namespace {

Matrix mapped(const Matrix& rows, const LinearMap& map) {
  require_size("columns of a map", map.weight.cols(), rows.cols());
  const bool biased = map.bias.size() > 0;
  if (biased) require_size("bias of a map", map.bias.size(), map.weight.rows());
  Matrix out(rows.rows(), map.weight.rows());
  for (Index i = 0; i < out.rows(); ++i)
    for (Index j = 0; j < out.cols(); ++j)
      out(i, j) = dot(row_span(rows, i), row_span(map.weight, j)) + (biased ? map.bias[j] : 0.0);
  return out;
}

}  // namespace

MultiheadMaps MultiheadMaps::identity(Index width) {
  const LinearMap same{Matrix::Identity(width, width), {}};
  return {same, same, same, same};
}

MultiheadMaps MultiheadMaps::stacked(const Matrix& in_weight, const Vector& in_bias, const Matrix& out_weight,
                                     const Vector& out_bias) {
  const Index width = in_weight.cols();
  require_size("rows of the input map", in_weight.rows(), 3 * width);
  const bool biased = in_bias.size() > 0;
  if (biased) require_size("bias of the input map", in_bias.size(), 3 * width);
  require_size("rows of the output map", out_weight.rows(), width);
  require_size("columns of the output map", out_weight.cols(), width);
  if (out_bias.size() > 0) require_size("bias of the output map", out_bias.size(), width);
  const auto part = [&](Index which) {
    LinearMap map{in_weight.middleRows(which * width, width), {}};
    if (biased) map.bias = in_bias.segment(which * width, width);
    return map;
  };
  return {part(0), part(1), part(2), {out_weight, out_bias}};
}

MultiheadAttention attend_multihead(const Matrix& query, const Matrix& key, const Matrix& value, Index heads,
                                    const MultiheadMaps& maps, const Mask& allow, const Regulariser& map) {
  require_size("rows of value", value.rows(), key.rows());
  const Matrix q = mapped(query, maps.query), k = mapped(key, maps.key), v = mapped(value, maps.value);
  require_size("columns of the mapped keys", k.cols(), q.cols());
  require_size("columns of the mapped values", v.cols(), q.cols());
  require(heads >= 1 && q.cols() >= 1 && q.cols() % heads == 0,
          "the width must be a multiple of the number of heads");
  const Index width = q.cols() / heads;
  AttentionOptions options;
  options.scale = 1.0 / std::sqrt(static_cast<double>(width));
  options.map = map;
  options.allow = allow;
  MultiheadAttention result;
  Matrix joined(q.rows(), q.cols());
  for (Index h = 0; h < heads; ++h) {
    const auto head = [&](const Matrix& rows) { return Matrix(rows.middleCols(h * width, width)); };
    Attention attention = attend(head(q), head(k), head(v), options);
    joined.middleCols(h * width, width) = attention.output;
    result.weights.push_back(std::move(attention.weights));
  }
  result.output = mapped(joined, maps.output);
  return result;
}

namespace {

// s^exponent. Integer exponents use multiplication, for exact signs and few roundings.
double raised(double s, double exponent) {
  constexpr double most = 1 << 20;
  if (exponent == std::floor(exponent) && std::abs(exponent) <= most) {
    const double result = power(s, static_cast<unsigned>(std::abs(exponent)));
    return exponent < 0 ? 1.0 / result : result;
  }
  require(s >= 0, "a fractional power needs scores >= 0");
  return exp(exponent * log(s));
}

}  // namespace

Vector separate(Separation separation, const Vector& scores, double parameter) {
  require(std::isfinite(parameter), "the parameter must be finite", parameter);
  for (const double s : scores) require(std::isfinite(s), "scores must be finite", s);
  Vector out = scores;
  switch (separation) {
    case Separation::softmax:
      for (double& s : out) s *= parameter;
      return apply(SimplexMap::softmax, out);
    case Separation::poly:
      for (double& s : out) s = raised(s, parameter);
      return out;
    case Separation::max:
      return apply(SimplexMap::argmax, out);
    case Separation::entmax:
      return apply(Regulariser(SimplexMap::entmax, parameter), out);
    case Separation::identity:
      break;
  }
  return out;
}

Universal recall_universal(const Matrix& keys, const Matrix& values, const Vector& query, Score similarity,
                           Separation separation, double parameter) {
  require(keys.rows() > 0, "a memory needs at least one key");
  require_size("rows of values", values.rows(), keys.rows());
  Universal result;
  result.similarity = scores(similarity, query.transpose(), keys).row(0).transpose();
  result.separated = separate(separation, result.similarity, parameter);
  result.output = multiply_transposed(values, result.separated);
  return result;
}

}  // namespace engram::core
