// SPDX-License-Identifier: MIT
// Conclusion of the experiment `comparison`: tables, plots and sentences from its rows.
#include <algorithm>
#include <map>
#include <stdexcept>

#include "experiments/comparison/comparison.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/pages/memory_history.hpp"
#include "experiments/pages/page.hpp"
#include "experiments/pages/pictures.hpp"
#include "experiments/statistics/statistics.hpp"

namespace engram::experiments::comparison {
namespace {

// Labels of the methods in the order of the rows: methods of the spec, then the other baselines.
std::vector<std::string> labels_of(const std::vector<Json>& rows) {
  std::vector<std::string> labels;
  for (const Json& row : rows) {
    if (row.at("trial") != rows.front().at("trial")) break;
    const auto label = row.at("method").get<std::string>();
    if (std::ranges::find(labels, label) != labels.end())
      throw std::invalid_argument("a trial has two rows of the method " + label);
    labels.push_back(label);
  }
  return labels;
}

// Indices of cue_measures.
enum MeasureIndex : std::size_t { answered, as_expected, answer, above_others, mean_rank, kept, whole_proof };

struct Numbers {
  std::vector<std::string> labels;
  std::vector<Measure> measures;
  std::vector<std::vector<double>> others_ranks;  // mean ranks of unneeded statements, by label
};

// Collects the measures of all rows by method, in the order of the cues.
Numbers collect(const std::vector<Json>& rows) {
  Numbers numbers{labels_of(rows), {}, {}};
  for (const CueMeasure& measure : cue_measures)
    numbers.measures.push_back({measure.name, {}, measure.higher, measure.decimals});
  std::map<std::string, std::size_t> place;
  for (const std::string& label : numbers.labels) place.emplace(label, place.size());
  for (Measure& measure : numbers.measures) measure.values.resize(place.size());
  numbers.others_ranks.resize(place.size());
  for (const Json& row : rows) {
    const std::size_t method = place.at(row.at("method").get<std::string>());
    for (const Observation& one : observed_measures(row))
      std::ranges::find(numbers.measures, one.measure, &Measure::name)->values[method].push_back(one.value);
    if (row.contains("needed"))
      numbers.others_ranks[method].push_back(row.at("needed").at("mean_rank_of_others").get<double>());
  }
  return numbers;
}

std::optional<double> mean_of(const std::vector<double>& values) {
  const auto estimate = bootstrap_mean(values);
  return estimate ? std::optional(estimate->mean) : std::nullopt;
}

std::string percent(double share) { return fixed(100 * share, 1) + " %"; }

Table methods_table(std::size_t capacity, const Leads& leads, const Numbers& numbers) {
  const std::string best = std::to_string(capacity) + " best";
  const auto measured = [&](MeasureIndex measure) {
    return std::ranges::any_of(numbers.measures[measure].values,
                               [](const std::vector<double>& values) { return !values.empty(); });
  };
  std::string caption = "Statements that each method selects, with 95 % bootstrap intervals over the cues.";
  if (measured(answered))
    caption += " Answered: share of the questions that Engram's reasoner answers from only the " + best +
               " statements.";
  if (measured(as_expected)) caption += " As expected: share of the questions answered as the file expects.";
  if (measured(answer)) caption += " Answer: mean reciprocal rank of the answer's concepts.";
  if (measured(kept))
    caption +=
        " Above others: probability that a needed statement scores above another one. Mean rank: of the "
        "needed "
        "statements, then of the others. Kept: share of the needed statements among the " +
        best + ". Whole: share of the cues with a whole known proof among the " + best +
        ". All first: share of the cues that rank every needed statement before all others.";
  Table table{
      "methods", caption + " Baselines: overlap, frequency and uniform. " + table_policy(), {"method"}};
  std::vector<std::size_t> measures, columns;
  for (std::size_t m = 0; m < cue_measures.size(); ++m) {
    measures.push_back(m);
    columns.push_back(table.head.size());
    table.head.emplace_back(cue_measures[m].name);
    if (m == mean_rank) table.head.emplace_back("of others");
  }
  for (std::size_t i = 0; i < numbers.labels.size(); ++i) {
    std::vector<Cell>& row = table.rows.emplace_back(std::vector{cell(numbers.labels[i])});
    for (const std::size_t m : measures) {
      const Measure& measure = numbers.measures[m];
      row.push_back(interval_cell(bootstrap_mean(measure.values[i]), measure.decimals));
      if (m == mean_rank) row.push_back(cell(mean_of(numbers.others_ranks[i]), 1));
    }
  }
  mark_winners(table, leads, measures, columns);
  return table;
}

Cell linked(Cell shown, std::string link) {
  shown.link = std::move(link);
  return shown;
}

// Table of the cues with needed statements: the methods that rank these highest, and the margin.
Table cues_table(const std::vector<CueRows>& cues) {
  Table table{"cues",
              "For each cue, the methods that rank the needed statements highest. Margin: the lowest score "
              "of a needed "
              "statement minus the highest score of another one, the largest over these methods. It is above "
              "0 if all "
              "needed statements come first.",
              {"cue", "needed", "of", "best method", "above others", "mean rank", "margin"}};
  for (const CueRows& cue : cues) {
    const auto score = [](const Json& row) { return row.at("needed").at("above_others").get<double>(); };
    std::vector<std::string> names;
    double best = -1, margin = 0;
    const Json* shown = nullptr;
    for (const Json& row : cue.rows) {
      if (!row.contains("needed") || score(row) < best) continue;
      if (score(row) > best) names.clear();
      const double own = row.at("needed").at("margin").get<double>();
      margin = names.empty() ? own : std::max(margin, own);
      best = score(row);
      names.push_back(row.at("method").get<std::string>());
      shown = &row;
    }
    if (shown == nullptr) continue;
    const Json& needed = shown->at("needed");
    table.rows.push_back({linked(cell(shown->at("cue").get<std::string>()), question_path(*shown)),
                          cell(needed.at("count").get<double>(), 0),
                          cell(needed.at("statements").get<double>(), 0),
                          cell(names_of_methods(names, cue.rows.size())), cell(best, 3),
                          cell(needed.at("mean_rank").get<double>(), 1), cell(margin, 4)});
  }
  return table;
}

// Correlation matrix of the methods; each entry is a mean over the cues.
using Correlation = std::vector<std::vector<std::optional<double>>>;

Correlation mean_correlation(const std::vector<std::string>& labels, const std::vector<Json>& rows,
                             const char* name) {
  std::map<std::pair<std::string, std::string>, std::vector<double>> all;
  for (const Json& row : rows)
    for (const auto& [other, agreement] : row.at("agreement").items())
      if (agreement.at(name).is_number())
        all[{row.at("method").get<std::string>(), other}].push_back(agreement.at(name).get<double>());
  Correlation means(labels.size(), std::vector<std::optional<double>>(labels.size()));
  for (std::size_t a = 0; a < labels.size(); ++a)
    for (std::size_t b = 0; b < labels.size(); ++b)
      if (a != b) means[a][b] = mean_of(all[{labels[a], labels[b]}]);
  return means;
}

Table agreement_table(const std::vector<std::string>& labels, const Correlation& spearman,
                      const Correlation& kendall) {
  Table table{"agreement",
              "Agreement of the methods: rank correlation of the scores of all concepts, mean over the cues. "
              "Above the "
              "diagonal: Spearman's rho. Below the diagonal: Kendall's tau-b. Both take ties into account.",
              {"method"}};
  table.head.insert(table.head.end(), labels.begin(), labels.end());
  for (std::size_t a = 0; a < labels.size(); ++a) {
    std::vector<Cell> cells{cell(labels[a])};
    for (std::size_t b = 0; b < labels.size(); ++b)
      cells.push_back(a == b ? cell("1") : cell(a < b ? spearman[a][b] : kendall[a][b], 2));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// Table of the agreement of each method with the others. Also names the methods that agree most and least with it.
Table closest_table(const std::vector<std::string>& labels, const Correlation& spearman) {
  Table table{"closest",
              "Agreement of the methods: Spearman's rank correlation of the scores of all concepts, mean "
              "over the cues. "
              "With the others: mean over all other methods. Closest and furthest: the methods with the "
              "highest and the "
              "lowest correlation.",
              {"method", "with the others", "closest", "rho", "furthest", "its rho"}};
  for (std::size_t a = 0; a < labels.size(); ++a) {
    std::vector<double> values;
    std::size_t closest = a, furthest = a;
    for (std::size_t b = 0; b < labels.size(); ++b) {
      if (!spearman[a][b]) continue;
      values.push_back(*spearman[a][b]);
      if (closest == a || *spearman[a][b] > *spearman[a][closest]) closest = b;
      if (furthest == a || *spearman[a][b] < *spearman[a][furthest]) furthest = b;
    }
    if (values.empty()) continue;  // all concepts have the same value, so there is no order to compare
    table.rows.push_back({cell(labels[a]), cell(mean(values), 2), cell(labels[closest]),
                          cell(spearman[a][closest], 2), cell(labels[furthest]),
                          cell(spearman[a][furthest], 2)});
  }
  return table;
}

Section agreement_section(const Drawing& picture) {
  return {
      "Agreement of the methods",
      fill("<figure class=\"plot agreement\">{}<figcaption>Spearman's rank correlation of concept scores, in "
           "hundredths, mean over the questions: 100 means that two methods rank the concepts equally. "
           "Columns "
           "have the numbers of the rows. Squares are empty for a method that gives every concept the same "
           "score.</figcaption></figure>\n",
           {Markup{picture.svg}})};
}

// Sentence on the method that selects most of the needed statements. In a file without needed statements and without
// questions, sentence on the method that ranks the answer highest.
std::string ranking_sentence(std::size_t capacity, const Leads& leads, bool is_answered) {
  const MeasureIndex primary = leads.best[kept] ? kept : answer;
  if (!leads.best[primary] || (primary == answer && is_answered)) return "";
  const std::size_t best = *leads.best[primary];
  const auto values_of = [&](MeasureIndex m) { return leads.measures[m].values[best]; };
  const Estimate estimate = *bootstrap_mean(values_of(primary));
  const std::size_t cues = values_of(primary).size();
  std::string text = "Over " + std::to_string(cues) + (cues == 1 ? " cue, " : " cues, ") + leads.labels[best];
  if (primary == kept)
    text += " selects most of the needed statements: its " + std::to_string(capacity) +
            " best statements contain " + percent(estimate.mean) + " of them (95 % interval " +
            percent(estimate.low) + " to " + percent(estimate.high) + "), and a whole proof for " +
            percent(bootstrap_mean(values_of(whole_proof))->mean) + " of the questions";
  else
    text += " ranks the answer highest: mean reciprocal rank " + fixed(estimate.mean, 3) +
            " (95 % interval " + fixed(estimate.low, 3) + " to " + fixed(estimate.high, 3) + ")";
  return text + "; " + lead_clause(leads, primary) + ".";
}

std::string answer_sentence(std::size_t capacity, const Leads& leads, const std::vector<CueRows>& cues) {
  const std::string answers = answers_sentence(cues, capacity),
                    ranking = ranking_sentence(capacity, leads, !answers.empty());
  if (ranking.empty() && answers.empty())
    return std::to_string(leads.labels.size()) + " methods were compared on " + std::to_string(cues.size()) +
           (cues.size() == 1 ? " cue." : " cues.");
  return ranking + (ranking.empty() || answers.empty() ? "" : " ") + answers;
}

Plot kept_plot(std::size_t capacity, const Numbers& numbers) {
  Plot plot{"needed", "Needed statements among the best " + std::to_string(capacity), "", "share kept"};
  plot.series.push_back({"share kept"});
  plot.categories = numbers.labels;
  for (std::size_t i = 0; i < numbers.labels.size(); ++i)
    plot.series[0].add(static_cast<double>(i + 1), bootstrap_mean(numbers.measures[kept].values[i]));
  return plot;
}

const Table* find_table(const std::vector<Table>& tables, const std::string& name) {
  const auto found = std::ranges::find(tables, name, &Table::name);
  return found == tables.end() ? nullptr : &*found;
}

// Text for a terminal: questions with their answers, then measures (if the file has expectations), then agreement.
std::string brief_text(const std::vector<CueRows>& cues, const std::vector<Table>& tables) {
  const bool measures = std::ranges::any_of(cues, [](const CueRows& cue) {
    return cue.has_expectation() || cue.has_needed() || !cue.is_answered();
  });
  std::string text = answers_text(cues);
  const auto add = [&](const char* name) {
    if (const Table* table = find_table(tables, name))
      text += (text.empty() ? "" : "\n") + wrapped(table->caption, 100) + "\n" + to_text(*table);
  };
  if (measures) add("methods");
  add("closest");
  return text;
}

}  // namespace

Conclusion conclude_comparison(const Spec& spec, const ComparisonOptions& options,
                               const std::vector<Json>& rows) {
  const Numbers numbers = collect(rows);
  // An answer may be wrong, so no method leads by the number of answers.
  std::vector<Measure> merits = numbers.measures;
  for (std::vector<double>& values : merits[answered].values) values.clear();
  const Leads leads = find_leads(numbers.labels, std::move(merits));
  const std::vector<CueRows> cues = by_cue(rows);
  Conclusion conclusion;
  conclusion.question =
      "Which statements does each method select for a question, and what follows from them?";
  conclusion.answer = answer_sentence(options.capacity, leads, cues);
  conclusion.summary = {{"cues", cues.size()}, {"methods", Json::object()}};
  for (std::size_t i = 0; i < numbers.labels.size(); ++i)
    for (std::size_t m = 0; m < cue_measures.size(); ++m) {
      const std::vector<double>& values = numbers.measures[m].values[i];
      Json& estimate = conclusion.summary["methods"][numbers.labels[i]][cue_measures[m].summary];
      estimate = estimate_json(bootstrap_mean(values));
      if (!estimate.is_null()) estimate["cues"] = values.size();
    }
  const Correlation spearman = mean_correlation(numbers.labels, rows, "spearman"),
                    kendall = mean_correlation(numbers.labels, rows, "kendall");
  conclusion.tables = {methods_table(options.capacity, leads, numbers),
                       leads_table(leads, "cue by cue"),
                       answers_table(cues),
                       cues_table(cues),
                       closest_table(numbers.labels, spearman),
                       agreement_table(numbers.labels, spearman, kendall)};
  drop_empty(conclusion.tables);
  conclusion.brief = brief_text(cues, conclusion.tables);
  conclusion.advice = advice_on_expectations(cues);

  add_cue_pages(spec, rows, conclusion);
  if (find_table(conclusion.tables, "closest") != nullptr) {
    conclusion.drawings.push_back(agreement_picture(numbers.labels, spearman));
    conclusion.opening.push_back(agreement_section(conclusion.drawings.back()));
  }
  if (Plot plot = kept_plot(options.capacity, numbers); !plot.series[0].points.empty())
    conclusion.plots.push_back(plot);
  std::size_t file = 0;
  for (const Json& row : rows)
    if (row.contains("history") && row.at("history").is_object())
      add_history(row.at("history"), ++file, row.at("file").get<std::string>(), conclusion);
  if (rows.front().contains("maps"))
    conclusion.plots.push_back(maps_plot(rows.front().at("maps"), rows.front().at("cue").get<std::string>()));
  return conclusion;
}

}  // namespace engram::experiments::comparison
