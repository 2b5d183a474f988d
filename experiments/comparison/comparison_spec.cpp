// SPDX-License-Identifier: MIT
// What a spec may say of `comparison`.
#include "experiments/experiment.hpp"
#include "experiments/runs/spec_reader.hpp"

namespace engram::experiments {

void read_comparison(SpecReader& reader, Spec& spec) {
  read_inputs(reader, spec);
  read_methods(
      reader, spec,
      {"attention", "sparsemax_attention", "argmax_attention", "concept_attention", "continuous_attention",
       "hopfield", "modern_hopfield", "pagerank", "cosine", "overlap", "frequency", "uniform"});
  read_seeds(reader, spec, 1);
  spec.top = reader.count("top", 10, 1000);
  spec.cues = reader.count("cues", 50, 1e6);
  read_memory(reader, spec);
  spec.capacity = reader.count("capacity", 12, 1e6);
}

}  // namespace engram::experiments
