// SPDX-License-Identifier: MIT
// List of the experiments.
#include "experiments/spec/experiment.hpp"

// The experiments, in the order of the help texts.
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
