// SPDX-License-Identifier: MIT
// Conclusion of experiment `answering`.
#include <algorithm>

#include "core/numbers/numeric.hpp"
#include "experiments/answering/calibration.hpp"
#include "experiments/answering/curves.hpp"
#include "experiments/answering/overview.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/spec/method_choice.hpp"
#include "experiments/statistics/statistics.hpp"

namespace engram::experiments::answering {

namespace {

const char* const ties =
    " Items with equal scores stand in random order, and every number is its expectation over all orders; "
    "what scores nothing is not ranked.";
// Table of whole proofs at every gate of a set, and of the mean number of selected statements.
Table gates_table(const RowSet& set, const std::vector<std::string>& labels) {
  Table table{"gates_" + set.file,
              set.title +
                  ": share of the questions with a whole proof among so many statements, and how many were "
                  "given on average: fewer than there is room for where a method scores fewer, or the gate "
                  "asks for a share. Intervals as in table whole.",
              {"method"}};
  for (const Gate& gate : set.gates) table.head.insert(table.head.end(), {gate.name(), "given"});
  for (const std::string& label : labels) {
    table.rows.push_back({cell(label)});
    for (const Gate& gate : set.gates) {
      table.rows.back().push_back(
          interval_cell(bootstrap_mean(row_values(set, label, "whole " + gate.name())), 2));
      const auto given = row_values(set, label, "given " + gate.name());
      table.rows.back().push_back(given.empty() ? cell("-") : cell(mean(given), 1));
    }
  }
  return table;
}

std::vector<std::string> ranking_measures(const AnsweringOptions& options) {
  std::vector<std::string> names;
  for (const char* of : {"statements", "concepts"}) {
    names.push_back(std::string(of) + " MRR");
    for (const std::size_t k : options.cutoffs)
      for (const char* measure : {" nDCG@", " recall@"}) names.push_back(of + (measure + std::to_string(k)));
  }
  return names;
}

// Mean of a member over the rows of a method. The result is the same for every method.
double mean_of(const RowSet& set, const std::string& label, const char* member) {
  std::vector<double> values;
  for (const Json* row : set.rows)
    if (row->at("method") == label && row->at("part") == test)
      values.push_back(row->at(member).get<double>());
  return mean(values);
}

Table ranking_table(const Spec& spec, const AnsweringOptions& options, const RowSet& set,
                    const std::vector<std::string>& labels) {
  Table table{"ranking_" + set.file,
              set.title + ": how the statements that an answer needs are ranked (of " +
                  fixed(mean_of(set, labels.front(), "statements"), 0) +
                  ") and the concepts that these and the answer mention, among those that the question does "
                  "not name; " +
                  fixed(mean_of(set, labels.front(), "questions"), 0) + " questions" +
                  (set.seeded ? " for each of " + std::to_string(spec.seeds.size()) + " seeds" : "") +
                  ". MRR: reciprocal rank of the first of them. nDCG, recall: among the so many first." +
                  ties + intervals,
              {"method"}};
  const std::vector<std::string> measures = ranking_measures(options);
  table.head.insert(table.head.end(), measures.begin(), measures.end());
  for (const std::string& label : labels) {
    table.rows.push_back({cell(label)});
    for (const std::string& measure : measures)
      table.rows.back().push_back(interval_cell(bootstrap_mean(row_values(set, label, measure)), 3));
  }
  return table;
}

// Share of whole proofs of a method: mean over the sets at their first gates, and the set with the lowest share.
struct OverSets {
  double sum = 0, least = 1;
  std::size_t sets = 0;
  const RowSet* worst = nullptr;

