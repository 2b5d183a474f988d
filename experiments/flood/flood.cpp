// SPDX-License-Identifier: MIT
#include "experiments/flood/flood.hpp"

#include "experiments/flood/asking.hpp"

namespace engram::experiments::flood {
namespace {

constexpr std::int64_t most_steps = 10'000'000;

// Question sets of a spec without "sets". The statements that a question needs, and those that fill the memory, are
// groups of the same kind, such as families.
Json usual_sets() {
  Json sets = Json::array();
  for (const char* kind : {"families", "chains", "taxonomies"})
    for (const int groups : {10, 100, 1000})
      sets.push_back({{"kind", kind}, {"groups", groups}, {"questions", 4}});
  return sets;
}

const std::vector<std::string> usual_methods{"proof_attention", "bidirectional_spreading", "attention",
                                             "hopfield",        "modern_hopfield",         "pagerank",
                                             "shortest_path"};

std::vector<Mode> read_modes(SpecReader& reader) {
  std::vector<std::string> names;
  for (const auto& mode : modes) names.emplace_back(mode.name);
  std::vector<Mode> chosen;
  for (const std::string& name : reader.names("modes", names))
    chosen.push_back(*core::value_named(modes, name));
  return chosen;
}

FloodOptions read(SpecReader& reader, Spec& spec) {
  FloodOptions options;
  read_inputs(reader, spec, true);
  read_methods(reader, spec, usual_methods);
  options.controls = reader.names("controls", control_names());
  options.asked.sets = answering::read_sets(reader, usual_sets(), false);
  options.modes = read_modes(reader);
  reader.count("gate", options.gate, 1'000'000);
  reader.count("refresh", options.refresh, 1'000'000);
  reader.count("steps", options.steps, most_steps);
  reader.count("experience", options.experience, 100'000, 0);
  reader.count("round", options.round, 100'000);
  reader.count("questions", options.asked.most_questions, 1'000'000);
  options.asked.half = answering::read_half(reader);
  answering::read_live(reader, spec, options.asked);
  require_inputs(spec, !options.asked.sets.empty());
  read_seeds(reader, spec, 3);
  read_memory(reader, spec, true, true, true);
  return options;
}

// Measures for `engram compare`. Skips learning from answers, because its questions depend on each other.
std::vector<Observation> observe(const Json& row) {
  return row.contains("part") ? std::vector<Observation>() : answering::observed_measures(row);
}

}  // namespace

std::vector<FloodPolicy> flood_policies(const Spec& spec, const FloodOptions& options) {
  std::vector<FloodPolicy> all;
  for (const std::string& control : options.controls) all.push_back({control, control});
  for (const MethodChoice& method : with_baselines(spec.methods))
    for (const Mode mode : options.modes) {
      std::string label = method.label;
      if (mode == Mode::weighed) label += ", weighed";
      if (mode == Mode::again) label += ", again";
      if (mode == Mode::gate || mode == Mode::both) label += ", gate " + std::to_string(options.gate);
      if (mode == Mode::both) label += " and weighed";
      all.push_back({std::move(label), "", method, mode});
    }
  all.push_back({known_proof});
  return all;
}

std::unique_ptr<Experiment> experiment() {
  return make_experiment<FloodOptions>(
      {"flood", read, flood_trials, conclude_flood, {answering::pairing, observe}});
}

}  // namespace engram::experiments::flood
