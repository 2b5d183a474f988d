// SPDX-License-Identifier: MIT
// What the experiment `forgetting` can be told.
#pragma once

#include <string>
#include <vector>

#include "experiments/prediction/prediction_options.hpp"

namespace engram::experiments {

/// A world where some concepts are popular and which these are drifts: an episode draws `active` different
/// concepts, that of rank r with weight r^-exponent; after it, `swaps` times on average, two concepts change
/// their ranks.
struct ZipfOptions {
  std::size_t episodes = 2000;
  std::size_t concepts = 500;
  std::size_t active = 3;
  double exponent = 1;
  double swaps = 0.2;
};

struct ForgettingSpec {
  std::vector<std::string> policies;
  std::vector<double> shares;  // of a stream's concepts that the memory has room for
  bool zipf = true, story = true;
  ZipfOptions drifting;
  GeneratorOptions told{1000, 40,  60, 3,
                        40,   0.3, 0.1};  // a story runs through more situations than memory holds
};

}  // namespace engram::experiments
