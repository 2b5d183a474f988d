// SPDX-License-Identifier: MIT
// Conclusion about full memories: whole proofs that remain under each policy, and what was forgotten.
#include "core/numbers/numeric.hpp"
#include "experiments/answering/overview.hpp"
#include "experiments/formats/markup.hpp"
#include "experiments/formats/tables.hpp"
#include "experiments/pages/memory_history.hpp"

namespace engram::experiments::answering {
namespace {

std::vector<Measure> whole_in_memory(const std::vector<RowSet>& sets,
                                     const std::vector<std::string>& policies) {
  std::vector<Measure> measures;
  for (const RowSet& set : sets) {
    measures.push_back({set.title, {}, true, 2});
    for (const std::string& policy : policies)
      measures.back().values.push_back(row_values(set, policy, in_memory, in_memory));
  }
  return measures;
}

// Mean number of statements in memory, over the rows of a set.
double statements_held(const RowSet& set, const std::string& policy) {
  std::vector<double> held;
  for (const Json* row : set.rows)
    if (row->at("part") == in_memory && row->at("method") == policy)
      held.push_back(row->at("statements").get<double>());
  return held.empty() ? 0 : mean(held);
}

std::string limits_text(const core::MemoryLimits& limits) {
  return std::to_string(limits.max_statements) + " statements, " + std::to_string(limits.max_concepts) +
         " concepts and " + std::to_string(limits.max_hebbian_links) + " links at most";
}

Table memory_table(const Spec& spec, const std::vector<RowSet>& sets, const Leads& leads) {
  Table table{
      "memory",
      "Share of the questions of which a whole known proof is still in memory, by what goes first where "
      "that is full (" +
          limits_text(spec.memory.limits) +
          "), and how many statements it has in the end. none: nothing goes, and what is new is refused. "
          "The memory of this run forgets by " +
          std::string(name_of(core::forgetting_policies, spec.forgetting)) +
          ". 95 % bootstrap intervals, of sets with seeds over these, of files over questions. " +
          bold_policy("policy", "memory_leads"),
      {"policy"}};
  for (const RowSet& set : sets) table.head.insert(table.head.end(), {set.title, "statements"});
  std::vector<std::size_t> measures, columns;
  for (std::size_t p = 0; p < leads.labels.size(); ++p) {
    table.rows.push_back({cell(leads.labels[p])});
    for (std::size_t s = 0; s < sets.size(); ++s) {
      table.rows.back().push_back(interval_cell(bootstrap_mean(leads.measures[s].values[p]), 2));
      table.rows.back().push_back(cell(statements_held(sets[s], leads.labels[p]), 0));
    }
  }
  for (std::size_t s = 0; s < sets.size(); ++s) {
    measures.push_back(s);
    columns.push_back(1 + 2 * s);
  }
  mark_winners(table, leads, measures, columns);
  return table;
}

// Mean over the sets.
double average(const Leads& leads, std::size_t policy) {
  std::vector<double> shares;
  for (const Measure& measure : leads.measures)
    if (!measure.values[policy].empty()) shares.push_back(mean(measure.values[policy]));
  return shares.empty() ? 0 : mean(shares);
}

std::string best_sentence(const Leads& leads) {
  std::size_t best = 0;
  for (std::size_t p = 1; p < leads.labels.size(); ++p)
    if (average(leads, p) > average(leads, best)) best = p;
  std::size_t clear = 0;
  for (std::size_t s = 0; s < leads.measures.size(); ++s)
    clear += static_cast<std::size_t>(leads.best[s] == best && leads.has_winner(s));
  std::string equal;
  for (std::size_t p = 0; p < leads.labels.size(); ++p)
    if (p != best && average(leads, p) == average(leads, best))
      equal += (equal.empty() ? "" : ", ") + leads.labels[p];
  return " A full memory that forgets by " + leads.labels[best] +
         (equal.empty() ? "" : " (or by " + equal + ")") + " keeps a whole proof most often: for " +
         fixed(100 * average(leads, best), 0) +
         " % of the questions in the mean over the sets; its lead over every other policy is clear on " +
         std::to_string(clear) + " of " + std::to_string(leads.measures.size()) + " sets.";
}

}  // namespace

void add_memory(const Spec& spec, const std::vector<RowSet>& sets, Conclusion& conclusion) {
  if (spec.forgetting == core::ForgettingPolicy::none) return;
  const std::vector<std::string> policies = names_in(core::forgetting_policies);
  const Leads leads = find_leads(policies, whole_in_memory(sets, policies));
  conclusion.answer += best_sentence(leads);
  conclusion.tables.push_back(memory_table(spec, sets, leads));
  conclusion.tables.push_back(leads_table(leads, pairing));
  conclusion.tables.back().name = "memory_leads";
  Json& summary = conclusion.summary["memory"] = Json::object();
  std::string html;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (std::size_t p = 0; p < policies.size(); ++p)
      if (const auto estimate = bootstrap_mean(leads.measures[s].values[p]))
        summary[sets[s].label][policies[p]] = estimate_json(estimate);
    for (const Json* row : sets[s].rows)
      if (row->contains("forgotten"))
        html += "<h3>" + escape_html(sets[s].title) + "</h3>\n" + forgotten_html(row->at("forgotten"));
  }
  conclusion.sections.push_back({"What was forgotten", html});
}

}  // namespace engram::experiments::answering
