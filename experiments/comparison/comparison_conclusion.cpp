// SPDX-License-Identifier: MIT
// What the comparison concludes from its rows.
#include <algorithm>
#include <map>
#include <stdexcept>

#include "experiments/comparison/comparison.hpp"
#include "experiments/formats/leads_table.hpp"
#include "experiments/pages/maps_picture.hpp"
#include "experiments/pages/memory_history.hpp"
#include "experiments/statistics/leads.hpp"

namespace engram::experiments::comparison {
namespace {

// In the order of the rows: the spec's methods, then the baselines that it does not name.
std::vector<std::string> labels_of(const std::vector<Json>& rows) {
  std::vector<std::string> labels;
  for (const Json& row : rows) {
    if (row.at("trial") != rows.front().at("trial")) break;
    const auto label = row.at("method").get<std::string>();
    if (std::ranges::find(labels, label) != labels.end())
      throw std::invalid_argument("a trial has two rows of the method " + label);
    labels.push_back(label);
  }
  return labels;
}

// Columns of the table of methods, and what the lists of `Measure` stand for.
enum MeasureIndex : std::size_t { answer, above_others, mean_rank, kept, whole_proof, all_first };

struct Numbers {
  std::vector<std::string> labels;
  std::vector<Measure> measures;
  std::vector<std::vector<double>> others_ranks;  // a label
};

// All numbers, cue by cue.
Numbers collect(const std::vector<Json>& rows) {
  Numbers numbers{labels_of(rows),
                  {{"answer", {}},
                   {"above others", {}},
                   {"mean rank", {}, false, 1},
                   {"kept", {}},
                   {"whole", {}},
                   {"all first", {}}},
                  {}};
  std::map<std::string, std::size_t> place;
  for (const std::string& label : numbers.labels) place.emplace(label, place.size());
  for (Measure& measure : numbers.measures) measure.values.resize(place.size());
  numbers.others_ranks.resize(place.size());
  for (const Json& row : rows) {
    const std::size_t method = place.at(row.at("method").get<std::string>());
    const auto add = [&](MeasureIndex measure, double value) {
      numbers.measures[measure].values[method].push_back(value);
    };
    if (row.contains("answer_reciprocal_rank")) add(answer, row.at("answer_reciprocal_rank").get<double>());
    if (!row.contains("needed")) continue;
    const Json& needed = row.at("needed");
    add(above_others, needed.at("above_others").get<double>());
    add(mean_rank, needed.at("mean_rank").get<double>());
    add(kept, needed.at("within_capacity").get<double>());
    add(whole_proof, needed.at("whole").get<bool>() ? 1.0 : 0.0);
    add(all_first, needed.at("all_first").get<bool>() ? 1.0 : 0.0);
    numbers.others_ranks[method].push_back(needed.at("mean_rank_of_others").get<double>());
  }
  return numbers;
}

std::optional<double> mean_of(const std::vector<double>& values) {
  const auto estimate = bootstrap_mean(values);
  return estimate ? std::optional(estimate->mean) : std::nullopt;
}

std::string percent(double share) { return fixed(100 * share, 1) + " %"; }

Table methods_table(std::size_t capacity, const Leads& leads, const Numbers& numbers) {
  Table table{
      "methods",
      "What each method ranks first, with 95 % bootstrap intervals over the cues. Answer: mean reciprocal "
      "rank of the answer's concepts. Above others: chance that a needed statement scores above one that "
      "is not. Mean rank: of the needed statements, and of the others. Kept: share of the needed statements "
      "among the " +
          std::to_string(capacity) +
          " best. Whole: share of cues of which a whole known proof is among these. All first: share of cues "
          "whose needed statements all score above every other. Baselines: "
          "overlap, frequency and uniform. " +
          table_policy(),
      {"method", "answer", "above others", "mean rank", "of others", "kept", "whole", "all first"}};
  for (std::size_t i = 0; i < numbers.labels.size(); ++i) {
    const auto shown = [&](MeasureIndex m) {
      return interval_cell(bootstrap_mean(numbers.measures[m].values[i]), numbers.measures[m].decimals);
    };
    table.rows.push_back({cell(numbers.labels[i]), shown(answer), shown(above_others), shown(mean_rank),
                          cell(mean_of(numbers.others_ranks[i]), 1), shown(kept), shown(whole_proof),
                          shown(all_first)});
  }
  mark_winners(table, leads, {answer, above_others, mean_rank, kept, whole_proof, all_first},
               {1, 2, 3, 5, 6, 7});
  return table;
}

Cell linked(Cell shown, std::string link) {
  shown.link = std::move(link);
  return shown;
}

// For each cue with needed statements: which method puts them highest, and by how much.
Table cues_table(const std::vector<Json>& rows) {
  Table table{
      "cues",
      "For each cue, the method that ranks the needed statements highest. Margin: its score of the lowest "
      "needed statement less that of the highest other, above 0 where all needed ones come first.",
      {"cue", "needed", "of", "best method", "above others", "mean rank", "margin"}};
  for (std::size_t i = 0; i < rows.size();) {
    const Json* best = nullptr;
    const std::size_t first = i;
    for (; i < rows.size() && rows[i].at("trial") == rows[first].at("trial"); ++i) {
      if (!rows[i].contains("needed")) continue;
      const auto score = [](const Json& row) { return row.at("needed").at("above_others").get<double>(); };
      if (best == nullptr || score(rows[i]) > score(*best)) best = &rows[i];
    }
    if (best == nullptr) continue;
    const Json& needed = best->at("needed");
    table.rows.push_back(
        {linked(cell(best->at("cue").get<std::string>()), cue_page(*best)),
         cell(needed.at("count").get<double>(), 0), cell(needed.at("statements").get<double>(), 0),
         cell(best->at("method").get<std::string>()), cell(needed.at("above_others").get<double>(), 3),
         cell(needed.at("mean_rank").get<double>(), 1), cell(needed.at("margin").get<double>(), 4)});
  }
  return table;
}

// The mean over the cues of a correlation of every method with every other.
using Correlations = std::map<std::pair<std::string, std::string>, std::vector<double>>;

Correlations correlations(const std::vector<Json>& rows, const char* name) {
  Correlations found;
  for (const Json& row : rows)
    for (const auto& [other, agreement] : row.at("agreement").items())
      if (agreement.at(name).is_number())
        found[{row.at("method").get<std::string>(), other}].push_back(agreement.at(name).get<double>());
  return found;
}

Table agreement_table(const std::vector<std::string>& labels, const std::vector<Json>& rows) {
  const Correlations spearman = correlations(rows, "spearman"), kendall = correlations(rows, "kendall");
  Table table{
      "agreement",
      "How far the methods agree: rank correlation of the activations of all concepts, mean over the cues. "
      "Above the diagonal Spearman's rho, below it Kendall's tau-b; both take ties into account.",
      {"method"}};
  table.head.insert(table.head.end(), labels.begin(), labels.end());
  for (std::size_t a = 0; a < labels.size(); ++a) {
    std::vector<Cell> cells{cell(labels[a])};
    for (std::size_t b = 0; b < labels.size(); ++b) {
      const Correlations& shown = a < b ? spearman : kendall;
      const auto values = shown.find({labels[a], labels[b]});
      cells.push_back(a == b                  ? cell("1")
                      : values == shown.end() ? cell("-")
                                              : cell(mean_of(values->second), 2));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// The measure that the file allows: needed statements, else the answer's rank.
std::string answer_sentence(std::size_t capacity, const Leads& leads, std::size_t cues) {
  const MeasureIndex primary = leads.best[kept] ? kept : answer;
  if (!leads.best[primary])
    return std::to_string(cues) + " cues were put to " + std::to_string(leads.labels.size()) +
           " methods; the file says nothing of what should come back, so only their agreement is measured.";
  const std::size_t best = *leads.best[primary];
  const auto values_of = [&](MeasureIndex m) { return leads.measures[m].values[best]; };
  const Estimate estimate = *bootstrap_mean(values_of(primary));
  std::string text = "Over " + std::to_string(values_of(primary).size()) + " cues, " + leads.labels[best];
  if (primary == kept)
    text += " gives most of what the answer needs: its " + std::to_string(capacity) +
            " best statements hold " + percent(estimate.mean) + " of it (95 % interval " +
            percent(estimate.low) + " to " + percent(estimate.high) + "), and a whole proof for " +
            percent(bootstrap_mean(values_of(whole_proof))->mean) + " of the questions";
  else
    text += " puts the answer highest: mean reciprocal rank " + fixed(estimate.mean, 3) + " (95 % interval " +
            fixed(estimate.low, 3) + " to " + fixed(estimate.high, 3) + ")";
  return text + "; " + lead_clause(leads, primary) + ".";
}

Plot kept_plot(std::size_t capacity, const Numbers& numbers) {
  Plot plot{"needed", "Needed statements among the best " + std::to_string(capacity), "", "share kept"};
  plot.series.push_back({"share kept"});
  plot.categories = numbers.labels;
  for (std::size_t i = 0; i < numbers.labels.size(); ++i)
    plot.series[0].add(static_cast<double>(i + 1), bootstrap_mean(numbers.measures[kept].values[i]));
  return plot;
}

}  // namespace

Conclusion conclude_comparison(const Spec& spec, const ComparisonOptions& options,
                               const std::vector<Json>& rows) {
  const Numbers numbers = collect(rows);
  const Leads leads = find_leads(numbers.labels, numbers.measures);
  const std::size_t cues = rows.size() / numbers.labels.size();
  Conclusion conclusion;
  conclusion.question = "Given a question, which method puts first the concepts and statements it needs?";
  conclusion.answer = answer_sentence(options.capacity, leads, cues);
  conclusion.summary = {{"cues", cues}, {"methods", Json::object()}};
  for (std::size_t i = 0; i < numbers.labels.size(); ++i) {
    const auto estimate = [&](MeasureIndex m) {
      const std::vector<double>& values = numbers.measures[m].values[i];
      Json json = estimate_json(bootstrap_mean(values));
      if (!json.is_null()) json["cues"] = values.size();
      return json;
    };
    conclusion.summary["methods"][numbers.labels[i]] = {
        {"answer_reciprocal_rank", estimate(answer)}, {"needed_above_others", estimate(above_others)},
        {"needed_mean_rank", estimate(mean_rank)},    {"needed_within_capacity", estimate(kept)},
        {"whole_proof", estimate(whole_proof)},       {"needed_all_first", estimate(all_first)}};
  }
  conclusion.tables = {methods_table(options.capacity, leads, numbers), leads_table(leads, "cue by cue"),
                       cues_table(rows), agreement_table(numbers.labels, rows)};
  if (Plot plot = kept_plot(options.capacity, numbers); !plot.series[0].points.empty())
    conclusion.plots.push_back(plot);
  if (rows.front().contains("maps"))
    conclusion.plots.push_back(maps_plot(rows.front().at("maps"), rows.front().at("cue").get<std::string>()));
  std::size_t file = 0;
  for (const Json& row : rows)
    if (row.contains("history") && row.at("history").is_object())
      add_history(row.at("history"), ++file, row.at("file").get<std::string>(), conclusion);
  add_cue_pages(spec, rows, conclusion);
  return conclusion;
}

}  // namespace engram::experiments::comparison
