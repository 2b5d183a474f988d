// SPDX-License-Identifier: MIT
#include "experiments/flood/flood_rows.hpp"

#include <algorithm>
#include <filesystem>

namespace engram::experiments::flood {
namespace {

// A name that files may have.
std::string as_file(const std::string& text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' ? c : '_';
  return name;
}

// "families 500" is of families.
std::string kind_of(const std::string& label) {
  const std::size_t blank = label.rfind(' ');
  const bool numbered =
      blank != label.npos && blank + 1 < label.size() &&
      std::ranges::all_of(label.substr(blank + 1), [](char c) { return c >= '0' && c <= '9'; });
  return numbered ? label.substr(0, blank) : label;
}

// Values by unit; of a row with a seed one, of others each question's.
template <class Value>
std::vector<double> by_unit(const FloodSet& set, const std::string& policy, Value value) {
  std::vector<double> units;
  for (const Json* row : set.rows) {
    if (row->at("method") != policy) continue;
    std::vector<double> each;
    for (std::size_t i = 0; i < row->at("questions").get<std::size_t>(); ++i) each.push_back(value(*row, i));
    if (each.empty()) continue;
    if (set.seeded)
      units.push_back(mean(each));
    else
      units.insert(units.end(), each.begin(), each.end());
  }
  return units;
}

double measured(const Json& row, const std::string& measure, std::size_t i) {
  return row.at("measures").at(measure).at(i).get<double>();
}

}  // namespace

std::vector<FloodSet> flood_sets(const std::vector<Json>& rows) {
  std::vector<FloodSet> sets;
  for (const Json& row : rows) {
    if (row.contains("part")) continue;  // of experience
    const auto label = row.at("set").get<std::string>();
    auto set = std::ranges::find(sets, label, &FloodSet::label);
    if (set == sets.end()) {
      const bool seeded = row.contains("seed");
      const std::string title = seeded ? label : std::filesystem::path(label).filename().string();
      sets.push_back({label, title, as_file(title), kind_of(title), 0, seeded, {}});
      set = sets.end() - 1;
    }
    set->rows.push_back(&row);
  }
  for (FloodSet& set : sets) {
    for (const Json* row : set.rows) set.statements += row->at("statements").get<double>();
    set.statements /= static_cast<double>(set.rows.size());
  }
  return sets;
}

std::vector<double> values_of(const FloodSet& set, const std::string& policy, const std::string& measure) {
  return by_unit(set, policy, [&](const Json& row, std::size_t i) { return measured(row, measure, i); });
}

std::vector<double> each_of(const FloodSet& set, const std::string& policy, const std::string& measure) {
  std::vector<double> all;
  for (const Json* row : set.rows) {
    if (row->at("method") != policy) continue;
    for (const Json& value : row->at("measures").at(measure)) all.push_back(value.get<double>());
  }
  return all;
}

std::vector<double> answered_within(const FloodSet& set, const std::string& policy, double steps) {
  return by_unit(set, policy, [&](const Json& row, std::size_t i) {
    return measured(row, "answered", i) > 0 && measured(row, "steps", i) <= steps ? 1.0 : 0.0;
  });
}

}  // namespace engram::experiments::flood
