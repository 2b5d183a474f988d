// SPDX-License-Identifier: MIT
// Conclusion about a live NARS: its answers from the statements that each method selected.
#include <algorithm>

#include "core/numbers/numeric.hpp"
#include "experiments/answering/curves.hpp"
#include "experiments/answering/overview.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/reasoners/verdicts.hpp"
#include "experiments/statistics/ranking_measures.hpp"

namespace engram::experiments::answering {
namespace {

// Chosen: if the oracle answers fewer questions, the known proofs do not suit this reasoner.
constexpr double least_oracle = 0.95;

double oracle_share(const RowSet& set) {
  return mean(row_values(set, oracle_arm, set.measures("answered").front()));
}

// Area under the curve: probability that a question with an answer has more support than one without. For a set with
// seeds, the mean over the seeds.
std::optional<double> area(const RowSet& set, const std::string& label, const std::string& gate) {
  std::vector<double> areas, support;
  std::vector<bool> holds;
  const auto close = [&] {
    if (const auto one = area_under_curve(
            Eigen::Map<const core::Vector>(support.data(), static_cast<core::Index>(support.size())), holds))
      areas.push_back(*one);
    support.clear();
    holds.clear();
  };
  for (const Json* row : set.rows) {
    const Json& measures = row->at("measures");
    if (row->at("method") != label || row->at("part") != test || !measures.contains("support " + gate))
      continue;
    const auto values = measures.at("support " + gate).get<std::vector<double>>();
    const auto so = row->at("holds").get<std::vector<bool>>();
    if (so.size() != values.size())
      throw std::invalid_argument("support and holds must be of the same questions");
    support.insert(support.end(), values.begin(), values.end());
    holds.insert(holds.end(), so.begin(), so.end());
    if (set.seeded) close();
  }
  if (!support.empty()) close();
  if (areas.empty()) return std::nullopt;
  return mean(areas);
}

Table answers_table(const RowSet& set, const std::vector<std::string>& labels) {
  Table table{
      "answers_" + set.file,
      set.title +
          ": share of the questions answered with the truth that the first proof alone leads to, with "
          "less (weaker), and wrongly; and the chance that a question which something answers has more "
          "support (expectation, 1/2 without an answer) than one which nothing does.",
      {"method"}};
  for (const Gate& gate : set.gates)
    table.head.insert(table.head.end(), {gate.name() + ": answered", "weaker", "wrong", "area"});
  for (const std::string& label : labels) {
    table.rows.push_back({cell(label)});
    for (const Gate& gate : set.gates) {
      for (const char* of : {"answered ", "weaker ", "wrong "})
        table.rows.back().push_back(
            interval_cell(bootstrap_mean(row_values(set, label, of + gate.name())), 2));
      table.rows.back().push_back(cell(area(set, label, gate.name()), 2));
    }
  }
  return table;
}

std::string sets_sentence(const std::string& system, const std::vector<RowSet>& sets) {
  std::string counting, others;
  for (const RowSet& set : sets) {
    if (row_values(set, oracle_arm, set.measures("answered").front()).empty()) continue;
    const double share = oracle_share(set);
    const bool counts = share >= least_oracle;
    std::string& list = counts ? counting : others;
    list += (list.empty() ? "" : ", ") + set.title + (counts ? "" : " (" + fixed(share, 2) + ")");
  }
  std::string text;
  if (!counting.empty())
    text += " " + system + " answers what is asked of " + counting + " from a proof alone.";
  if (!others.empty())
    text += " Of " + others + " it does not (share in brackets; it must be " + fixed(least_oracle, 2) +
            "): these do not count.";
  return text;
}

}  // namespace

void add_answers(const Spec& spec, const AnsweringOptions& options, const std::vector<RowSet>& sets,
                 Conclusion& conclusion) {
  if (!options.system) return;
  const Labels labels(spec);
  const std::string system(options.system->system->name);
  const Leads leads = first_leads(sets, "answered", labels);
  const std::string which = sets_sentence(system, sets);
  conclusion.answer += which;
  conclusion.tables.push_back(overview(
      "answered",
      "Share of the questions that " + system +
          " answers from what it is given, with the truth that the first proof alone leads to (at least " +
          fixed(confident_share, 2) + " of its confidence). " + everything_arm +
          ": as much as it holds, of sets of " + std::to_string(most_told) + " statements at most." + which,
      sets, labels, leads));
  conclusion.tables.push_back(leads_table(leads, pairing));
  conclusion.tables.back().name = "answered_leads";
  const std::vector<std::string> shown = leaders(spec, leads);
  Json& summary = conclusion.summary["answers"] = Json::object();
  for (const RowSet& set : sets) {
    conclusion.tables.push_back(answers_table(set, labels.all()));
    conclusion.tables.push_back(lengths_table(set, "answered", "that " + system + " answers", labels.all()));
    add_curves(set, "answered", "questions that " + system + " answers", shown, conclusion.plots);
    const double share = oracle_share(set);
    summary[set.label] = {{"oracle", share}, {"counts", share >= least_oracle}};
    for (const std::string& label : labels.all())
      for (const std::string& measure : set.measures("answered"))
        if (const auto e = bootstrap_mean(row_values(set, label, measure)))
          summary[set.label]["methods"][label][measure] = estimate_json(e);
  }
}

}  // namespace engram::experiments::answering
