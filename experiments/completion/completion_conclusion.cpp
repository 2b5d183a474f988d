// SPDX-License-Identifier: MIT
// Conclusion of the experiment `completion`: tables, plots and sentences from its rows.
#include "experiments/completion/completion.hpp"
#include "experiments/formats/files.hpp"
#include "experiments/formats/tables.hpp"

#include <algorithm>

namespace engram::experiments::completion {
namespace {

// Values of a measure for one method and setting, one for each file and seed.
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

// Values of a measure at one load, averaged over all corruptions.
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

// The memories in the order of the rows: first the methods of the spec, then networks of spins.
std::vector<std::string> memories_of(const std::vector<Json>& rows) {
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

// A measure of every memory at full load, averaged over all corruptions, for the table of leads.
Measure over_all(const CompletionOptions& options, const std::vector<Json>& rows, const char* measure,
                 const char* name) {
  Measure all{name, {}};
  for (const std::string& memory : memories_of(rows))
    all.values.push_back(
        mean_values(options, rows, memory, *std::ranges::max_element(options.load), measure));
  return all;
}

// Table of one measure; `number` is its index in the leads.
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

// Table of certificates of exactness, for methods with a simplex map.
Table certificates_table(const CompletionOptions& options, const std::vector<Json>& rows,
                         const std::string& setting) {
  Table table{
      "certificates",
      "Share of cues of which the certificate (beta times the gap between the best score and the next, "
      "against the map's margin) says that one step gives a single statement, or concept, exactly; by "
      "softmax none ever does. Methods that weigh by a map." +
          setting,
      {"method"}};
  for (const Corruption& corruption : options.corruptions())
    table.head.push_back(corruption_name(corruption));
  const double full = *std::ranges::max_element(options.load);
  for (const std::string& memory : memories_of(rows)) {
    if (std::ranges::none_of(
            rows, [&](const Json& row) { return row.at("method") == memory && row.contains("certified"); }))
      continue;
    std::vector<Cell> cells{cell(memory)};
    for (const Corruption& corruption : options.corruptions())
      cells.push_back(interval_cell(estimate_of(rows, memory, full, corruption, "certified"), 2));
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

// Adds a line for each method: mean reciprocal rank along an axis of the settings.
template <class Axis, class SettingAt>
Plot plot_along(const std::vector<Json>& rows, Plot plot, const Axis& axis, SettingAt setting_at) {
  for (const std::string& name : memories_of(rows)) {
    Plot::Series series{name};
    for (const auto x : axis) {
      const std::pair<double, Corruption> setting = setting_at(x);
      series.add(static_cast<double>(x),
                 estimate_of(rows, name, setting.first, setting.second, "reciprocal_rank"));
    }
    if (!series.points.empty()) plot.series.push_back(std::move(series));
  }
  return plot;
}

// Estimates for all cues of the largest load, by class of overlap.
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
  Table table{
      "overlap",
      "Mean reciprocal rank of the concepts that were taken away, over all ways of corrupting the cue, by "
      "how much the statement overlaps with its nearest neighbour in memory: the share of its concepts "
      "that one other statement has as well.",
      {"method", "to a third", "to half", "to two thirds", "more", "all"}};
  Plot plot{"overlap", "Completion against overlap of episodes", "share of concepts in one other statement",
            "mean reciprocal rank"};
  for (const std::string& name : memories_of(rows)) {
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

}  // namespace

Conclusion conclude_completion(const Spec& spec, const CompletionOptions& options,
                               const std::vector<Json>& rows) {
  Conclusion conclusion;
  conclusion.question = "Part of a statement in: does the rest of it come back?";
  const double full = *std::ranges::max_element(options.load);
  const Corruption mildest{*std::ranges::min_element(options.corruption),
                           *std::ranges::min_element(options.noise)};
  const Corruption hardest{*std::ranges::max_element(options.corruption),
                           *std::ranges::max_element(options.noise)};
  const std::string setting =
      " Columns: share of the statement's concepts taken away, number of wrong ones mixed in. The memory "
      "holds " +
      percent(full) + " of the file's statements; mean over files and " + std::to_string(spec.seeds.size()) +
      " seeds, 95 % bootstrap intervals. Baselines: overlap, frequency and uniform. " + table_policy();
  const std::vector<std::string> labels = memories_of(rows);
  const Leads leads = find_leads(
      labels, {over_all(options, rows, "reciprocal_rank", "concepts"), over_all(options, rows, "hit", "hits"),
               over_all(options, rows, "statement_reciprocal_rank", "statements")});
  conclusion.tables = {
      measure_table(options, rows, leads, 0, "reciprocal_rank",
                    "Mean reciprocal rank of the concepts that were taken away." + setting),
      measure_table(options, rows, leads, 1, "hit",
                    "Share of the m concepts taken away that are among the m best." + setting),
      measure_table(options, rows, leads, 2, "statement_reciprocal_rank",
                    "Mean reciprocal rank of the statement that the cue was cut from." + setting),
      leads_table(leads, "file by file and seed by seed, over all ways of corrupting the cue")};
  Table certificates = certificates_table(options, rows, setting);
  if (!certificates.rows.empty()) conclusion.tables.push_back(std::move(certificates));

  conclusion.summary = Json::object();
  for (const std::string& name : labels) conclusion.summary[name] = settings_json(options, rows, name);
  if (!leads.best.front()) {
    conclusion.answer = "No statement has two concepts or more, so there was nothing to complete.";
    return conclusion;
  }
  const std::size_t best = *leads.best.front();
  const Estimate estimate = *bootstrap_mean(leads.measures.front().values[best]);
  conclusion.plots = {
      plot_along(rows,
                 {"noise", "Completion against wrong concepts in the cue", "wrong concepts mixed in",
                  "mean reciprocal rank"},
                 options.noise,
                 [&](std::size_t noise) {
                   return std::pair(full, Corruption{mildest.share, noise});
                 }),
      plot_along(rows,
                 {"load", "Completion against load", "share of the file in memory", "mean reciprocal rank"},
                 options.load, [&](double load) { return std::pair(load, mildest); })};
  add_overlap(rows, full, conclusion);
  std::size_t best_at_worst = best;  // ties go to the best over all settings
  const auto at_worst = [&](std::size_t i) {
    return estimate_of(rows, labels[i], full, hardest, "reciprocal_rank").value_or(Estimate{}).mean;
  };
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (at_worst(i) > at_worst(best_at_worst)) best_at_worst = i;
  conclusion.answer =
      "With " + percent(full) + " of the file in memory and over all ways of corrupting the cue, " +
      labels[best] + " completes best: mean reciprocal rank " + fixed(estimate.mean, 3) + " (95 % interval " +
      fixed(estimate.low, 3) + " to " + fixed(estimate.high, 3) + " over files and seeds); " +
      lead_clause(leads, 0) + ". For the worst cues, with " + percent(hardest.share) + " taken away and " +
      std::to_string(hardest.noise) + " wrong concepts mixed in, " +
      (best_at_worst == best ? "it is best as well" : labels[best_at_worst] + " is best") + ", with " +
      fixed(at_worst(best_at_worst), 3) + ".";
  return conclusion;
}

}  // namespace engram::experiments::completion
