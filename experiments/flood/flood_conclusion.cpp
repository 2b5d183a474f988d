// SPDX-License-Identifier: MIT
// Conclusion of experiment `flood`.
#include <algorithm>
#include <map>

#include "experiments/flood/experience.hpp"
#include "experiments/flood/flood.hpp"
#include "experiments/flood/flood_rows.hpp"
#include "experiments/flood/outside_systems.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/statistics/statistics.hpp"

namespace engram::experiments::flood {
namespace {

const char* const intervals =
    " 95 % bootstrap intervals (BCa, Efron 1987; for fewer than 10 values plain percentiles), of sets with "
    "seeds over "
    "these, of files over questions.";

std::vector<std::string> labels_of_all(const std::vector<FloodPolicy>& all) {
  std::vector<std::string> labels;
  for (const FloodPolicy& policy : all) labels.push_back(policy.label);
  return labels;
}

// Mean of a measure over the sets.
double over_sets(const std::vector<RowSet>& sets, const std::string& policy, const char* measure) {
  std::vector<double> means;
  for (const RowSet& set : sets)
    if (const auto values = row_values(set, policy, measure); !values.empty()) means.push_back(mean(values));
  return means.empty() ? 0 : mean(means);
}

double share_of(const RowSet& set, const std::string& policy) {
  const auto values = row_values(set, policy, "answered");
  return values.empty() ? 0 : mean(values);
}

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// Median ratio of the steps of a policy to those of the oracle, over the questions that both answer. Empty if there are
// none.
std::optional<double> steps_ratio(const std::vector<RowSet>& sets, const std::string& policy) {
  std::vector<double> ratios;
  for (const RowSet& set : sets) {
    const auto answered = each_of(set, policy, "answered"), known = each_of(set, known_proof, "answered");
    const auto steps = each_of(set, policy, "steps"), fewest = each_of(set, known_proof, "steps");
    for (std::size_t i = 0; i < answered.size() && i < known.size(); ++i)
      if (answered[i] > 0 && known[i] > 0) ratios.push_back(steps[i] / std::max(1.0, fewest[i]));
  }
  return median(std::move(ratios));
}

// Area under the curve "answered within s steps" for s from 0 to `most`, divided by `most`.
double area(const RowSet& set, const std::string& policy, double most) {
  std::vector<double> areas;
  const auto answered = each_of(set, policy, "answered"), steps = each_of(set, policy, "steps");
  for (std::size_t i = 0; i < answered.size(); ++i)
    areas.push_back(answered[i] > 0 ? 1 - steps[i] / most : 0);
  return areas.empty() ? 0 : mean(areas);
}

Leads answered_leads(const std::vector<RowSet>& sets, const std::vector<std::string>& labels) {
  std::vector<Measure> measures;
  for (const RowSet& set : sets) {
    measures.push_back({set.title, {}, true, 2});
    for (const std::string& label : labels)
      measures.back().values.push_back(row_values(set, label, "answered"));
  }
  return find_leads(labels, std::move(measures));
}

// Median steps over the answered questions. Empty if there are none.
std::optional<double> median_steps(const RowSet& set, const std::string& policy) {
  const auto answered = each_of(set, policy, "answered"), steps = each_of(set, policy, "steps");
  std::vector<double> found;
  for (std::size_t i = 0; i < answered.size(); ++i)
    if (answered[i] > 0) found.push_back(steps[i]);
  return median(std::move(found));
}

// Table of shares of answered questions. With at most two sets there is room for steps, too.
Table answered_table(const FloodOptions& options, const std::vector<RowSet>& sets,
                     const std::vector<std::string>& labels, const Leads& leads) {
  const bool with_steps = sets.size() <= 2;
  Table table{"answered",
              "Share of the questions that are answered within " + std::to_string(options.steps) +
                  " steps of inference, as true as a known proof alone makes the answer (two digits)" +
                  (with_steps ? ", and the median of their steps" : "") +
                  ", by one reasoner under each policy. The first are controls that read no shares; a method "
                  "gives its shares "
                  "to the reasoner, or lets the best statements through a gate. oracle: it is told a known "
                  "proof alone." +
                  std::string(intervals) + " " + bold_policy("policy", "answered_leads"),
              {"policy"}};
  std::vector<std::size_t> measures, columns;
  for (std::size_t m = 0; m < sets.size(); ++m) {
    const std::string asked = std::to_string(each_of(sets[m], known_proof, "answered").size());
    measures.push_back(m);
    columns.push_back(table.head.size());
    table.head.push_back(sets[m].title + " (" + asked + " questions)");
    if (with_steps) table.head.emplace_back("steps");
  }
  for (const std::string& label : labels) {
    table.rows.push_back({cell(label)});
    for (const RowSet& set : sets) {
      table.rows.back().push_back(interval_cell(bootstrap_mean(row_values(set, label, "answered")), 2));
      if (with_steps) table.rows.back().push_back(cell(median_steps(set, label), 0));
    }
  }
  mark_winners(table, leads, measures, columns);
  return table;
}

Table steps_table(const FloodOptions& options, const std::vector<RowSet>& sets,
                  const std::vector<std::string>& labels) {
  Table table{"steps",
              "Steps to the answer. Median: of the questions that are answered. Area: under the share that "
              "is answered within s "
              "steps, s from 0 to " +
                  std::to_string(options.steps) +
                  ", 1 if all were at once. To oracle: the median, over the questions that both "
                  "answer, of a policy's steps over the oracle's. "
                  "Weaker: share of the questions that have the expected answer with less confidence, or "
                  "another frequency.",
              {"policy"}};
  for (const RowSet& set : sets) table.head.insert(table.head.end(), {set.title + ": median", "area"});
  table.head.insert(table.head.end(), {"to oracle", "weaker"});
  for (const std::string& label : labels) {
    table.rows.push_back({cell(label)});
    for (const RowSet& set : sets) {
      table.rows.back().push_back(cell(median_steps(set, label), 0));
      table.rows.back().push_back(cell(area(set, label, static_cast<double>(options.steps)), 2));
    }
    table.rows.back().push_back(cell(steps_ratio(sets, label), 2));
    table.rows.back().push_back(cell(over_sets(sets, label, "weaker"), 2));
  }
  return table;
}

// Policies shown in plots: all controls, the best three methods, the simplest baseline, and the oracle.
std::vector<std::string> drawn(const std::vector<RowSet>& sets, const std::vector<FloodPolicy>& all) {
  std::vector<std::string> labels;
  std::vector<std::pair<double, std::string>> methods;
  for (const FloodPolicy& policy : all) {
    if (!policy.control.empty()) labels.push_back(policy.label);
    if (policy.method && policy.mode == all[all.size() - 2].mode && policy.method->method.name() == "overlap")
      labels.push_back(policy.label);
    if (policy.method) methods.emplace_back(-over_sets(sets, policy.label, "answered"), policy.label);
  }
  std::ranges::stable_sort(methods, {}, [](const auto& one) { return one.first; });
  for (std::size_t i = 0; i < std::min<std::size_t>(3, methods.size()); ++i)
    if (std::ranges::find(labels, methods[i].second) == labels.end()) labels.push_back(methods[i].second);
  labels.push_back(known_proof);
  return labels;
}

void add_flood_plots(const std::vector<RowSet>& sets, const std::vector<std::string>& labels,
                     Conclusion& conclusion) {
  std::vector<std::string> kinds;
  for (const RowSet& set : sets)
    if (std::ranges::find(kinds, kind_of(set)) == kinds.end()) kinds.push_back(kind_of(set));
  for (const std::string& kind : kinds) {
    Plot plot{"", kind + ": answered as memory fills", "statements in memory", "share of questions answered"};
    std::size_t sizes = 0;
    for (const RowSet& set : sets)
      if (kind_of(set) == kind && sizes++ == 0) plot.name = "flood_" + set.file;
    if (sizes < 2) continue;
    for (const std::string& label : labels) {
      plot.series.push_back({label, {}, label == known_proof});
      for (const RowSet& set : sets)
        if (kind_of(set) == kind)
          plot.series.back().add(statements_of(set), bootstrap_mean(row_values(set, label, "answered")));
      std::ranges::sort(plot.series.back().points, {}, &Plot::Point::x);
    }
    conclusion.plots.push_back(std::move(plot));
  }
}

// Adds plots of shares answered within s steps. The axis is logarithmic, because attention saves most among the first
// steps. Intervals are only in the table, because they would overlap here.
void add_step_plots(const FloodOptions& options, const std::vector<RowSet>& sets,
                    const std::vector<std::string>& labels, Conclusion& conclusion) {
  std::vector<double> grid;
  for (double s = 1; s < static_cast<double>(options.steps); s *= 2) {
    grid.push_back(s);
    if (s > 1 && 1.5 * s < static_cast<double>(options.steps)) grid.push_back(1.5 * s);
  }
  grid.push_back(static_cast<double>(options.steps));
  for (const RowSet& set : sets) {
    Plot plot{"steps_" + set.file, set.title + ": answered within so many steps", "steps of inference",
              "share of questions answered"};
    plot.log_x = true;
    plot.bars = false;
    for (const std::string& label : labels) {
      plot.series.push_back({label, {}, label == known_proof});
      for (const double s : grid)
        if (const auto values = answered_within(set, label, s); !values.empty())
          plot.series.back().add(s, mean(values));
    }
    conclusion.plots.push_back(std::move(plot));
  }
}

std::string answer_sentence(const std::vector<RowSet>& sets, const std::vector<FloodPolicy>& all) {
  if (sets.empty()) return "Nothing was measured: no question says what it needs and what answers it.";
  const FloodPolicy* best = nullptr;
  const FloodPolicy* control = nullptr;
  double most = -1, most_control = -1;
  for (const FloodPolicy& policy : all) {
    const double share = over_sets(sets, policy.label, "answered");
    if (policy.method && share > most) {
      most = share;
      best = &policy;
    }
    if (!policy.control.empty() && share > most_control) {
      most_control = share;
      control = &policy;
    }
  }
  const auto largest = std::ranges::max_element(sets, {}, statements_of);
  const bool several = sets.size() > 1;
  const auto told = [&](const FloodPolicy& policy) {
    const std::string share = policy.label + " " + fixed(over_sets(sets, policy.label, "answered"), 2);
    return several ? share + " (of " + largest->title + ", " + fixed(statements_of(*largest), 0) +
                         " statements, " + fixed(share_of(*largest, policy.label), 2) + ")"
                   : share;
  };
  std::string text = "Share of the questions that are answered";
  text += several ? ", in the mean over " + std::to_string(sets.size()) + " sets: "
                  : ", of " + largest->title + " (" + fixed(statements_of(*largest), 0) + " statements): ";
  if (best != nullptr) text += told(*best);
  if (control != nullptr)
    text += (best != nullptr ? "; by the best control that reads no shares, " : "") + told(*control);
  text += "; by the proof alone " + fixed(over_sets(sets, known_proof, "answered"), 2) + ".";
  if (best != nullptr)
    if (const auto ratio = steps_ratio(sets, best->label))
      text += " Of the questions that both answer, half take " + best->label + " at most " +
              fixed(*ratio, 2) + " times the steps that they take the oracle.";
  return text;
}

Json summary_json(const std::vector<RowSet>& sets, const std::vector<std::string>& labels) {
  Json summary = {{"sets", Json::object()}, {"to_oracle", Json::object()}};
  for (const RowSet& set : sets) {
    Json of_policies = Json::object();
    for (const std::string& label : labels)
      for (const char* measure : {"answered", "weaker", "steps"})
        if (const auto e = bootstrap_mean(row_values(set, label, measure)))
          of_policies[label][measure] = estimate_json(e);
    summary["sets"][set.label] = {{"statements", statements_of(set)}, {"policies", of_policies}};
  }
  for (const std::string& label : labels)
    if (const auto ratio = steps_ratio(sets, label)) summary["to_oracle"][label] = *ratio;
  return summary;
}

}  // namespace

Conclusion conclude_flood(const Spec& spec, const FloodOptions& options, const std::vector<Json>& rows) {
  const std::vector<RowSet> sets = flood_sets(options, rows);
  const std::vector<FloodPolicy> all = flood_policies(spec, options);
  const std::vector<std::string> labels = labels_of_all(all);
  std::vector<std::string> compared(labels.begin(), labels.end() - 1);
  Conclusion conclusion;
  conclusion.question =
      "What does one reasoner answer in so many steps as its memory fills with what has nothing to do with "
      "the "
      "question, under each control?";
  conclusion.answer = answer_sentence(sets, all);
  conclusion.summary = summary_json(sets, labels);
  const Leads leads = answered_leads(sets, compared);
  conclusion.tables = {answered_table(options, sets, labels, leads), steps_table(options, sets, labels),
                       leads_table(leads, answering::pairing)};
  conclusion.tables.back().name = "answered_leads";
  const std::vector<std::string> shown = drawn(sets, all);
  add_flood_plots(sets, shown, conclusion);
  constexpr std::size_t most_drawn = 16;  // lines that remain distinguishable
  add_step_plots(options, sets, labels.size() <= most_drawn ? labels : shown, conclusion);
  add_outside_systems(rows, conclusion);
  add_experience(options, rows, conclusion);
  add_derivation_pages(rows, conclusion);
  return conclusion;
}

}  // namespace engram::experiments::flood
