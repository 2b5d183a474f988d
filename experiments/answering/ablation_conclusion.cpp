// SPDX-License-Identifier: MIT
// Conclusion of an ablation: each change compared with the unchanged method and with the best configuration.
#include <algorithm>

#include "core/numbers/numeric.hpp"
#include "experiments/answering/answering.hpp"
#include "experiments/statistics/statistics.hpp"

namespace engram::experiments::answering {
namespace {

// A configuration: a row of the table.
struct Configuration {
  std::string label;
  std::size_t base = 0;         // row of the unchanged method; its own row if it is unchanged
  std::vector<double> overall;  // share kept for each seed: mean over sets and capacities
};

struct Column {
  const RowSet* set;
  std::string capacity;
};

std::vector<Column> columns_of(const std::vector<RowSet>& sets) {
  std::vector<Column> columns;
  for (const RowSet& set : sets)
    for (const std::string& capacity : set.measures("kept"))
      if (set.ablation) columns.push_back({&set, capacity});
  return columns;
}

std::vector<double> values_of(const Column& column, const std::string& label) {
  return row_values(*column.set, configuration_name(label), column.capacity);
}

std::vector<double> overall(const std::vector<Column>& columns, const std::string& label) {
  std::vector<std::vector<double>> lists;
  std::size_t seeds = SIZE_MAX;
  for (const Column& column : columns) {
    lists.push_back(values_of(column, label));
    seeds = std::min(seeds, lists.back().size());
  }
  std::vector<double> means;
  for (std::size_t s = 0; s < seeds; ++s) {
    std::vector<double> of_seed;
    for (const auto& list : lists) of_seed.push_back(list[s]);
    means.push_back(mean(of_seed));
  }
  return means;
}

std::vector<Configuration> configurations_of(const AnsweringOptions& options,
                                             const std::vector<Column>& columns) {
  std::vector<Configuration> all;
  for (const Variants& ablation : options.ablation) {
    const std::size_t base = all.size();
    all.push_back({ablation.base.label, base, overall(columns, ablation.base.label)});
    for (const MethodChoice& choice : ablation.changed)
      all.push_back({choice.label, base, overall(columns, choice.label)});
  }
  return all;
}

// Paired differences of each row from another row. Holm's correction counts only rows that differ from theirs.
struct Differences {
  std::vector<Lead> leads;
  Differences(const std::vector<Configuration>& rows, const std::vector<std::size_t>& others) {
    std::vector<double> p;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      leads.push_back(paired_lead(rows[i].overall, rows[others[i]].overall));
      if (others[i] != i) p.push_back(leads.back().test.p);
    }
    const std::vector<double> corrected = holm(p);
    for (std::size_t i = 0, k = 0; i < rows.size(); ++i)
      if (others[i] != i) leads[i].corrected = corrected[k++];
  }
};

std::vector<Cell> difference_cells(const Lead& lead, bool own) {
  if (own) return {cell("-"), cell("-")};
  return {interval_cell(lead.difference, 3), cell(lead.corrected, 4)};
}

Table ablation_table(const std::vector<Configuration>& rows, const std::vector<Column>& columns,
                     std::size_t best) {
  Table table{
      "ablation",
      "What each part is worth: share of the needed statements kept when options are changed, and, in "
      "the mean over the sets and capacities shown, the difference to the method as it was, and to the "
      "best configuration (" +
          rows[best].label +
          "), seed by seed, with 95 % bootstrap intervals and the p of the paired permutation test by "
          "Holm's correction over its column.",
      {"configuration"}};
  for (const Column& column : columns) table.head.push_back(column.set->label + ": " + column.capacity);
  for (const char* head : {"less the unchanged", "p", "less the best", "p of that"})
    table.head.push_back(head);
  std::vector<std::size_t> bases;
  for (const Configuration& row : rows) bases.push_back(row.base);
  const Differences to_base(rows, bases), to_best(rows, std::vector<std::size_t>(rows.size(), best));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table.rows.push_back({cell(rows[i].label)});
    for (const Column& column : columns)
      table.rows.back().push_back(interval_cell(bootstrap_mean(values_of(column, rows[i].label)), 2));
    for (Cell& c : difference_cells(to_base.leads[i], rows[i].base == i)) table.rows.back().push_back(c);
    for (Cell& c : difference_cells(to_best.leads[i], best == i)) table.rows.back().push_back(c);
  }
  return table;
}

Plot ablation_plot(const std::vector<Configuration>& rows) {
  Plot plot{"ablation", "What each change of an option costs, over the hard sets", "", "share kept"};
  plot.series.push_back({"share kept"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    plot.categories.push_back(rows[i].label);
    plot.series[0].add(static_cast<double>(i + 1), bootstrap_mean(rows[i].overall));
  }
  return plot;
}

}  // namespace

void add_ablation(const AnsweringOptions& options, const std::vector<RowSet>& sets, Conclusion& conclusion) {
  const std::vector<Column> columns = columns_of(sets);
  if (columns.empty()) return;  // no rows of a set that is marked for ablation
  const std::vector<Configuration> rows = configurations_of(options, columns);
  if (rows.empty() || rows.front().overall.empty()) return;
  const auto best =
      std::ranges::max_element(rows, {}, [](const Configuration& row) { return mean(row.overall); });
  conclusion.tables.push_back(ablation_table(rows, columns, static_cast<std::size_t>(best - rows.begin())));
  conclusion.plots.push_back(ablation_plot(rows));
  Json& summary = conclusion.summary["ablation"] = Json::object();
  for (const Configuration& row : rows) {
    const Estimate e = *bootstrap_mean(row.overall);
    summary[row.label] = {{"kept", e.mean}, {"low", e.low}, {"high", e.high}};
  }
}

}  // namespace engram::experiments::answering
