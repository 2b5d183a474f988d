// SPDX-License-Identifier: MIT
#include "core/attention/multihead.hpp"

#include <cmath>

#include "core/numbers/numeric.hpp"

namespace engram::core {
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

}  // namespace engram::core
