// SPDX-License-Identifier: MIT
#include "experiments/answering/result_tables.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <utility>

#include "core/numbers/numeric.hpp"
#include "experiments/spec/method_choice.hpp"

namespace engram::experiments::answering {
namespace {

// Returns the text as part of a file name: every character except letters and digits becomes "_", as in "chains_300".
std::string file_part(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += plain ? c : '_';
  }
  return name;
}

// Mean of the values with a label, averaged over the measures that have values; 0 if there are none.
double average_of(const Leads& leads, std::size_t label) {
  std::vector<double> means;
  for (const Measure& measure : leads.measures)
    if (!measure.values[label].empty()) means.push_back(mean(measure.values[label]));
  return means.empty() ? 0 : mean(means);
}

using Places = std::vector<std::pair<double, std::string>>;  // x, and the name of the measure at x
// Values of a measure by the size of the first proof, then by method. Each list has one value per question.
using ByLength = std::map<std::size_t, std::map<std::string, std::vector<double>>>;

ByLength by_length(const RowSet& set, const std::string& measure) {
  ByLength found;
  for (const Json* row : set.rows) {
    const Json& measures = row->at("measures");
    if (row->at("part") != test || !measures.contains(measure)) continue;
    std::vector<std::size_t> lengths;
    for (const Json& needed : row->at("needed")) lengths.push_back(whole(needed));
    const auto values = measures.at(measure).get<std::vector<double>>();
    if (values.size() != lengths.size())
      throw std::invalid_argument("'" + measure + "' and 'needed' must be of the same questions");
    for (std::size_t i = 0; i < lengths.size(); ++i)
      found[lengths[i]][row->at("method").get<std::string>()].push_back(values[i]);
  }
  return found;
}

Plot curve(const RowSet& set, const std::string& name, const std::string& title, const std::string& x_label,
           const std::vector<std::string>& labels) {
  Plot plot{name + "_" + set.file, set.title + ": " + title, x_label, "share of questions"};
  for (const std::string& label : labels) plot.series.push_back({label, {}, label == reference_method});
  return plot;
}

void keep_if_curve(Plot&& plot, std::vector<Plot>& plots) {
  if (std::ranges::any_of(plot.series, [](const Plot::Series& one) { return one.points.size() > 1; }))
    plots.push_back(std::move(plot));
}

}  // namespace

std::vector<std::string> RowSet::measures(const std::string& of) const {
  std::vector<std::string> names;
  for (const Gate& gate : gates) names.push_back(of + " " + gate.name());
  return names;
}

std::vector<RowSet> row_sets(const AnsweringOptions& options, const std::vector<Json>& rows) {
  std::vector<RowSet> sets;
  for (const Json& row : rows) {
    const auto label = row.at("set").get<std::string>();
    const bool seeded = row.contains("seed");
    auto set =
        std::ranges::find_if(sets, [&](const RowSet& s) { return s.label == label && s.seeded == seeded; });
    if (set == sets.end()) {
      const std::string title = seeded ? label : std::filesystem::path(label).filename().string();
      RowSet made{label, title, "", seeded, false, {}, {}};
      made.gates = options.gates;
      for (const SeededSet& known : options.sets)
        if (seeded && known.label == label) {
          made.gates = known.gates;
          made.ablation = known.ablation;
        }
      set = sets.insert(sets.end(), std::move(made));
    }
    set->rows.push_back(&row);
  }
  std::vector<std::string> titles;
  for (const RowSet& set : sets) titles.push_back(set.title);
  for (RowSet& set : sets)
    if (std::ranges::count(titles, set.title) > 1) set.title = set.label;
  std::vector<std::string> files;
  for (RowSet& set : sets) {
    set.file = file_part(set.title);
    while (std::ranges::find(files, set.file) != files.end()) set.file += "_";
    files.push_back(set.file);
  }
  return sets;
}

std::vector<double> row_values(const RowSet& set, const std::string& method, const std::string& measure,
                               const std::string& part) {
  std::vector<double> values;
  for (const Json* row : set.rows) {
    const Json& measures = row->at("measures");
    if (row->at("method") != method || row->value("part", test) != part || !measures.contains(measure))
      continue;
    const auto of_questions = measures.at(measure).get<std::vector<double>>();
    if (set.seeded)
      values.push_back(mean(of_questions));
    else
      values.insert(values.end(), of_questions.begin(), of_questions.end());
  }
  return values;
}

Json estimates_json(const RowSet& set, const std::vector<std::string>& methods,
                    const std::vector<std::string>& measures) {
  Json estimates = Json::object();
  for (const std::string& method : methods)
    for (const std::string& measure : measures)
      if (const auto estimate = bootstrap_mean(row_values(set, method, measure)))
        estimates[method][measure] = estimate_json(estimate);
  return estimates;
}

BestLabel::BestLabel(const Leads& leads) {
  std::vector<double> averages;
  for (std::size_t i = 0; i < leads.labels.size(); ++i) averages.push_back(average_of(leads, i));
  index = static_cast<std::size_t>(std::ranges::max_element(averages) - averages.begin());
  average = averages[index];
  for (std::size_t i = 0; i < averages.size(); ++i)
    if (i != index && averages[i] == average) equal += (equal.empty() ? "" : ", ") + leads.labels[i];
  for (std::size_t m = 0; m < leads.measures.size(); ++m) {
    if (leads.best[m] == index && leads.has_winner(m)) ++clear;
    const std::vector<double>& values = leads.measures[m].values[index];
    if (values.empty()) continue;
    if (const double share = mean(values); measures++ == 0 || share < least) {
      worst = m;
      least = share;
    }
  }
}

