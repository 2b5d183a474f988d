// SPDX-License-Identifier: MIT
#include "experiments/formats/leads_table.hpp"

namespace engram::experiments {
namespace {

Cell p_cell(double p) { return p < 0.0001 ? scientific_cell(p) : cell(p, 4); }

}  // namespace

std::vector<Cell> lead_cells(const Lead& lead, int decimals) {
  return {interval_cell(lead.difference, decimals),
          p_cell(lead.test.p),
          p_cell(lead.corrected),
          cell(lead.delta, 2),
          cell(lead.d_z, 2),
          cell(static_cast<double>(lead.pairs), 0),
          cell(lead.clear ? "yes" : "no")};
}

Table leads_table(const Leads& leads, const std::string& pairing) {
  Table table{
      "leads",
      "How far the best method of each measure leads each other one, paired " + pairing +
          ": the mean difference (best less other) with its 95 % bootstrap interval, the two-sided p "
          "of the paired permutation test (all arrangements of signs up to 20 pairs that differ, else "
          "9999 drawn), that p by Holm's correction over the " +
          std::to_string(leads.leads.size()) +
          " rows of this table, Cliff's delta and d_z (difference in standard deviations). Clear: at "
          "least " +
          std::to_string(fewest_pairs) + " pairs, an interval beyond zero and a corrected p of at most 0.05.",
      {"measure", "best", "other", "difference", "p", "corrected p", "Cliff's delta", "d_z", "pairs",
       "clear"}};
  for (const Lead& lead : leads.leads) {
    const Measure& measure = leads.measures[lead.measure];
    table.rows.push_back({cell(measure.name), cell(leads.labels[lead.best]), cell(leads.labels[lead.other])});
    for (Cell& shown : lead_cells(lead, measure.decimals)) table.rows.back().push_back(std::move(shown));
  }
  return table;
}

void mark_winners(Table& table, const Leads& leads, const std::vector<std::size_t>& measures,
                  const std::vector<std::size_t>& columns) {
  for (std::size_t i = 0; i < measures.size(); ++i)
    if (leads.has_winner(measures[i])) table.rows[*leads.best[measures[i]]][columns[i]].winner = true;
}

std::string table_policy() {
  return "Intervals: BCa (Efron 1987), for fewer than 10 values plain percentiles. Tied scores stand in "
         "random order, and numbers are their expectations over all orders. Bold (in plain text, a star): "
         "the best of its column, where its lead over "
         "every other method is clear (table leads).";
}

}  // namespace engram::experiments
