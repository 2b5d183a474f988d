// SPDX-License-Identifier: MIT
#include "core/attention/time_positions.hpp"

#include "core/numbers/numeric.hpp"

namespace engram::core {

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

}  // namespace engram::core
