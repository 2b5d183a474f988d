// SPDX-License-Identifier: MIT
// What `priming` concludes from its rows.
#include <algorithm>
#include <filesystem>

#include "experiments/formats/leads_table.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/priming/priming.hpp"
#include "experiments/spec/method_choice.hpp"
#include "experiments/statistics/leads.hpp"

namespace engram::experiments {

std::vector<PrimingSet> priming_sets(const PrimingOptions& options, const std::vector<Json>& rows) {
  std::vector<PrimingSet> sets;
  for (const Json& row : rows) {
    const auto label = row.at("set").get<std::string>();
    const bool generated = row.at("generated").get<bool>();
    auto set = std::ranges::find_if(
        sets, [&](const PrimingSet& s) { return s.label == label && s.generated == generated; });
    if (set == sets.end()) {
      const std::string title = generated ? label : std::filesystem::path(label).filename().string();
      PrimingSet made{label, title, generated, false, {}, {}, {}};
      std::vector<StatementCapacity> capacities = options.capacities;
      for (const GeneratedSet& known : options.generated)
        if (generated && known.label == label) {
          capacities = known.capacities;
          made.ablation = known.ablation;
        }
      for (const StatementCapacity& capacity : capacities) {
        made.kept.push_back("kept " + capacity.name());
        made.whole.push_back("whole " + capacity.name());
      }
      set = sets.insert(sets.end(), std::move(made));
    }
    set->rows.push_back(&row);
  }
  std::vector<std::string> titles;
  for (const PrimingSet& set : sets) titles.push_back(set.title);
  for (PrimingSet& set : sets)
    if (std::ranges::count(titles, set.title) > 1) set.title = set.label;
  return sets;
}

std::vector<double> priming_values(const PrimingSet& set, const std::string& method,
                                   const std::string& measure) {
  std::vector<double> values;
  for (const Json* row : set.rows) {
    const Json& measures = row->at("measures");
    if (row->at("method") != method || !measures.contains(measure)) continue;
    const auto of_cues = measures.at(measure).get<std::vector<double>>();
    if (set.generated)
      values.push_back(mean(of_cues));
    else
      values.insert(values.end(), of_cues.begin(), of_cues.end());
  }
  return values;
}

namespace {

const char* const ties =
    " Items with equal scores stand in random order, and every number is its expectation over all orders; "
    "what scores nothing is not ranked.";
const char* const policy =
    " 95 % bootstrap intervals (BCa, Efron 1987; for fewer than 10 values plain percentiles), of sets with "
    "seeds over these, of files over questions. Baselines: overlap, frequency and uniform.";

// What an allocator is for: the share kept, or whole proofs, of each set at each capacity.
std::vector<Measure> gate_measures(const std::vector<PrimingSet>& sets,
                                   std::vector<std::string> PrimingSet::*names,
                                   const std::vector<std::string>& labels) {
  std::vector<Measure> measures;
  for (const PrimingSet& set : sets)
    for (const std::string& capacity : set.*names) {
      measures.push_back({set.title + ": " + capacity, {}, true, 2});
      for (const std::string& label : labels)
        measures.back().values.push_back(priming_values(set, label, capacity));
    }
  return measures;
}

Table gate_table(const std::string& name, const std::string& what, const Leads& leads,
                 const std::string& leads_name) {
  Table table{name,
              what + std::string(policy) +
                  " Bold (in plain text, a star): the best of its column, where its lead over every other "
                  "method is clear (table " +
                  leads_name + ").",
              {"method"}};
  std::vector<std::size_t> measures, columns;
  for (std::size_t m = 0; m < leads.measures.size(); ++m) {
    table.head.push_back(leads.measures[m].name);
    measures.push_back(m);
    columns.push_back(m + 1);
  }
  for (std::size_t i = 0; i < leads.labels.size(); ++i) {
    table.rows.push_back({cell(leads.labels[i])});
    for (const Measure& measure : leads.measures)
      table.rows.back().push_back(interval_cell(bootstrap_mean(measure.values[i]), measure.decimals));
  }
  mark_winners(table, leads, measures, columns);
  return table;
}

// "ranking_chains_300", for files.
std::string file_name(const std::string& label) {
  std::string name = "ranking_";
  for (const char c : label) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += plain ? c : '_';
  }
  return name;
}

std::vector<std::string> ranking_measures(const PrimingOptions& options) {
  std::vector<std::string> names;
  for (const char* of : {"statements", "concepts"}) {
    names.push_back(std::string(of) + " MRR");
    for (const std::size_t k : options.cutoffs)
      for (const char* measure : {" nDCG@", " recall@"}) names.push_back(of + (measure + std::to_string(k)));
  }
  return names;
}

double mean_of(const PrimingSet& set, const char* member) {
  std::vector<double> values;
  for (const Json* row : set.rows)
    if (row->at("method") == set.rows.front()->at("method")) values.push_back(row->at(member).get<double>());
  return mean(values);
}

Table ranking_table(const Spec& spec, const PrimingOptions& options, const PrimingSet& set,
                    const std::vector<std::string>& labels, const std::string& name) {
  Table table{name,
              set.title + ": how the statements that an answer needs are ranked (of " +
                  fixed(mean_of(set, "statements"), 0) +
                  ") and the concepts that these and the answer mention, among those that the question does "
                  "not name; " +
                  fixed(mean_of(set, "cues"), 0) + " questions" +
                  (set.generated ? " for each of " + std::to_string(spec.seeds.size()) + " seeds" : "") +
                  ". MRR: reciprocal rank of the first of them. nDCG, recall: among the so many first." +
                  ties + policy,
              {"method"}};
  const std::vector<std::string> measures = ranking_measures(options);
  table.head.insert(table.head.end(), measures.begin(), measures.end());
  for (const std::string& label : labels) {
    table.rows.push_back({cell(label)});
    for (const std::string& measure : measures)
      table.rows.back().push_back(interval_cell(bootstrap_mean(priming_values(set, label, measure)), 3));
  }
  return table;
}

Plot gate_plot(const std::string& name, const std::string& title, const std::string& axis,
               const Leads& leads) {
  Plot plot{name, title, "", axis};
  plot.categories = leads.labels;
  const auto lines = static_cast<double>(leads.measures.size());
  for (std::size_t m = 0; m < leads.measures.size(); ++m) {
    plot.series.push_back({leads.measures[m].name});
    // Side by side, so that no bar hides another.
    const double shift = 0.5 * (static_cast<double>(m) - 0.5 * (lines - 1)) / lines;
    for (std::size_t i = 0; i < leads.labels.size(); ++i)
      plot.series.back().add(static_cast<double>(i + 1) + shift, bootstrap_mean(leads.measures[m].values[i]));
  }
  return plot;
}

std::string example_html(const PrimingSet& set) {
  std::string needed, methods, html;
  for (const Json* row : set.rows) {
    if (!row->contains("example")) continue;
    const Json& example = row->at("example");
    if (html.empty()) {
      html = "<h3>" + escape_html(set.title) + "</h3><p>" + code_of(example, "cue");
      for (const Json& expected : example.at("expected"))
        html += ", expected " + code(expected.get<std::string>());
      html += ". It needs:</p><ol>";
      for (const Json& statement : example.at("needed"))
        html += "<li>" + code_of(statement, "narsese") + "</li>";
      html += "</ol>";
    }
    std::string ranks;
    for (const Json& statement : example.at("needed"))
      ranks += "<td>" +
               (statement.at("rank").is_null() ? "-" : fixed(statement.at("rank").get<double>(), 1)) +
               "</td>";
    methods += "<tr><td>" + text_of(*row, "method") + "</td>" + ranks + "</tr>";
  }
  if (html.empty()) return html;
  for (std::size_t i = 1; i <= set.rows.front()->at("example").at("needed").size(); ++i)
    needed += "<th>" + std::to_string(i) + "</th>";
  return html + "<table><thead><tr><th>rank by</th>" + needed + "</tr></thead><tbody>" + methods +
         "</tbody></table>";
}

std::string answer_sentence(const Leads& leads) {
  std::string text;
  for (std::size_t m = 0; m < leads.measures.size(); ++m) {
    if (!leads.best[m]) continue;
    const std::size_t best = *leads.best[m];
    const Estimate e = *bootstrap_mean(leads.measures[m].values[best]);
    text += (text.empty() ? "Share of questions with a whole proof, best of each: " : "; ") +
            leads.measures[m].name + " " + interval_cell(e, 2).text + " by " + leads.labels[best] + " (" +
            lead_clause(leads, m) + ")";
  }
  return text.empty() ? "Nothing was measured: no question says which statements it needs." : text + ".";
}

Json summary_json(const PrimingOptions& options, const std::vector<PrimingSet>& sets,
                  const std::vector<std::string>& labels) {
  Json summary = {{"sets", Json::object()}};
  for (const PrimingSet& set : sets) {
    std::vector<std::string> measures = set.kept;
    measures.insert(measures.end(), set.whole.begin(), set.whole.end());
    for (const std::string& name : ranking_measures(options)) measures.push_back(name);
    Json methods = Json::object();
    for (const std::string& label : labels)
      for (const std::string& measure : measures)
        if (const auto e = bootstrap_mean(priming_values(set, label, measure)))
          methods[label][measure] = estimate_json(e);
    summary["sets"][set.label] = {
        {"statements", mean_of(set, "statements")}, {"cues", mean_of(set, "cues")}, {"methods", methods}};
  }
  return summary;
}

}  // namespace

