// SPDX-License-Identifier: MIT
#include "experiments/capacity/capacity.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers/numeric.hpp"

namespace engram::experiments::capacity {
namespace {

CapacityOptions read(SpecReader& reader, Spec& spec) {
  CapacityOptions options;
  read_inputs(reader, spec, true);
  read_methods(
      reader, spec,
      {"attention", "concept_attention", "hopfield", "modern_hopfield", "pagerank", "cosine", "uniform"});
  read_seeds(reader, spec, 5);
  reader.count("cues", options.cues, 1'000'000);
  read_memory(reader, spec);
  std::vector<std::string> known;
  for (const Figure& figure : all_figures())
    if (figure.rows_of.empty()) known.push_back(figure.name);
  options.figures = reader.names("figures", known);
  reader.number("effort", options.effort, 0.001, 100);
  return options;
}

std::vector<Observation> observe(const Json& row) {
  if (row.contains("recalled")) {
    auto all = observed(row, {"seed", "stored"}, {{"recalled", "/recalled"}});
    for (Observation& of_file : all) of_file.setting = row.at("file").get<std::string>();
    return all;
  }
  std::vector<Observation> all;
  if (!row.contains("values")) return all;  // rows of energies have no values to compare
  const Json& values = row.at("values");
  for (std::size_t i = 0; i < values.size(); ++i)
    all.push_back({values.size() > 1 ? "value " + std::to_string(i + 1) : "value",
                   row.at("figure").get<std::string>() + ", " + row.at("point").get<std::string>(),
                   row.at("repetition").dump(), values[i].get<double>()});
  return all;
}

// Trials: first the figures, then the files, then the energies. A trial is one repetition of one point, or one seed and
// load of a file.
class CapacityTrials : public TrialsOf<CapacityOptions> {
 public:
  CapacityTrials(const Spec& spec, const CapacityOptions& options)
      : TrialsOf(spec, options), figures_(all_figures()) {}

  Rejections prepare() override {
    Rejections rejections;
    for (std::size_t f = 0; f < figures_.size(); ++f) {
      if (!figures_[f].rows_of.empty() || !options_.wants(figures_[f])) continue;
      for (std::size_t p = 0; p < figures_[f].points.size(); ++p) {
        const double repetitions = options_.effort * static_cast<double>(figures_[f].points[p].repetitions);
        for (std::size_t r = 0; r < static_cast<std::size_t>(std::max(1.0, std::ceil(repetitions))); ++r)
          trials_.push_back([this, f, p, r] { return figure_trial(figures_[f], p, r); });
      }
    }
    for (const Input& input : spec_.inputs) {
      corpora_.push_back(load_corpus(input, spec_.memory));
      add_rejections(rejections, corpora_.back());
    }
    for (const Corpus& corpus : corpora_)
      for (const std::size_t load : episode_loads(corpus))
        for (const std::uint64_t seed : spec_.seeds)
          trials_.push_back([this, &corpus, load, seed] {
            return episode_trial(spec_, options_.cues, corpus, seed, load);
          });
    trials_.push_back([this] { return energy_trial(spec_.seeds.front()); });
    return rejections;
  }

  std::size_t count() const override { return trials_.size(); }

  TrialResult run(std::size_t trial) const override {
    TrialResult result = trials_[trial]();
    for (auto* rows : {&result.rows, &result.timings})
      for (Json& row : *rows) {
        Json numbered = {{"trial", trial}};
        numbered.update(row);
        row = std::move(numbered);
      }
    return result;
  }

 private:
  TrialResult figure_trial(const Figure& figure, std::size_t point, std::size_t repetition) const {
    const Point& p = figure.points[point];
    core::Rng rng(spec_.seeds.front(), "capacity " + figure.name + " " + p.label, repetition);
    TrialResult result;
    std::vector<double> values;
    const double time = seconds([&] { values = p.measure(rng); });
    result.rows.push_back(
        {{"figure", figure.name}, {"point", p.label}, {"repetition", repetition}, {"values", values}});
    result.timings.push_back({{"method", figure.name}, {"seconds", time}});
    return result;
  }

  std::vector<Figure> figures_;
  std::vector<Corpus> corpora_;
  std::vector<std::function<TrialResult()>> trials_;
};

}  // namespace

bool CapacityOptions::wants(const Figure& figure) const {
  return figures.empty() || std::ranges::find(figures, figure.measured_as()) != figures.end();
}

std::unique_ptr<Experiment> experiment() {
  return make_experiment<CapacityOptions>({"capacity",
                                           read,
                                           make_trials<CapacityTrials>,
                                           conclude_capacity,
                                           {"repetition by repetition, in files seed by seed", observe}});
}

}  // namespace engram::experiments::capacity
