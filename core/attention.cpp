// SPDX-License-Identifier: MIT
#include "core/attention.hpp"

#include "core/numeric.hpp"

namespace engram::core {

Attention attend(const Matrix& queries, const Matrix& keys, const Matrix& values, double scale,
                 std::optional<SimplexMap> map) {
  require(keys.rows() > 0, "attention needs at least one key");
  require_size("columns of keys", keys.cols(), queries.cols());
  require_size("rows of values", values.rows(), keys.rows());
  Attention result{Matrix(queries.rows(), keys.rows()), Matrix(queries.rows(), values.cols())};
  for (Index i = 0; i < queries.rows(); ++i) {
    Vector scores = multiply(keys, queries.row(i).transpose());
    for (double& s : scores) s *= scale;
    const Vector weights = map ? apply(*map, scores) : scores;
    result.weights.row(i) = weights.transpose();
    result.output.row(i) = multiply_transposed(values, weights).transpose();
  }
  return result;
}

}  // namespace engram::core
