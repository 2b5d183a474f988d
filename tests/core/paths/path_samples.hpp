// SPDX-License-Identifier: MIT
// What the tests of paths share.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "core/paths/path_features.hpp"
#include "tests/core/samples.hpp"
#include "tests/support/catch.hpp"

namespace engram::core::samples {

inline PathWeights random_path_weights(Rng& rng) {
  PathWeights theta;
  for (double& x : theta) x = uniform(rng, -1.5, 0.5);
  return theta;
}

/// Whether the derivative of log_total() by each weight is what `gradient` says, by central differences;
/// how many of them are not 0.
template <class LogTotal>
int check_gradient(PathWeights& theta, const PathWeights& gradient, LogTotal log_total) {
  int others = 0;
  for (std::size_t f = 0; f < path_features; ++f) {
    const double h = 1e-5, at = theta[f];
    theta[f] = at + h;
    const double up = log_total();
    theta[f] = at - h;
    const double down = log_total();
    theta[f] = at;
    INFO(path_feature_facts[f].name);
    CHECK(std::abs(gradient[f] - (up - down) / (2 * h)) <= 1e-6 * std::max(1.0, std::abs(gradient[f])));
    others += gradient[f] != 0 ? 1 : 0;
  }
  return others;
}

}  // namespace engram::core::samples
