// SPDX-License-Identifier: MIT
#include "experiments/comparison/comparison.hpp"

namespace engram::experiments {

void Comparison::read(SpecReader& reader, Spec& spec) {
  read_inputs(reader, spec);
  read_methods(
      reader, spec,
      {"attention", "sparsemax_attention", "argmax_attention", "concept_attention", "continuous_attention",
       "hopfield", "modern_hopfield", "pagerank", "cosine", "overlap", "frequency", "uniform"});
  read_seeds(reader, spec, 1);
  reader.count("top", options_.top, 1000);
  reader.count("cues", options_.cues, 1e6);
  read_memory(reader, spec);
  reader.count("capacity", options_.capacity, 1e6);
}

Measures Comparison::measures() const {
  return {"cue by cue", [](const Json& row) {
            return observed(row, {"file", "line", "cue"},
                            {{"answer", "/answer_reciprocal_rank"},
                             {"above others", "/needed/above_others"},
                             {"mean rank", "/needed/mean_rank"},
                             {"kept", "/needed/within_capacity"},
                             {"all first", "/needed/all_first"}});
          }};
}

std::unique_ptr<Experiment> comparison_experiment() { return std::make_unique<Comparison>(); }

}  // namespace engram::experiments
