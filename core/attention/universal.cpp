// SPDX-License-Identifier: MIT
#include "core/attention/universal.hpp"

#include <cmath>

#include "core/maps/simplex_map.hpp"
#include "core/numbers/numeric.hpp"

namespace engram::core {
namespace {

// s^n. Whole exponents by multiplications: exact signs, and few roundings.
double raised(double s, double exponent) {
  constexpr double most = 1 << 20;
  if (exponent == std::floor(exponent) && std::abs(exponent) <= most) {
    const double result = power(s, static_cast<unsigned>(std::abs(exponent)));
    return exponent < 0 ? 1.0 / result : result;
  }
  require(s >= 0, "a power that is not whole needs scores >= 0");
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
