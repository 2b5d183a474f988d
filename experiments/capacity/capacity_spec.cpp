// SPDX-License-Identifier: MIT
// What a spec may say of `capacity`.
#include "experiments/capacity/figure.hpp"
#include "experiments/experiment.hpp"
#include "experiments/runs/spec_reader.hpp"

namespace engram::experiments {
namespace {

// Which figures of the literature, and how much of each is measured.
void read_figures(SpecReader& reader, Spec& spec) {
  std::vector<std::string> known;
  for (const Figure& figure : all_figures())
    if (figure.rows_of.empty()) known.push_back(figure.name);
  spec.figures = reader.names("figures", known);
  spec.effort = reader.number("effort", 1, 0.001, 100);
}

}  // namespace

void read_capacity(SpecReader& reader, Spec& spec) {
  read_inputs(reader, spec, true);
  read_methods(
      reader, spec,
      {"attention", "concept_attention", "hopfield", "modern_hopfield", "pagerank", "cosine", "uniform"});
  read_seeds(reader, spec, 5);
  spec.cues = reader.count("cues", 50, 1e6);
  read_memory(reader, spec);
  read_figures(reader, spec);
}

}  // namespace engram::experiments
