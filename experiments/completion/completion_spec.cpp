// SPDX-License-Identifier: MIT
// What a spec may say of `completion`.
#include "experiments/experiment.hpp"
#include "experiments/runs/spec_reader.hpp"

namespace engram::experiments {

void read_completion(SpecReader& reader, Spec& spec) {
  read_inputs(reader, spec);
  read_methods(
      reader, spec,
      {"attention", "entmax_attention", "sparsemax_attention", "concept_attention", "hopfield", "graph_spins",
       "dense_memory", "modern_hopfield", "pagerank", "cosine", "frequency", "uniform"});
  read_seeds(reader, spec, 10);
  spec.top = reader.count("top", 10, 1000);
  spec.cues = reader.count("cues", 50, 1e6);
  read_memory(reader, spec);
  spec.corruption = reader.numbers("corruption", {0.34, 0.67}, 0, 1);
  spec.noise = reader.counts("noise", {0, 1, 2}, 0, 100);
  spec.load = reader.numbers("load", {0.25, 0.5, 1}, 0.001, 1);
}

}  // namespace engram::experiments
