// SPDX-License-Identifier: MIT
#include "experiments/capacity/capacity.hpp"

namespace engram::experiments {
namespace {

// Which figures of the literature, and how much of each is measured.
void read_figures(SpecReader& reader, CapacityOptions& options) {
  std::vector<std::string> known;
  for (const Figure& figure : all_figures())
    if (figure.rows_of.empty()) known.push_back(figure.name);
  options.figures = reader.names("figures", known);
  reader.number("effort", options.effort, 0.001, 100);
}

}  // namespace

bool CapacityOptions::wants(const Figure& figure) const {
  const std::string& name = figure.rows_of.empty() ? figure.name : figure.rows_of;
  return figures.empty() || std::ranges::find(figures, name) != figures.end();
}

void Capacity::read(SpecReader& reader, Spec& spec) {
  read_inputs(reader, spec, true);
  read_methods(
      reader, spec,
      {"attention", "concept_attention", "hopfield", "modern_hopfield", "pagerank", "cosine", "uniform"});
  read_seeds(reader, spec, 5);
  reader.count("cues", options_.cues, 1e6);
  read_memory(reader, spec);
  read_figures(reader, options_);
}

Measures Capacity::measures() const {
  return {"repetition by repetition, in files seed by seed", [](const Json& row) {
            if (row.contains("recalled")) {
              auto all = observed(row, {"seed", "stored"}, {{"recalled", "/recalled"}});
              for (Observation& of_file : all) of_file.setting = row.at("file").get<std::string>();
              return all;
            }
            std::vector<Observation> all;
            if (!row.contains("values")) return all;  // energies, which show single recalls
            const Json& values = row.at("values");
            for (std::size_t i = 0; i < values.size(); ++i)
              all.push_back({values.size() > 1 ? "value " + std::to_string(i + 1) : "value",
                             row.at("figure").get<std::string>() + ", " + row.at("point").get<std::string>(),
                             row.at("repetition").dump(), values[i].get<double>()});
            return all;
          }};
}

std::unique_ptr<Experiment> capacity_experiment() { return std::make_unique<Capacity>(); }

}  // namespace engram::experiments
