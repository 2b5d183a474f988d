// SPDX-License-Identifier: MIT
#include "experiments/flood/flood_rows.hpp"

#include <algorithm>

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

}  // namespace engram::experiments::flood
