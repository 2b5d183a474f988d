// SPDX-License-Identifier: MIT
#include "experiments/flood/outside_systems.hpp"

#include <algorithm>

namespace engram::experiments::flood {

void OutsideSystem::ask(const std::string& arm, const QuestionSet& set, const AskedQuestion& question,
                        const std::vector<core::StatementId>& told, std::vector<Json>& rows) {
  if (told.size() > answering::most_told) return;
  auto known = std::ranges::find_if(rows, [&](const Json& row) { return row.at("method") == arm; });
  if (known == rows.end()) {
    Json row = {{"part", outside_part}, {"set", set.label}, {"statements", set.corpus.held()},
                {"system", name_},      {"method", arm},    {"questions", 0}};
    if (set.seed) row["seed"] = *set.seed;
    rows.push_back(std::move(row));
    known = rows.end() - 1;
  }
  Json& row = *known;
  Json seconds = Json::array();
  const auto answer = live_.answer(set, question, told, seconds);
  const bool found = answer && question.expects(answer->term);
  row["questions"] = row["questions"].get<std::size_t>() + 1;
  row["measures"]["answered"].push_back(found ? 1.0 : 0.0);
}

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
  Table table{"outside",
              "Share of the questions that " + name +
                  " answers as expected, told everything, the best through a gate, or a known proof alone; "
                  "each question of one that knows nothing else (what it is not done with in time counts as "
                  "not answered). With 95 % bootstrap intervals.",
              {"told"}};
  for (const answering::RowSet& set : sets) table.head.push_back(set.title);
  for (const std::string& arm : arms) {
    table.rows.push_back({cell(arm)});
    for (const answering::RowSet& set : sets)
      table.rows.back().push_back(
          interval_cell(bootstrap_mean(row_values(set, arm, "answered", outside_part)), 2));
  }
  conclusion.tables.push_back(std::move(table));
}

}  // namespace engram::experiments::flood
