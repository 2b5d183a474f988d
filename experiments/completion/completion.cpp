// SPDX-License-Identifier: MIT
// Experiment `completion`: given a part of a statement, how well does each method find the rest? It varies the share of
// the statement that is removed, the number of wrong concepts in the cue, and the share of the file in the memory.
#include <algorithm>
#include <cmath>

#include "core/numbers/random.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/inputs/episodes.hpp"
#include "experiments/spec/experiment.hpp"
#include "experiments/spec/method_choice.hpp"

namespace engram::experiments::completion {
namespace {

struct CompletionOptions {
  std::size_t cues = 50;                       // number of cues in a trial
  std::vector<double> corruption{0.34, 0.67};  // shares of an episode's concepts to remove
  std::vector<std::size_t> noise{0, 1, 2};     // numbers of wrong concepts to add to a cue
  std::vector<double> load{0.25, 0.5, 1};      // shares of the file's statements to store

  // All combinations of `corruption` and `noise`.
  std::vector<Corruption> corruptions() const {
    std::vector<Corruption> all;
    for (const double share : corruption)
      for (const std::size_t wrong : noise) all.push_back({share, wrong});
    return all;
  }
};

// Results are grouped by the overlap of the statement: the largest share of its concepts that another statement
// contains. These are the upper bounds of the groups.
constexpr double overlap_classes[] = {0.34, 0.5, 0.67, 0.99, 1};

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

// Adds the means of the scores to a row, over all cues and over the cues of each group in overlap_classes.
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

// Setting of a trial. `seed` selects the stored statements and the statements to complete.
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

  // The settings that identify a trial. The lists of loads and seeds do not influence it, so they are omitted.
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
    const core::MemoryIndex index(memory);
    const auto memories = memories_by(with_baselines(spec_.methods), index);

