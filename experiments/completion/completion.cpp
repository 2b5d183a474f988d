// SPDX-License-Identifier: MIT
// Trials of the experiment `completion`.
#include "experiments/completion/completion.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers/random.hpp"
#include "experiments/spec/method_choice.hpp"

namespace engram::experiments::completion {
namespace {

CompletionOptions read(SpecReader& reader, Spec& spec) {
  CompletionOptions options;
  read_inputs(reader, spec);
  read_methods(
      reader, spec,
      {"attention", "entmax_attention", "sparsemax_attention", "concept_attention", "hopfield", "graph_spins",
       "dense_memory", "modern_hopfield", "pagerank", "cosine", "frequency", "uniform"});
  read_seeds(reader, spec, 10);
  reader.count("cues", options.cues, 1'000'000);
  read_memory(reader, spec);
  reader.numbers("corruption", options.corruption, 0, 1);
  reader.counts("noise", options.noise, 0, 100);
  reader.numbers("load", options.load, 0.001, 1);
  return options;
}

std::vector<Observation> observe(const Json& row) {
  return observed(
      row, {"file", "seed"},
      {{"concepts", "/reciprocal_rank"}, {"hits", "/hit"}, {"statements", "/statement_reciprocal_rank"}});
}

// Adds means over all cues, and over the cues of each class of overlap.
void add_means(Json& row, const std::vector<CompletionScore>& scores, const std::vector<double>& overlaps) {
  if (scores.empty()) return;
  const auto mean = [&](double CompletionScore::*measure, double above,
                        double up_to) -> std::optional<double> {
    std::vector<double> values;
    for (std::size_t i = 0; i < scores.size(); ++i)
      if (overlaps[i] > above && overlaps[i] <= up_to) values.push_back(scores[i].*measure);
    if (values.empty()) return {};
    return experiments::mean(values);
  };
  row["reciprocal_rank"] = *mean(&CompletionScore::reciprocal_rank, -1, 1);
  row["hit"] = *mean(&CompletionScore::hit, -1, 1);
  row["statement_reciprocal_rank"] = *mean(&CompletionScore::statement_reciprocal_rank, -1, 1);
  double above = -1;
  for (const double up_to : overlap_classes) {
    const auto of_class = mean(&CompletionScore::reciprocal_rank, above, up_to);
    row["by_overlap"].push_back(of_class ? Json(*of_class) : Json());
    above = up_to;
  }
}

// One trial. The seed selects the stored statements and the statements to complete.
struct Setting {
  std::size_t corpus = 0;
  double load = 1;
  std::uint64_t seed = 1;
};

class CompletionTrials : public TrialsOf<CompletionOptions> {
 public:
  using TrialsOf::TrialsOf;

  Rejections prepare() override {
    Rejections rejections;
    for (const Input& input : spec_.inputs) {
      corpora_.push_back(load_corpus(input, spec_.memory));
      add_rejections(rejections, corpora_.back());
      for (const double load : options_.load)
        for (const std::uint64_t seed : spec_.seeds) settings_.push_back({corpora_.size() - 1, load, seed});
    }
    return rejections;
  }

  std::size_t count() const override { return settings_.size(); }

  // The settings that identify a trial. The lists of loads and seeds are left out, because they do not influence it.
  Json setting(std::size_t trial) const override {
    const Setting& setting = settings_[trial];
    Json json = {
        {"spec", spec_.resolved}, {"corpus", setting.corpus}, {"load", setting.load}, {"seed", setting.seed}};
    for (const char* other : {"load", "seeds"}) json.at("spec").erase(other);
    return json;
  }

  TrialResult run(std::size_t trial) const override {
    const Setting& setting = settings_[trial];
    const Corpus& corpus = corpora_[setting.corpus];
    core::Rng rng(setting.seed, "completion statements", setting.corpus);
    const auto all = static_cast<double>(corpus.session->memory().statements().size());
    const auto stored =
        choose_statements(corpus, rng, static_cast<std::size_t>(std::ceil(setting.load * all)));
    const core::Memory memory = memory_of(corpus, stored, spec_.memory);
    const core::MemoryIndex readings(memory);

    const auto memories = memories_by(with_baselines(spec_.methods), readings);

    TrialResult result;
    for (const auto& [corruption, noise] : options_.corruptions()) {
      core::Rng cue_rng(setting.seed, "completion cues",
                        setting.corpus * 10'000'000 + static_cast<std::uint64_t>(setting.load * 1e6));
      const auto cues = choose_cues(memory, readings, cue_rng, options_.cues, {corruption, noise});
      std::vector<double> overlaps;
      for (const EpisodeCue& cue : cues) overlaps.push_back(largest_overlap(memory, cue.statement));
      for (const NamedMemory& named : memories) {
        std::vector<CompletionScore> scores;
        std::vector<double> certified;
        result.time(trial, named.name, [&] {
          for (const EpisodeCue& cue : cues) {
            const core::Recall recall = named.recall(readings, core::Cue(cue.activation));
            scores.push_back(score_completion(cue, readings, recall));
            if (recall.certificate) certified.push_back(recall.certificate->exact ? 1 : 0);
          }
        });
        result.rows.push_back({{"trial", trial},
                               {"file", corpus.name},
                               {"load", setting.load},
                               {"seed", setting.seed},
                               {"corruption", corruption},
                               {"noise", noise},
                               {"method", named.name},
                               {"stored", memory.statements().size()},
                               {"cues", cues.size()}});
        add_means(result.rows.back(), scores, overlaps);
        if (!certified.empty()) result.rows.back()["certified"] = mean(certified);
      }
    }
    return result;
  }

 private:
  std::vector<Corpus> corpora_;
  std::vector<Setting> settings_;
};

}  // namespace

std::vector<Corruption> CompletionOptions::corruptions() const {
  std::vector<Corruption> all;
  for (const double share : corruption)
    for (const std::size_t wrong : noise) all.push_back({share, wrong});
  return all;
}

std::unique_ptr<Experiment> experiment() {
  return make_experiment<CompletionOptions>({"completion",
                                             read,
                                             make_trials<CompletionTrials>,
                                             conclude_completion,
                                             {"file by file and seed by seed", observe}});
}

}  // namespace engram::experiments::completion