void add_leads(const Leads& leads, const std::string& name, Conclusion& conclusion) {
  conclusion.tables.push_back(leads_table(leads, pairing));
  conclusion.tables.back().name = name + "_leads";
}

void mark_all_winners(Table& table, const Leads& leads, std::size_t width) {
  for (std::size_t i = 0; i < leads.measures.size(); ++i)
    if (leads.has_winner(i)) table.rows[*leads.best[i]][1 + i * width].winner = true;
}

Labels::Labels(const Spec& spec) {
  for (const MethodChoice& choice : with_baselines(spec.methods))
    (choice.method.name() == reference_method ? others : compared).push_back(choice.label);
}

std::vector<std::string> Labels::methods() const {
  std::vector<std::string> labels = compared;
  labels.insert(labels.end(), others.begin(), others.end());
  return labels;
}

std::vector<std::string> Labels::all() const {
  std::vector<std::string> labels = methods();
  labels.insert(labels.end(), {everything_arm, oracle_arm});
  return labels;
}

std::vector<Measure> first_gates(const std::vector<RowSet>& sets, const std::string& of,
                                 const std::vector<std::string>& labels) {
  std::vector<Measure> measures;
  for (const RowSet& set : sets) {
    measures.push_back({set.title + ": " + set.gates.front().name(), {}, true, 2});
    for (const std::string& label : labels)
      measures.back().values.push_back(row_values(set, label, set.measures(of).front()));
  }
  return measures;
}

Table overview(const std::string& of, const std::string& what, const std::vector<RowSet>& sets,
               const Labels& labels, const Leads& leads) {
  Table table{of,
              what + intervals + " " + bold_policy("method", of + "_leads") +
                  " Not compared: " + reference_method + ", which does the reasoner's work, " +
                  everything_arm + ", and " + oracle_arm + " (only the first proof).",
              {"method"}};
  const std::vector<std::string> all = labels.all();
  const std::vector<Measure> shown = first_gates(sets, of, all);
  for (const Measure& measure : shown) table.head.push_back(measure.name);
  for (std::size_t i = 0; i < all.size(); ++i) {
    table.rows.push_back({cell(all[i])});
    for (const Measure& measure : shown)
      table.rows.back().push_back(mean_cell(measure.values[i], measure.decimals));
  }
  mark_all_winners(table, leads);
  return table;
}

std::vector<std::string> leaders(const Spec& spec, const Leads& leads) {
  std::vector<std::string> families, labels;
  std::vector<double> best;
  for (const MethodChoice& choice : with_baselines(spec.methods)) {
    const auto found = std::ranges::find(leads.labels, choice.label);
    if (found == leads.labels.end()) continue;
    double sum = 0;
    for (const Measure& measure : leads.measures)
      if (const auto& values = measure.values[static_cast<std::size_t>(found - leads.labels.begin())];
          !values.empty())
        sum += mean(values);
    const auto family = static_cast<std::size_t>(std::ranges::find(families, choice.method.method().family) -
                                                 families.begin());
    if (family == families.size()) {
      families.push_back(choice.method.method().family);
      labels.emplace_back();
      best.push_back(-1);
    }
    if (sum > best[family]) {
      best[family] = sum;
      labels[family] = choice.label;
    }
  }
  return labels;
}

Table lengths_table(const RowSet& set, const std::string& of, const std::string& what,
                    const std::vector<std::string>& labels) {
  const std::string gate = set.gates.front().name();
  Table table{(of == "whole" ? "" : of + "_") + "lengths_" + set.file,
              set.title + ": share of the questions " + what + " at gate " + gate +
                  ", by the number of statements of the first proof; in brackets, the number of questions.",
              {"method"}};
  ByLength found = by_length(set, of + " " + gate);
  for (const auto& [length, values] : found)
    table.head.push_back(std::to_string(length) + " (" + std::to_string(values.begin()->second.size()) + ")");
  for (const std::string& label : labels) {
    table.rows.push_back({cell(label)});
    for (auto& [length, values] : found) table.rows.back().push_back(mean_cell(values[label]));
  }
  return table;
}

void add_curves(const RowSet& set, const std::string& of, const std::string& title,
                const std::vector<std::string>& labels, std::vector<Plot>& plots) {
  Plot by_given = curve(set, of, title, "mean number of given statements", labels);
  Plot by_capacity = curve(set, of + "_by_capacity", title, "capacity", labels);
  Plot of_lengths = curve(set, of + "_by_length", title + " at gate " + set.gates.front().name(),
                          "statements of the first proof", labels);
  const ByLength lengths = by_length(set, of + " " + set.gates.front().name());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    Places given, capacities;
    for (const Gate& gate : set.gates) {
      const std::string name = gate.name();
      if (const auto values = row_values(set, labels[i], "given " + name); !values.empty())
        given.emplace_back(mean(values), name);
      if (!gate.multiple && gate.share == 0) capacities.emplace_back(gate.amount, name);
    }
    for (const auto& [places, plot] : {std::pair(&given, &by_given), {&capacities, &by_capacity}}) {
      std::ranges::sort(*places);
      for (const auto& [x, gate] : *places)
        plot->series[i].add(x, bootstrap_mean(row_values(set, labels[i], of + " " + gate)));
    }
    for (const auto& [length, values] : lengths)
      if (const auto found = values.find(labels[i]); found != values.end())
        of_lengths.series[i].add(static_cast<double>(length), bootstrap_mean(found->second));
  }
  for (Plot* plot : {&by_given, &by_capacity, &of_lengths}) keep_if_curve(std::move(*plot), plots);
}

}  // namespace engram::experiments::answering
