// SPDX-License-Identifier: MIT
// Conclusion about full memories: the share of whole proofs that remain under each forgetting policy, and the forgotten
// statements.
#include "core/numbers/numeric.hpp"
#include "experiments/answering/result_tables.hpp"
#include "experiments/formats/markup.hpp"
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
  return "at most " + std::to_string(limits.max_statements) + " statements, " +
         std::to_string(limits.max_concepts) + " concepts and " + std::to_string(limits.max_hebbian_links) +
         " links";
}

Table memory_table(const Spec& spec, const std::vector<RowSet>& sets, const Leads& leads) {
  Table table{
      "memory",
      "Share of the questions with a whole known proof still in memory, by the policy that a full memory "
      "forgets by (" +
          limits_text(spec.memory.limits) +
          "), and the number of statements at the end. With none, a full memory refuses new statements. The "
          "memory of this run forgets by " +
          std::string(name_of(core::forgetting_policies, spec.forgetting)) + "." + interval_policy + " " +
          bold_policy("policy", "memory_leads"),
      {"policy"}};
  for (const RowSet& set : sets) table.head.insert(table.head.end(), {set.title, "statements"});
  for (std::size_t p = 0; p < leads.labels.size(); ++p) {
    table.rows.push_back({cell(leads.labels[p])});
    for (std::size_t s = 0; s < sets.size(); ++s) {
      table.rows.back().push_back(mean_cell(leads.measures[s].values[p]));
      table.rows.back().push_back(cell(statements_held(sets[s], leads.labels[p]), 0));
    }
  }
  mark_all_winners(table, leads, 2);
  return table;
}

std::string best_sentence(const Leads& leads) {
  const BestLabel best(leads);
  const std::string& policy = leads.labels[best.index];
  return " A full memory that forgets by " + policy +
         (best.equal.empty() ? "" : " (or by " + best.equal + ")") + " keeps a whole proof most often: for " +
         fixed(100 * best.average, 0) + " % of the questions on average over the sets. The lead of " +
         policy + " over every other policy is clear on " + std::to_string(best.clear) + " of " +
         std::to_string(leads.measures.size()) + " sets.";
}

}  // namespace

void add_memory(const Spec& spec, const std::vector<RowSet>& sets, Conclusion& conclusion) {
  if (spec.forgetting == core::ForgettingPolicy::none) return;
  const std::vector<std::string> policies = names_in(core::forgetting_policies);
  const Leads leads = find_leads(policies, whole_in_memory(sets, policies));
  conclusion.answer += best_sentence(leads);
  conclusion.tables.push_back(memory_table(spec, sets, leads));
  add_leads(leads, "memory", conclusion);
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
