// SPDX-License-Identifier: MIT
#include "experiments/answering/overview.hpp"

#include <algorithm>

#include "core/numbers/numeric.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/spec/method_choice.hpp"

namespace engram::experiments::answering {

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
              what + std::string(intervals) + " " + bold_policy("allocator", of + "_leads") + " " +
                  reference_method + ", which does the reasoner's work, " + everything_arm + " and " +
                  oracle_arm + " (the first proof alone) are shown beside them.",
              {"method"}};
  const std::vector<std::string> all = labels.all();
  const std::vector<Measure> shown = first_gates(sets, of, all);
  for (const Measure& measure : shown) table.head.push_back(measure.name);
  for (std::size_t i = 0; i < all.size(); ++i) {
    table.rows.push_back({cell(all[i])});
    for (const Measure& measure : shown)
      table.rows.back().push_back(interval_cell(bootstrap_mean(measure.values[i]), measure.decimals));
  }
  std::vector<std::size_t> measures, columns;
  for (std::size_t m = 0; m < leads.measures.size(); ++m) {
    measures.push_back(m);
    columns.push_back(m + 1);
  }
  mark_winners(table, leads, measures, columns);
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

}  // namespace engram::experiments::answering