Conclusion conclude_priming(const Spec& spec, const PrimingOptions& options, const std::vector<Json>& rows) {
  const std::vector<PrimingSet> sets = priming_sets(options, rows);
  const std::vector<std::string> labels = labels_of(with_baselines(spec.methods));
  const Leads leads = find_leads(labels, gate_measures(sets, &PrimingSet::kept, labels));
  const Leads whole_leads = find_leads(labels, gate_measures(sets, &PrimingSet::whole, labels));
  Conclusion conclusion;
  conclusion.question =
      "A question in: are the statements and the concepts that its answer needs ranked first?";
  conclusion.answer = answer_sentence(whole_leads);
  conclusion.summary = summary_json(options, sets, labels);
  conclusion.tables = {
      gate_table("whole",
                 "Share of the questions of which one whole known proof is among the statements that a "
                 "reasoner is given: so many, or so many times what the shortest proof needs (3x). Of "
                 "statements with equal scores those count that come first in an order that is drawn once a "
                 "set, for all methods alike.",
                 whole_leads, "whole_leads"),
      gate_table("kept",
                 "Share of the statements that a question's first proof needs among those that a reasoner is "
                 "given, as in table whole." +
                     std::string(ties),
                 leads, "leads")};
  std::vector<std::string> names;
  std::string examples;
  for (const PrimingSet& set : sets) {
    std::string name = file_name(set.title);
    while (std::ranges::find(names, name) != names.end()) name += "_";
    names.push_back(name);
    conclusion.tables.push_back(ranking_table(spec, options, set, labels, name));
    examples += example_html(set);
  }
  const std::string pairing = "seed by seed, in files question by question";
  conclusion.tables.push_back(leads_table(leads, pairing));
  conclusion.tables.push_back(leads_table(whole_leads, pairing));
  conclusion.tables.back().name = "whole_leads";
  conclusion.plots = {
      gate_plot("whole", "Whole proofs among what a reasoner is given", "share of questions", whole_leads),
      gate_plot("kept", "Needed statements among those that a reasoner is given", "share kept", leads)};
  add_ablation(options, sets, conclusion);
  conclusion.sections.push_back({"The first question of each set", examples});
  return conclusion;
}

}  // namespace engram::experiments
