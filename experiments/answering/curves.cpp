// SPDX-License-Identifier: MIT
#include "experiments/answering/curves.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "core/numbers/numeric.hpp"
#include "experiments/answering/overview.hpp"

namespace engram::experiments::answering {
namespace {

using Places = std::vector<std::pair<double, std::string>>;  // x, and the name of the measure at x
// Values by the size of the first proof, then by method; one for each question.
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

Table lengths_table(const RowSet& set, const std::string& of, const std::string& what,
                    const std::vector<std::string>& labels) {
  const std::string gate = set.gates.front().name();
  Table table{(of == "whole" ? "" : of + "_") + "lengths_" + set.file,
              set.title + ": share of questions " + what + " among " + gate +
                  " statements, by how many statements the first proof has; in brackets, how many questions.",
              {"method"}};
  ByLength found = by_length(set, of + " " + gate);
  for (const auto& [length, values] : found)
    table.head.push_back(std::to_string(length) + " (" + std::to_string(values.begin()->second.size()) + ")");
  for (const std::string& label : labels) {
    table.rows.push_back({cell(label)});
    for (auto& [length, values] : found)
      table.rows.back().push_back(interval_cell(bootstrap_mean(values[label]), 2));
  }
  return table;
}

void add_curves(const RowSet& set, const std::string& of, const std::string& title,
                const std::vector<std::string>& labels, std::vector<Plot>& plots) {
  Plot by_given = curve(set, of, title, "statements given on average", labels);
  Plot by_capacity = curve(set, of + "_by_capacity", title, "statements given at most", labels);
  Plot of_lengths = curve(set, of + "_by_length", title + ", " + set.gates.front().name() + " given",
                          "statements that the first proof has", labels);
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
