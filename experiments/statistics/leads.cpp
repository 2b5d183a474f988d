// SPDX-License-Identifier: MIT
#include "experiments/statistics/leads.hpp"

#include <algorithm>

#include "core/numbers/numeric.hpp"

namespace engram::experiments {
namespace {

constexpr double level = 0.05;  // significance level for all leads together

std::optional<std::size_t> best_of(const Measure& measure) {
  std::optional<std::size_t> best;
  double best_mean = 0;
  for (std::size_t i = 0; i < measure.values.size(); ++i) {
    if (measure.values[i].empty()) continue;
    const double own = mean(measure.values[i]);
    if (best && (measure.higher_is_better ? own <= best_mean : own >= best_mean)) continue;
    best = i;
    best_mean = own;
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
  std::string equal, open;
  std::size_t clear = 0, equals = 0;
  for (const Lead& lead : leads.leads) {
    if (lead.measure != measure) continue;
    const bool is_equal = lead.difference.mean == 0;
    std::string& list = is_equal ? equal : open;
    if (!lead.clear) list += (list.empty() ? "" : ", ") + leads.labels[lead.other];
    clear += lead.clear ? 1 : 0;
    equals += is_equal ? 1 : 0;
  }
  std::string text;
  if (equals > 0) text = equal + (equals == 1 ? " has" : " have") + " the same mean";
  if (open.empty() && clear == 0) return text.empty() ? "there is no other method" : text;
  text += text.empty() ? "" : "; ";
  if (open.empty()) return text + "its lead over every other method is clear of zero";
  if (std::ranges::any_of(leads.leads, [&](const Lead& lead) {
        return lead.measure == measure && lead.pairs < fewest_pairs;
      }))
    return text + "with so few, no lead can be told from chance";
  return text + "its lead over " + open + " may be chance";
}

}  // namespace engram::experiments