    TrialResult result;
    for (const auto& [corruption, noise] : options_.corruptions()) {
      core::Rng cue_rng(setting.seed, "completion cues",
                        setting.corpus * 10'000'000 + static_cast<std::uint64_t>(setting.load * 1e6));
      const auto cues = choose_cues(memory, index, cue_rng, options_.cues, {corruption, noise});
      std::vector<double> overlaps;
      for (const EpisodeCue& cue : cues) overlaps.push_back(largest_overlap(memory, cue.statement));
      for (const NamedMemory& named : memories) {
        std::vector<CompletionScore> scores;
        std::vector<double> certified;
        result.time(trial, named.name, [&] {
          for (const EpisodeCue& cue : cues) {
            const core::Recall recall = named.recall(index, core::Cue(cue.activation));
            scores.push_back(score_completion(cue, index, recall));
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

// --- conclusion: tables, plots and sentences from the rows ---

// Values of one measure for one method and setting: one value for each file and seed.
std::vector<double> values_of(const std::vector<Json>& rows, const std::string& method, double load,
                              const Corruption& corruption, const char* measure) {
  std::vector<double> values;
  for (const Json& row : rows)
    if (row.at("method") == method && row.at("corruption") == corruption.share &&
        row.at("noise") == corruption.noise && row.at("load") == load && row.contains(measure))
      values.push_back(row.at(measure).get<double>());
  return values;
}

std::optional<Estimate> estimate_of(const std::vector<Json>& rows, const std::string& method, double load,
                                    const Corruption& corruption, const char* measure) {
  return bootstrap_mean(values_of(rows, method, load, corruption, measure));
}

// Values of one measure at one load, one for each file and seed, averaged over all corruptions.
std::vector<double> mean_values(const CompletionOptions& options, const std::vector<Json>& rows,
                                const std::string& method, double load, const char* measure) {
  std::vector<double> means;
  const auto all = options.corruptions();
  for (const Corruption& corruption : all) {
    const auto values = values_of(rows, method, load, corruption, measure);
    means.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) means[i] += values[i] / static_cast<double>(all.size());
  }
  return means;
}

// The names of the methods, in the order of the result rows.
std::vector<std::string> methods_of(const std::vector<Json>& rows) {
  std::vector<std::string> names;
  for (const Json& row : rows) {
    if (row.at("trial") != rows.front().at("trial")) break;
    auto name = row.at("method").get<std::string>();
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

std::string percent(double share) { return fixed(100 * share, 0) + " %"; }

std::string corruption_name(const Corruption& corruption) {
  return "-" + percent(corruption.share) + " +" + std::to_string(corruption.noise);
}

// A measure of every method at the largest load, averaged over all corruptions.
Measure over_all(const CompletionOptions& options, const std::vector<Json>& rows, const char* measure,
                 const char* name) {
  Measure all{name, {}};
  for (const std::string& method : methods_of(rows))
    all.values.push_back(
        mean_values(options, rows, method, *std::ranges::max_element(options.load), measure));
  return all;
}

// Table of one measure at the largest load: a row for each method, a column for each corruption, and their mean.
// `number` is the index of the measure in `leads`.
Table measure_table(const CompletionOptions& options, const std::vector<Json>& rows, const Leads& leads,
                    std::size_t number, const char* measure, const std::string& caption) {
  Table table{leads.measures[number].name, caption, {"method"}};
  for (const Corruption& corruption : options.corruptions())
    table.head.push_back(corruption_name(corruption));
  table.head.push_back("mean");
  const double full = *std::ranges::max_element(options.load);
  for (std::size_t i = 0; i < leads.labels.size(); ++i) {
    std::vector<Cell> cells{cell(leads.labels[i])};
    for (const Corruption& corruption : options.corruptions())
      cells.push_back(interval_cell(estimate_of(rows, leads.labels[i], full, corruption, measure), 2));
    cells.push_back(interval_cell(bootstrap_mean(leads.measures[number].values[i]), 2));
    table.rows.push_back(std::move(cells));
  }
  mark_winners(table, leads, {number}, {table.head.size() - 1});
  return table;
}

// Table of the share of cues whose recall has a certificate of exactness, for methods with a simplex map.
Table certificates_table(const CompletionOptions& options, const std::vector<Json>& rows,
                         const std::string& setting) {
  Table table{
      "certificates",
      "Share of the cues for which a certificate proves that one step returns exactly one statement or "
      "concept: beta times the gap between the two best scores is at least the margin of the map. Softmax "
      "never has a certificate. Rows: methods with a map." +
          setting,
      {"method"}};
  for (const Corruption& corruption : options.corruptions())
    table.head.push_back(corruption_name(corruption));
  const double full = *std::ranges::max_element(options.load);
  for (const std::string& method : methods_of(rows)) {
    if (std::ranges::none_of(
            rows, [&](const Json& row) { return row.at("method") == method && row.contains("certified"); }))
      continue;
    std::vector<Cell> cells{cell(method)};
    for (const Corruption& corruption : options.corruptions())
      cells.push_back(interval_cell(estimate_of(rows, method, full, corruption, "certified"), 2));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Json settings_json(const CompletionOptions& options, const std::vector<Json>& rows, const std::string& name) {
  Json settings = Json::array();
  for (const double load : options.load)
    for (const Corruption& corruption : options.corruptions())
      if (const auto e = estimate_of(rows, name, load, corruption, "reciprocal_rank"))
        settings.push_back({{"load", load},
                            {"corruption", corruption.share},
                            {"noise", corruption.noise},
                            {"reciprocal_rank", e->mean},
                            {"low", e->low},
                            {"high", e->high}});
  return settings;
}

// Adds a curve for each method to the plot: its mean reciprocal rank for each value of `axis`.
template <class Axis, class SettingAt>
Plot plot_along(const std::vector<Json>& rows, Plot plot, const Axis& axis, SettingAt setting_at) {
  for (const std::string& name : methods_of(rows)) {
    Plot::Series series{name};
    for (const auto x : axis) {
      const auto [load, corruption] = setting_at(x);
      series.add(static_cast<double>(x), estimate_of(rows, name, load, corruption, "reciprocal_rank"));
    }
    if (!series.points.empty()) plot.series.push_back(std::move(series));
  }
  return plot;
}

// Estimates of a method at this load, one for each group in overlap_classes.
std::vector<std::optional<Estimate>> by_overlap(const std::vector<Json>& rows, const std::string& name,
                                                double load) {
  std::vector<std::optional<Estimate>> classes;
  for (std::size_t c = 0; c < std::size(overlap_classes); ++c) {
    std::vector<double> values;
    for (const Json& row : rows)
      if (row.at("method") == name && row.at("load") == load && row.contains("by_overlap") &&
          row.at("by_overlap").at(c).is_number())
        values.push_back(row.at("by_overlap").at(c).get<double>());
    classes.push_back(bootstrap_mean(values));
  }
  return classes;
}

void add_overlap(const std::vector<Json>& rows, double load, Conclusion& conclusion) {
  Table table{"overlap",
              "Mean reciprocal rank of the removed concepts, over all corruptions of the cue, by overlap. "
              "The overlap is the largest share of the statement's concepts that another statement in memory "
              "contains.",
              {"method", "up to 1/3", "up to 1/2", "up to 2/3", "more", "all concepts"}};
  Plot plot{"overlap", "Completion against overlap of episodes", "share of concepts in one other statement",
            "mean reciprocal rank"};
  for (const std::string& name : methods_of(rows)) {
    std::vector<Cell> cells{cell(name)};
    Plot::Series series{name};
    const auto classes = by_overlap(rows, name, load);
    for (std::size_t c = 0; c < classes.size(); ++c) {
      cells.push_back(interval_cell(classes[c], 2));
      series.add(overlap_classes[c], classes[c]);
    }
    table.rows.push_back(std::move(cells));
    if (!series.points.empty()) plot.series.push_back(std::move(series));
  }
  conclusion.tables.push_back(std::move(table));
  conclusion.plots.push_back(std::move(plot));
}

Conclusion conclude(const Spec& spec, const CompletionOptions& options, const std::vector<Json>& rows) {
  Conclusion conclusion;
  conclusion.question = "Given a part of a statement, which method finds the rest best?";
  const double full = *std::ranges::max_element(options.load);
  const Corruption mildest{*std::ranges::min_element(options.corruption),
                           *std::ranges::min_element(options.noise)};
  const Corruption hardest{*std::ranges::max_element(options.corruption),
                           *std::ranges::max_element(options.noise)};
  const std::string setting =
      " Columns: share of the statement's concepts that is removed, and number of wrong concepts that are "
      "added. The memory contains " +
      percent(full) + " of the file's statements. Means over files and " + std::to_string(spec.seeds.size()) +
      " seeds with 95 % bootstrap intervals. Baselines: overlap, frequency and uniform. " + table_policy();
  const std::vector<std::string> labels = methods_of(rows);
  const Leads leads = find_leads(
      labels, {over_all(options, rows, "reciprocal_rank", "concepts"), over_all(options, rows, "hit", "hits"),
               over_all(options, rows, "statement_reciprocal_rank", "statements")});
  conclusion.tables = {
      measure_table(options, rows, leads, 0, "reciprocal_rank",
                    "Mean reciprocal rank of the removed concepts." + setting),
      measure_table(options, rows, leads, 1, "hit",
                    "Share of the m removed concepts that are among the m best ones." + setting),
      measure_table(options, rows, leads, 2, "statement_reciprocal_rank",
                    "Mean reciprocal rank of the statement from which the cue was made." + setting),
      leads_table(leads, "file by file and seed by seed, over all corruptions of the cue")};
  Table certificates = certificates_table(options, rows, setting);
  if (!certificates.rows.empty()) conclusion.tables.push_back(std::move(certificates));

  conclusion.summary = Json::object();
  for (const std::string& name : labels) conclusion.summary[name] = settings_json(options, rows, name);
  if (!leads.best.front()) {
    conclusion.answer = "No statement has at least two concepts, so no method had anything to complete.";
    return conclusion;
  }
  const std::size_t best = *leads.best.front();
  const Estimate estimate = *bootstrap_mean(leads.measures.front().values[best]);
  conclusion.plots = {
      plot_along(rows,
                 {"noise", "Completion against wrong concepts in the cue", "wrong concepts in the cue",
                  "mean reciprocal rank"},
                 options.noise,
                 [&](std::size_t noise) {
                   return std::pair(full, Corruption{mildest.share, noise});
                 }),
      plot_along(rows,
                 {"load", "Completion against load", "share of the file in memory", "mean reciprocal rank"},
                 options.load, [&](double load) { return std::pair(load, mildest); })};
  add_overlap(rows, full, conclusion);
  std::size_t best_at_worst = best;  // among equally good methods, prefers the best over all settings
  const auto at_worst = [&](std::size_t i) {
    return estimate_of(rows, labels[i], full, hardest, "reciprocal_rank").value_or(Estimate{}).mean;
  };
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (at_worst(i) > at_worst(best_at_worst)) best_at_worst = i;
  conclusion.answer =
      "With " + percent(full) + " of the file in memory and over all corruptions of the cue, " +
      labels[best] + " has the highest mean reciprocal rank, " + fixed(estimate.mean, 3) +
      " (95 % interval " + fixed(estimate.low, 3) + " to " + fixed(estimate.high, 3) +
      " over files and seeds); " + lead_clause(leads, 0) + ". For the hardest cues, with " +
      percent(hardest.share) + " of the concepts removed and " + std::to_string(hardest.noise) +
      " wrong concepts added, " +
      (best_at_worst == best ? "it is also the best" : labels[best_at_worst] + " is the best") + ", with " +
      fixed(at_worst(best_at_worst), 3) + ".";
  return conclusion;
}

}  // namespace

std::unique_ptr<Experiment> experiment() {
  return make_experiment<CompletionOptions>({"completion",
                                             read,
                                             make_trials<CompletionTrials>,
                                             conclude,
                                             {"file by file and seed by seed", observe}});
}

}  // namespace engram::experiments::completion
