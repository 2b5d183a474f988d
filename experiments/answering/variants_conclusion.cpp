// SPDX-License-Identifier: MIT
// Conclusions about methods with changed options: for an ablation, and for tuning.
#include <algorithm>

#include "core/numbers/numeric.hpp"
#include "experiments/answering/result_tables.hpp"

namespace engram::experiments::answering {
namespace {

// A configuration of a method in the ablation, shown as a row of the table.
struct Configuration {
  std::string label;
  std::size_t base = 0;         // row of the unchanged method; its own row for the unchanged method
  std::vector<double> overall;  // share of needed statements kept, by seed: mean over sets and capacities
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

// Paired differences of each configuration i from the configuration in row others[i]. Holm's correction leaves out rows
// that are compared with themselves.
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
      "Effect of single options: share of the needed statements kept after a change, and its difference to "
      "the unchanged method and to the best configuration (" +
          rows[best].label +
          "), averaged over the sets and capacities shown. Differences are paired by seed, with 95 % "
          "bootstrap "
          "intervals and the p of the paired permutation test, by Holm's correction over its column.",
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
      table.rows.back().push_back(mean_cell(values_of(column, rows[i].label)));
    for (Cell& c : difference_cells(to_base.leads[i], rows[i].base == i)) table.rows.back().push_back(c);
    for (Cell& c : difference_cells(to_best.leads[i], best == i)) table.rows.back().push_back(c);
  }
  return table;
}

Plot ablation_plot(const std::vector<Configuration>& rows) {
  Plot plot{"ablation", "Share of needed statements kept after a change of one option", "", "share kept"};
  plot.series.push_back({"share kept"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    plot.categories.push_back(rows[i].label);
    plot.series[0].add(static_cast<double>(i + 1), bootstrap_mean(rows[i].overall));
  }
  return plot;
}

// Share of training questions with a whole proof for a candidate: mean over the gates of a set, then over the sets.
double trained(const std::vector<RowSet>& sets, const std::string& label) {
  std::vector<double> of_sets;
  for (const RowSet& set : sets) {
    std::vector<double> of_gates;
    for (const std::string& measure : set.measures("whole"))
      if (const auto values = row_values(set, candidate_name(label), measure, training); !values.empty())
        of_gates.push_back(mean(values));
    if (!of_gates.empty()) of_sets.push_back(mean(of_gates));
  }
  return mean(of_sets);
}

struct Choice {
  std::string method, chosen;  // label of the method, and label of its best candidate
  double shipped_share = 0, chosen_share = 0;
};

constexpr double rounding = 1e-9;  // bound on the difference of equal means due to their order of summation

// Chooses the best candidate. The first one wins ties, so the shipped options stay unless another is better.
Choice choose(const Variants& variants, const std::vector<RowSet>& sets) {
  const std::string& shipped = variants.base.label;
  Choice choice{shipped, shipped, trained(sets, shipped), 0};
  choice.chosen_share = choice.shipped_share;
  for (const MethodChoice& candidate : variants.changed)
    if (const double share = trained(sets, candidate.label); share > choice.chosen_share + rounding) {
      choice.chosen = candidate.label;
      choice.chosen_share = share;
    }
  return choice;
}

Table choices_table(const std::vector<Choice>& choices, std::size_t candidates) {
  Table table{"choices",
              "Best of " + std::to_string(candidates) +
                  " candidates of each method, by the share of training questions with a whole proof (mean "
                  "over the sets, and over the gates of each set).",
              {"method", "chosen", "as shipped", "as chosen"}};
  for (const Choice& choice : choices)
    table.rows.push_back({cell(choice.method),
                          cell(choice.chosen == choice.method ? "as shipped" : choice.chosen),
                          cell(choice.shipped_share, 3), cell(choice.chosen_share, 3)});
  return table;
}

Table tuned_table(const std::vector<Choice>& choices, const std::vector<RowSet>& sets) {
  Table table{"tuned",
              "Share of the test questions with a whole proof, with the shipped options and with the chosen "
              "ones (table choices), and 95 % bootstrap intervals.",
              {"method"}};
  for (const RowSet& set : sets) table.head.push_back(set.title + ": " + set.gates.front().name());
  const auto add = [&](const std::string& shown, const std::string& label) {
    table.rows.push_back({cell(shown)});
    for (const RowSet& set : sets)
      table.rows.back().push_back(
          mean_cell(row_values(set, candidate_name(label), set.measures("whole").front())));
  };
  for (const Choice& choice : choices) {
    add(choice.method + ", as shipped", choice.method);
    if (choice.chosen != choice.method) add(choice.chosen + ", tuned", choice.chosen);
  }
  return table;
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

void add_tuning(const AnsweringOptions& options, const std::vector<RowSet>& sets, Conclusion& conclusion) {
  std::vector<Choice> choices;
  for (const Variants& variants : options.tuning.methods) choices.push_back(choose(variants, sets));
  if (choices.empty()) return;
  conclusion.tables.push_back(choices_table(choices, 1 + options.tuning.methods.front().changed.size()));
  conclusion.tables.push_back(tuned_table(choices, sets));
  Json& summary = conclusion.summary["tuning"] = Json::object();
  for (const Choice& choice : choices)
    summary[choice.method] = {{"chosen", choice.chosen},
                              {"training_as_shipped", choice.shipped_share},
                              {"training_as_chosen", choice.chosen_share}};
}

}  // namespace engram::experiments::answering
