// SPDX-License-Identifier: MIT
// Capacity: how many patterns does each memory hold? Figures of the literature, reproduced; the same question
// asked of the concept graph of real files; and single recalls with their energies.
#include <algorithm>
#include <cmath>

#include "core/numbers/numeric.hpp"
#include "experiments/capacity/capacity.hpp"
#include "experiments/capacity/trials.hpp"

namespace engram::experiments {
namespace {

// Figures first, then the files, then the energies; a trial is one repetition of one point, or one seed and
// one load of a file.
class CapacityTrials : public Trials {
 public:
  CapacityTrials(const Spec& spec, const CapacityOptions& options)
      : spec_(spec), options_(options), figures_(all_figures()) {}

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

  const Spec& spec_;
  const CapacityOptions& options_;
  std::vector<Figure> figures_;
  std::vector<Corpus> corpora_;
  std::vector<std::function<TrialResult()>> trials_;
};

}  // namespace

std::unique_ptr<Trials> Capacity::trials(const Spec& spec) const {
  return std::make_unique<CapacityTrials>(spec, options_);
}

}  // namespace engram::experiments
