// SPDX-License-Identifier: MIT
#include "core/attention/scores.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers/numeric.hpp"
#include "core/numbers/work_budget.hpp"

namespace engram::core {
namespace {

// entry(i, j) for every query i and key j.
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

// Rows M r of the rows r of `rows`.
Matrix projected(const Matrix& rows, const Matrix& map) { return dots(rows, map); }

// Rows of length 1, rows of zeros as they are. Divided by the largest entry first: squares of numbers above
// 1e154 would be infinite, of those below 1e-162 nothing.
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
  for (Index i = 0; i < out.size(); ++i) out.data()[i] = std::clamp(out.data()[i], -1.0, 1.0);  // roundings
  return out;
}

Matrix additive(const Matrix& queries, const Matrix& keys, const ScoreMaps& maps) {
  require_size("columns of the queries' map", maps.query.cols(), queries.cols());
  require_size("columns of the keys' map", maps.key.cols(), keys.cols());
  require_size("rows of the keys' map", maps.key.rows(), maps.query.rows());
  require_size("bias", maps.bias.size(), maps.query.rows());
  require_size("direction", maps.direction.size(), maps.query.rows());
  const Matrix q = projected(queries, maps.query), k = projected(keys, maps.key);
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
  return dots(projected(queries, map.transpose()), keys);
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

}  // namespace engram::core
