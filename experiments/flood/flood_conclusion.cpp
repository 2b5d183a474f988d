// SPDX-License-Identifier: MIT
// Conclusion of the experiment `flood`: tables, plots and sentences from its rows.
#include <algorithm>

#include "experiments/flood/flood.hpp"

namespace engram::experiments::flood {

std::vector<RowSet> flood_sets(const FloodOptions& options, const std::vector<Json>& rows) {
  std::vector<RowSet> sets = answering::row_sets(options.asked, rows);
  for (RowSet& set : sets) std::erase_if(set.rows, [](const Json* row) { return row->contains("part"); });
  std::erase_if(sets, [](const RowSet& set) { return set.rows.empty(); });
  return sets;
}

std::string kind_of(const RowSet& set) {
  const std::size_t digits = set.title.find_last_not_of("0123456789") + 1;
  const bool is_sized = digits > 0 && digits < set.title.size() && set.title[digits - 1] == ' ';
  return is_sized ? set.title.substr(0, digits - 1) : set.title;
}

double statements_of(const RowSet& set) {
  double sum = 0;
  for (const Json* row : set.rows) sum += row->at("statements").get<double>();
  return sum / static_cast<double>(set.rows.size());
}

std::vector<double> each_of(RowSet set, const std::string& policy, const std::string& measure) {
  set.seeded = false;
  return row_values(set, policy, measure);
}

std::vector<double> answered_within(const RowSet& set, const std::string& policy, double steps) {
  std::vector<double> units;
  for (const Json* row : set.rows) {
    RowSet alone = set;
    alone.rows = {row};
    std::vector<double> within = each_of(alone, policy, "answered");
    const std::vector<double> taken = each_of(alone, policy, "steps");
    for (std::size_t i = 0; i < within.size(); ++i) within[i] = within[i] > 0 && taken.at(i) <= steps ? 1 : 0;
    if (set.seeded && !within.empty()) within = {mean(within)};
    units.insert(units.end(), within.begin(), within.end());
  }
  return units;
}

namespace {

std::vector<std::string> labels_of_all(const std::vector<FloodPolicy>& all) {
  std::vector<std::string> labels;
  for (const FloodPolicy& policy : all) labels.push_back(policy.label);
  return labels;
}

// Mean of a measure of a policy over the sets. Each set has equal weight.
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

// Median ratio of a policy's steps to the oracle's, over the questions that both answer. Empty without such a question.
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

// Median steps over the answered questions. Empty if no question is answered.
std::optional<double> median_steps(const RowSet& set, const std::string& policy) {
  const auto answered = each_of(set, policy, "answered"), steps = each_of(set, policy, "steps");
  std::vector<double> found;
  for (std::size_t i = 0; i < answered.size(); ++i)
    if (answered[i] > 0) found.push_back(steps[i]);
  return median(std::move(found));
}

// Table of the shares of answered questions. With at most two sets, it also has room for the median steps.
Table answered_table(const FloodOptions& options, const std::vector<RowSet>& sets,
                     const std::vector<std::string>& labels, const Leads& leads) {
  const bool with_steps = sets.size() <= 2;
  Table table{
      "answered",
      "Share of the questions that the same reasoner answers within " + std::to_string(options.steps) +
          " inference steps under each policy, with the truth value that a known proof alone gives (two "
          "digits)" +
          (with_steps ? ", and the median steps to the answer" : "") +
          ". The first policies are controls without scores. A method scores the statements for the "
          "reasoner, or selects the best ones (gate). oracle: the input is only a known proof." +
          answering::interval_policy + " " + bold_policy("policy", "answered_leads"),
      {"policy"}};
  for (const RowSet& set : sets) {
    const std::size_t questions = each_of(set, known_proof, "answered").size();
    table.head.push_back(set.title + " (" + std::to_string(questions) + " questions)");
    if (with_steps) table.head.emplace_back("steps");
  }
  for (const std::string& label : labels) {
    table.rows.push_back({cell(label)});
    for (const RowSet& set : sets) {
      table.rows.back().push_back(answering::mean_cell(row_values(set, label, "answered")));
      if (with_steps) table.rows.back().push_back(cell(median_steps(set, label), 0));
    }
  }
  answering::mark_all_winners(table, leads, with_steps ? 2 : 1);
  return table;
}

Table steps_table(const FloodOptions& options, const std::vector<RowSet>& sets,
                  const std::vector<std::string>& labels) {
  Table table{"steps",
              "Steps to the answer. Median: over the answered questions. Area: under the curve of the share "
              "answered within s steps, for s from 0 to " +
                  std::to_string(options.steps) +
                  "; 1 if every answer takes no step. To oracle: median ratio of a policy's steps to the "
                  "oracle's, over the questions that both answer. Weaker: share of the questions with the "
                  "expected answer at lower confidence or another frequency.",
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
    Plot plot{"", kind + ": questions answered by size of the memory", "statements in memory",
              "share of questions answered"};
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
    Plot plot{"steps_" + set.file, set.title + ": questions answered within a number of steps",
              "inference steps", "share of questions answered"};
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
  if (sets.empty())
    return "Nothing was measured, because no question has both a known proof and an expected answer.";
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
  const auto share_text = [&](const FloodPolicy& policy) {
    const std::string share = policy.label + " " + fixed(over_sets(sets, policy.label, "answered"), 2);
    return several ? share + " (" + fixed(share_of(*largest, policy.label), 2) + " on " + largest->title + ")"
                   : share;
  };
  const std::string place = largest->title + " (" + fixed(statements_of(*largest), 0) + " statements)";
  std::string text = "Share of the questions answered ";
  text += several
              ? "on average over " + std::to_string(sets.size()) + " sets. The largest set is " + place + ". "
              : "on " + place + ". ";
  if (best != nullptr) text += "Best method: " + share_text(*best) + ". ";
  if (control != nullptr) text += "Best control without scores: " + share_text(*control) + ". ";
  text += "Known proof alone: " + fixed(over_sets(sets, known_proof, "answered"), 2) + ".";
  if (best != nullptr)
    if (const auto ratio = steps_ratio(sets, best->label))
      text += " The median ratio of the steps of " + best->label + " to the steps from the known proof is " +
              fixed(*ratio, 2) + ".";
  return text;
}

Json summary_json(const std::vector<RowSet>& sets, const std::vector<std::string>& labels) {
  Json summary = {{"sets", Json::object()}, {"to_oracle", Json::object()}};
  for (const RowSet& set : sets)
    summary["sets"][set.label] = {
        {"statements", statements_of(set)},
        {"policies", answering::estimates_json(set, labels, {"answered", "weaker", "steps"})}};
  for (const std::string& label : labels)
    if (const auto ratio = steps_ratio(sets, label)) summary["to_oracle"][label] = *ratio;
  return summary;
}

// Adds a table of the answers of another NARS by set and arm. Does nothing if no row has them.
void add_outside_systems(const std::vector<Json>& rows, Conclusion& conclusion) {
  std::string name;
  std::vector<std::string> arms;
  for (const Json& row : rows) {
    if (row.value("part", "") != outside_part) continue;
    name = row.at("system").get<std::string>();
    const auto arm = row.at("method").get<std::string>();
    if (std::ranges::find(arms, arm) == arms.end()) arms.push_back(arm);
  }
  if (arms.empty()) return;
  const std::vector<answering::RowSet> sets = answering::row_sets({}, rows);
  Table table{
      "outside",
      "Share of the questions that " + name +
          " answers as expected from all statements, from the best ones of a method (gate), or from only "
          "a known proof. It starts empty for each question. A question counts as not answered if the "
          "time runs out. 95 % bootstrap intervals.",
      {"input"}};
  for (const answering::RowSet& set : sets) table.head.push_back(set.title);
  for (const std::string& arm : arms) {
    table.rows.push_back({cell(arm)});
    for (const answering::RowSet& set : sets)
      table.rows.back().push_back(answering::mean_cell(row_values(set, arm, "answered", outside_part)));
  }
  conclusion.tables.push_back(std::move(table));
}

}  // namespace

Conclusion conclude_flood(const Spec& spec, const FloodOptions& options, const std::vector<Json>& rows) {
  const std::vector<RowSet> sets = flood_sets(options, rows);
  const std::vector<FloodPolicy> all = flood_policies(spec, options);
  const std::vector<std::string> labels = labels_of_all(all);
  std::vector<std::string> compared(labels.begin(), labels.end() - 1);
  Conclusion conclusion;
  conclusion.question =
      "How many questions does the same reasoner answer within a limit of steps, under each control, as its "
      "memory fills with irrelevant statements?";
  conclusion.answer = answer_sentence(sets, all);
  conclusion.summary = summary_json(sets, labels);
  const Leads leads = answered_leads(sets, compared);
  conclusion.tables = {answered_table(options, sets, labels, leads), steps_table(options, sets, labels)};
  answering::add_leads(leads, "answered", conclusion);
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
