// SPDX-License-Identifier: MIT
#include "core/attention/attention.hpp"

#include <cmath>
#include <vector>

#include "core/attention/scores.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

void check(const Matrix& scores, const Matrix& values, const AttentionOptions& options) {
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
  check(scores, values, options);
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

}  // namespace engram::core
