// SPDX-License-Identifier: MIT
// Conclusion of experiment `answering`.
#include "core/numbers/numeric.hpp"
#include "experiments/answering/calibration.hpp"
#include "experiments/answering/result_tables.hpp"
#include "experiments/statistics/statistics.hpp"

namespace engram::experiments::answering {

namespace {

const char* const ties =
    " Items with equal scores are in random order, and numbers are expectations over all orders. Items "
    "without "
    "a score are not ranked.";

// Table of whole proofs at every gate of a set, and of the mean number of selected statements.
Table gates_table(const RowSet& set, const std::vector<std::string>& labels) {
  Table table{
      "gates_" + set.file,
      set.title +
          ": share of the questions with a whole proof among the given statements, and the mean number "
          "of these statements. It is below the capacity if a method scores fewer, or if the gate "
          "requires a share of the best score. Intervals as in table whole.",
      {"method"}};
  for (const Gate& gate : set.gates) table.head.insert(table.head.end(), {gate.name(), "given"});
  for (const std::string& label : labels) {
    table.rows.push_back({cell(label)});
    for (const Gate& gate : set.gates) {
      table.rows.back().push_back(mean_cell(row_values(set, label, "whole " + gate.name())));
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

// Mean of a number, such as "statements", over the rows of one method. The choice of the method does not matter,
// because the number is equal for all methods.
double mean_of(const RowSet& set, const std::string& label, const char* member) {
  std::vector<double> values;
  for (const Json* row : set.rows)
    if (row->at("method") == label && row->at("part") == test)
      values.push_back(row->at(member).get<double>());
  return mean(values);
}

Table ranking_table(const Spec& spec, const AnsweringOptions& options, const RowSet& set,
                    const std::vector<std::string>& labels) {
  Table table{
      "ranking_" + set.file,
      set.title + ": ranking of the needed statements (among " +
          fixed(mean_of(set, labels.front(), "statements"), 0) +
          ") and of the concepts in the answer and in these statements (among the concepts that the "
          "question does not name), for " +
          fixed(mean_of(set, labels.front(), "questions"), 0) + " questions" +
          (set.seeded ? " for each of " + std::to_string(spec.seeds.size()) + " seeds" : "") +
          ". MRR: reciprocal rank of the first needed item. nDCG@k and recall@k: among the first k items." +
          ties + intervals,
      {"method"}};
  const std::vector<std::string> measures = ranking_measures(options);
  table.head.insert(table.head.end(), measures.begin(), measures.end());
  for (const std::string& label : labels) {
    table.rows.push_back({cell(label)});
    for (const std::string& measure : measures)
      table.rows.back().push_back(mean_cell(row_values(set, label, measure), 3));
  }
  return table;
}

// Returns a share as a percentage, such as "41 %", as precise as tables with two decimals.
std::string percent_of(double share) { return fixed(100 * share, 0) + " %"; }

std::string answer_sentence(const std::vector<RowSet>& sets, const Leads& leads) {
  const BestLabel best(leads);
  if (best.measures == 0) return "Nothing was measured, because no question has a known proof.";
  const std::string &label = leads.labels[best.index],
                    gate = " at gate " + sets[best.worst].gates.front().name();
  std::string text = "No method gives a whole proof for any question";
  if (best.average > 0) {
    text = label + (best.equal.empty() ? "" : " (and equally often " + best.equal + ")") +
           " gives a whole proof most often: for " + percent_of(best.average) + " of the questions";
    if (best.measures > 1)
      text += " on average over " + std::to_string(best.measures) + " sets. The lowest share is " +
              percent_of(best.least) + ", on " + sets[best.worst].title + gate + ". The lead of " + label +
              " over every other method is clear on " + std::to_string(best.clear) + " of the sets";
    else
      text += " of " + sets[best.worst].title + gate + "; its lead over every other method is " +
              (best.clear > 0 ? "clear" : "not clear");
  }
  const BestLabel reference(find_leads({reference_method}, first_gates(sets, "whole", {reference_method})));
  if (reference.measures > 0)
    text += ". The reference " + reference_method + ", which does the reasoner's work, reaches " +
            percent_of(reference.average);
  return text + ".";
}

Json summary_json(const AnsweringOptions& options, const std::vector<RowSet>& sets,
                  const std::vector<std::string>& labels) {
  Json summary = {{"sets", Json::object()}};
  for (const RowSet& set : sets) {
    std::vector<std::string> measures = ranking_measures(options);
    for (const char* of : {"whole", "kept", "given"})
      for (const std::string& name : set.measures(of)) measures.push_back(name);
    summary["sets"][set.label] = {{"statements", mean_of(set, labels.front(), "statements")},
                                  {"questions", mean_of(set, labels.front(), "questions")},
                                  {"methods", estimates_json(set, labels, measures)}};
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
      "Do the few statements that a reasoner gets for a question contain a whole proof of the answer?";
  conclusion.answer = answer_sentence(sets, whole_leads);
  conclusion.summary = summary_json(options, sets, labels.all());
  conclusion.tables = {
      overview(
          "whole",
          "Share of the questions with a whole known proof among the given statements. A gate is a number of "
          "statements, or a multiple of the size of the first proof (3x); `above` leaves out statements "
          "below "
          "this share of the best score. Statements with equal scores are in random order, and numbers are "
          "expectations over all orders.",
          sets, labels, whole_leads),
      overview("kept", "Share of the first proof of a question that is among the given statements.", sets,
               labels, kept_leads)};
  add_leads(whole_leads, "whole", conclusion);
  add_leads(kept_leads, "kept", conclusion);
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
