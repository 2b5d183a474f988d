// SPDX-License-Identifier: MIT
#include "experiments/completion/completion.hpp"

namespace engram::experiments {

std::vector<Corruption> CompletionOptions::corruptions() const {
  std::vector<Corruption> all;
  for (const double share : corruption)
    for (const std::size_t wrong : noise) all.push_back({share, wrong});
  return all;
}

void Completion::read(SpecReader& reader, Spec& spec) {
  read_inputs(reader, spec);
  read_methods(
      reader, spec,
      {"attention", "entmax_attention", "sparsemax_attention", "concept_attention", "hopfield", "graph_spins",
       "dense_memory", "modern_hopfield", "pagerank", "cosine", "frequency", "uniform"});
  read_seeds(reader, spec, 10);
  reader.count("top", options_.top, 1000);
  reader.count("cues", options_.cues, 1e6);
  read_memory(reader, spec);
  reader.numbers("corruption", options_.corruption, 0, 1);
  reader.numbers("noise", options_.noise, 0, 100);
  reader.numbers("load", options_.load, 0.001, 1);
}

Measures Completion::measures() const {
  return {"file by file and seed by seed", [](const Json& row) {
            return observed(row, {"file", "seed"},
                            {{"concepts", "/reciprocal_rank"},
                             {"hits", "/hit"},
                             {"statements", "/statement_reciprocal_rank"}});
          }};
}

std::unique_ptr<Experiment> completion_experiment() { return std::make_unique<Completion>(); }

}  // namespace engram::experiments
