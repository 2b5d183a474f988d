// SPDX-License-Identifier: MIT
// The list of all experiments. No other file names them.
#include "experiments/spec/experiment.hpp"

// In the order of listings.
#define ENGRAM_EXPERIMENTS(EXPERIMENT) \
  EXPERIMENT(comparison)               \
  EXPERIMENT(completion)               \
  EXPERIMENT(answering)                \
  EXPERIMENT(flood)                    \
  EXPERIMENT(sensors)                  \
  EXPERIMENT(prediction)               \
  EXPERIMENT(equivalence)              \
  EXPERIMENT(capacity)                 \
  EXPERIMENT(links)                    \
  EXPERIMENT(forgetting)               \
  EXPERIMENT(icons)                    \
  EXPERIMENT(python)

namespace engram::experiments {

#define ENGRAM_DECLARE(name)                \
  namespace name {                          \
  std::unique_ptr<Experiment> experiment(); \
  }
ENGRAM_EXPERIMENTS(ENGRAM_DECLARE)

std::vector<std::unique_ptr<Experiment>> experiments() {
  std::vector<std::unique_ptr<Experiment>> all;
#define ENGRAM_ADD(name) all.push_back(name::experiment());
  ENGRAM_EXPERIMENTS(ENGRAM_ADD)
  return all;
}

}  // namespace engram::experiments
