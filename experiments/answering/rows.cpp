// SPDX-License-Identifier: MIT
// Grouping of result rows by set and by unit of resampling.
#include <algorithm>
#include <filesystem>

#include "core/numbers/numeric.hpp"
#include "experiments/answering/answering.hpp"

namespace engram::experiments::answering {
namespace {

// Text with other characters than letters and digits replaced: "chains_300".
std::string file_part(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += plain ? c : '_';
  }
  return name;
}

}  // namespace

std::vector<std::string> RowSet::measures(const std::string& of) const {
  std::vector<std::string> names;
  for (const Gate& gate : gates) names.push_back(of + " " + gate.name());
  return names;
}

std::vector<RowSet> row_sets(const AnsweringOptions& options, const std::vector<Json>& rows) {
  std::vector<RowSet> sets;
  for (const Json& row : rows) {
    const auto label = row.at("set").get<std::string>();
    const bool seeded = row.contains("seed");
    auto set =
        std::ranges::find_if(sets, [&](const RowSet& s) { return s.label == label && s.seeded == seeded; });
    if (set == sets.end()) {
      const std::string title = seeded ? label : std::filesystem::path(label).filename().string();
      RowSet made{label, title, "", seeded, false, {}, {}};
      made.gates = options.gates;
      for (const SeededSet& known : options.sets)
        if (seeded && known.label == label) {
          made.gates = known.gates;
          made.ablation = known.ablation;
        }
      set = sets.insert(sets.end(), std::move(made));
    }
    set->rows.push_back(&row);
  }
  std::vector<std::string> titles;
  for (const RowSet& set : sets) titles.push_back(set.title);
  for (RowSet& set : sets)
    if (std::ranges::count(titles, set.title) > 1) set.title = set.label;
  std::vector<std::string> files;
  for (RowSet& set : sets) {
    set.file = file_part(set.title);
    while (std::ranges::find(files, set.file) != files.end()) set.file += "_";
    files.push_back(set.file);
  }
  return sets;
}

std::vector<double> row_values(const RowSet& set, const std::string& method, const std::string& measure,
                               const std::string& part) {
  std::vector<double> values;
  for (const Json* row : set.rows) {
    const Json& measures = row->at("measures");
    if (row->at("method") != method || row->value("part", test) != part || !measures.contains(measure))
      continue;
    const auto of_questions = measures.at(measure).get<std::vector<double>>();
    if (set.seeded)
      values.push_back(mean(of_questions));
    else
      values.insert(values.end(), of_questions.begin(), of_questions.end());
  }
  return values;
}

}  // namespace engram::experiments::answering
