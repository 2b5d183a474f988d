// SPDX-License-Identifier: MIT
#include "experiments/reports/leads.hpp"

#include <algorithm>

#include "core/numbers/numeric.hpp"

namespace engram::experiments {
namespace {

constexpr double level = 0.05;  // of all leads together

std::optional<std::size_t> best_of(const Measure& measure) {
  std::optional<std::size_t> best;
  double best_mean = 0;
  for (std::size_t i = 0; i < measure.values.size(); ++i) {
    if (measure.values[i].empty()) continue;
    const double mean = core::sum(measure.values[i]) / static_cast<double>(measure.values[i].size());
    if (best && (measure.higher_is_better ? mean <= best_mean : mean >= best_mean)) continue;
    best = i;
    best_mean = mean;
  }
  return best;
}

void correct(Leads& all) {
  std::vector<double> p;
  for (const Lead& lead : all.leads) p.push_back(lead.test.p);
  const std::vector<double> corrected = holm(p);
  for (std::size_t i = 0; i < p.size(); ++i) {
    Lead& lead = all.leads[i];
    lead.corrected = corrected[i];
    const bool beyond_zero =
        all.measures[lead.measure].higher_is_better ? lead.difference.low > 0 : lead.difference.high < 0;
    lead.clear = is_clear(lead, beyond_zero);
  }
}

Cell p_cell(double p) { return p < 0.0001 ? scientific_cell(p) : cell(p, 4); }

}  // namespace

Lead paired_lead(const std::vector<double>& a, const std::vector<double>& b) {
  core::require(!a.empty() && a.size() == b.size(), "paired lists must have values, as many of each");
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  Lead lead;
  lead.pairs = a.size();
  lead.difference = *bootstrap_mean(differences);
  lead.test = paired_permutation(differences);
  lead.delta = cliffs_delta(a, b);
  lead.d_z = effect_size(differences);
  return lead;
}

bool is_clear(const Lead& lead, bool beyond_zero) {
  return lead.pairs >= fewest_pairs && beyond_zero && lead.corrected <= level;
}

std::vector<Cell> lead_cells(const Lead& lead, int decimals) {
  return {interval_cell(lead.difference, decimals),
          p_cell(lead.test.p),
          p_cell(lead.corrected),
          cell(lead.delta, 2),
          cell(lead.d_z, 2),
          cell(static_cast<double>(lead.pairs), 0),
          cell(lead.clear ? "yes" : "no")};
}

bool Leads::has_winner(std::size_t measure) const {
  return best[measure] && std::ranges::any_of(leads, [&](const Lead& l) { return l.measure == measure; }) &&
         std::ranges::all_of(leads, [&](const Lead& l) { return l.measure != measure || l.clear; });
}

Leads find_leads(std::vector<std::string> labels, std::vector<Measure> measures) {
  Leads all{std::move(labels), std::move(measures), {}, {}};
  for (std::size_t m = 0; m < all.measures.size(); ++m) {
    const Measure& measure = all.measures[m];
    const auto best = best_of(measure);
    all.best.push_back(best);
    if (!best) continue;
    for (std::size_t other = 0; other < measure.values.size(); ++other) {
      if (other == *best || measure.values[other].size() != measure.values[*best].size()) continue;
      Lead lead = paired_lead(measure.values[*best], measure.values[other]);
      lead.measure = m;
      lead.best = *best;
      lead.other = other;
      all.leads.push_back(lead);
    }
  }
  correct(all);
  return all;
}

std::string lead_clause(const Leads& leads, std::size_t measure) {
  std::string level_with;
  for (const Lead& lead : leads.leads) {
    if (lead.measure != measure) continue;
    if (lead.pairs < fewest_pairs) return "with so few, no lead can be told from chance";
    if (!lead.clear) level_with += (level_with.empty() ? "" : ", ") + leads.labels[lead.other];
  }
  return level_with.empty() ? "its lead over every other method is clear of zero"
                            : "its lead over " + level_with + " may be chance";
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
       "clear"},
      {}};
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
  return "Intervals: BCa (Efron 1987), for fewer than 10 values plain percentiles. Tied scores share the "
         "mean of their ranks. Bold (in plain text, a star): the best of its column, "
         "where "
         "its lead over every other method is clear (table leads).";
}

}  // namespace engram::experiments
