// SPDX-License-Identifier: MIT
// What the experiment `prediction` can be told.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/numbers/optimiser.hpp"

namespace engram::experiments {

/// A world that runs through situations: with probability 1 - jump from one to the next around a cycle, else
/// to any of them with equal chances. A situation shows its own set of concepts, `active` of them; sets share
/// concepts, so that one concept alone does not tell what comes next, while the set does. With probability
/// `distraction` a further concept comes in that means nothing.
struct GeneratorOptions {
  std::size_t episodes = 400;
  std::size_t situations = 12;
  std::size_t concepts = 16;  // that situations share
  std::size_t active = 3;
  std::size_t distractors = 8;
  double distraction = 0.3;
  double jump = 0.1;
};

/// What the methods are fitted with.
struct PredictionOptions {
  core::Index dimensions = 48;  // of the embeddings
  std::uint64_t seed = 1;       // likewise
  double temperature = 0.25;    // at which attention starts
  double alpha = 1.5;           // at which entmax starts
  double smoothing = 0.02;      // of every log-loss: what share of a prediction is spread evenly
  core::TrainingOptions training;
};

struct PredictionSpec {
  std::vector<std::string> methods;
  bool generated = true;  // streams, one a seed, beside those of the files
  GeneratorOptions generator;
  std::vector<double> origins;  // shares of a stream that are known when what follows is predicted
  double validation = 0.25;     // share of what is known that is not learnt from, but chosen by
  std::vector<std::size_t> recall_at;
  PredictionOptions options;
};

}  // namespace engram::experiments