  OverSets(const std::vector<RowSet>& all, const std::string& label) {
    for (const RowSet& set : all) {
      const auto values = row_values(set, label, set.measures("whole").front());
      if (values.empty()) continue;
      const double share = mean(values);
      sum += share;
      ++sets;
      if (worst == nullptr || share < least) {
        worst = &set;
        least = share;
      }
    }
  }
  double average() const { return sets > 0 ? sum / static_cast<double>(sets) : 0; }
};

// A percentage such as "41 %", as precise as tables with two decimals.
std::string percent_of(double share) { return fixed(100 * share, 0) + " %"; }

std::string answer_sentence(const std::vector<RowSet>& sets, const Labels& labels, const Leads& leads) {
  std::size_t best = 0;
  std::vector<double> averages;
  for (const std::string& label : labels.compared) averages.push_back(OverSets(sets, label).average());
  for (std::size_t i = 1; i < averages.size(); ++i)
    if (averages[i] > averages[best]) best = i;
  const OverSets shares(sets, labels.compared[best]);
  if (shares.worst == nullptr) return "Nothing was measured: no question says which statements it needs.";
  std::string text;
  if (shares.average() == 0) {
    text = "No allocator gives a whole proof for any question";
  } else {
    std::string equal;
    for (std::size_t i = 0; i < averages.size(); ++i)
      if (i != best && averages[i] == averages[best])
        equal += (equal.empty() ? "" : ", ") + labels.compared[i];
    std::size_t clear = 0;
    for (std::size_t m = 0; m < leads.measures.size(); ++m)
      if (leads.best[m] == best && leads.has_winner(m)) ++clear;
    text = labels.compared[best] + (equal.empty() ? "" : " (and as often " + equal + ")") +
           " gives a whole proof most often: for " + percent_of(shares.average()) + " of the questions";
    if (shares.sets > 1)
      text += " in the mean over " + std::to_string(shares.sets) + " sets, least often for those of " +
              shares.worst->title + " (" + percent_of(shares.least) + " with " +
              shares.worst->gates.front().name() +
              " given); its lead over every other allocator is clear on " + std::to_string(clear) +
              " of the sets";
    else
      text += " of " + shares.worst->title + " with " + shares.worst->gates.front().name() +
              " given; its lead over every other allocator is " + (clear > 0 ? "clear" : "not clear");
  }
  if (const OverSets reference(sets, reference_method); reference.worst != nullptr)
    text += ". " + reference_method + ", which does the reasoner's work: " + percent_of(reference.average());
  return text + ".";
}

Json summary_json(const AnsweringOptions& options, const std::vector<RowSet>& sets,
                  const std::vector<std::string>& labels) {
  Json summary = {{"sets", Json::object()}};
  for (const RowSet& set : sets) {
    std::vector<std::string> measures = ranking_measures(options);
    for (const char* of : {"whole", "kept", "given"})
      for (const std::string& name : set.measures(of)) measures.push_back(name);
    Json methods = Json::object();
    for (const std::string& label : labels)
      for (const std::string& measure : measures)
        if (const auto e = bootstrap_mean(row_values(set, label, measure)))
          methods[label][measure] = estimate_json(e);
    summary["sets"][set.label] = {{"statements", mean_of(set, labels.front(), "statements")},
                                  {"questions", mean_of(set, labels.front(), "questions")},
                                  {"methods", methods}};
  }
  return summary;
}

}  // namespace

Conclusion conclude_answering(const Spec& spec, const AnsweringOptions& options,
                              const std::vector<Json>& rows) {
  const std::vector<RowSet> sets = row_sets(options, rows);
  const Labels labels(spec);
  const Leads whole_leads = first_leads(sets, "whole", labels),
              kept_leads = first_leads(sets, "kept", labels);
  Conclusion conclusion;
  conclusion.question =
      "A question in: is a whole proof of its answer among the few statements that a reasoner is given?";
  conclusion.answer = answer_sentence(sets, labels, whole_leads);
  conclusion.summary = summary_json(options, sets, labels.all());
  conclusion.tables = {
      overview(
          "whole",
          "Share of the questions with a whole known proof among the statements that a reasoner is given. "
          "The "
          "number of statements is fixed, or a multiple of what the first proof needs (3x); with `above`, "
          "statements with a lower share of the best score are left out. Statements with equal scores stand "
          "in random order, and every number is its expectation over all orders.",
          sets, labels, whole_leads),
      overview("kept", "Share of the statements that a question's first proof needs among those given.", sets,
               labels, kept_leads)};
  for (const auto& [name, leads] : {std::pair("whole_leads", &whole_leads), {"kept_leads", &kept_leads}}) {
    conclusion.tables.push_back(leads_table(*leads, pairing));
    conclusion.tables.back().name = name;
  }
  const std::vector<std::string> shown = leaders(spec, whole_leads);
  for (const RowSet& set : sets) {
    conclusion.tables.push_back(gates_table(set, labels.all()));
    conclusion.tables.push_back(lengths_table(set, "whole", "with a whole proof", labels.all()));
    conclusion.tables.push_back(ranking_table(spec, options, set, labels.methods()));
    if (Table calibration = calibration_table(set, labels.methods()); !calibration.rows.empty())
      conclusion.tables.push_back(std::move(calibration));
    add_curves(set, "whole", "questions with a whole proof", shown, conclusion.plots);
  }
  add_memory(spec, sets, conclusion);
  add_answers(spec, options, sets, conclusion);
  add_tuning(options, sets, conclusion);
  add_ablation(options, sets, conclusion);
  add_question_pages(sets, conclusion);
  drop_empty(conclusion.tables);
  return conclusion;
}

}  // namespace engram::experiments::answering
