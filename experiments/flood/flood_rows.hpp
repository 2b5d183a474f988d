// SPDX-License-Identifier: MIT
// Rows of a flood, set by set.
#pragma once

#include <string>
#include <vector>

#include "experiments/formats/json.hpp"
#include "experiments/statistics/statistics.hpp"

namespace engram::experiments::flood {

/// A file, or a set with seeds.
struct FloodSet {
  std::string label, title, file;  // title: what people read; file: as part of files' names
  std::string kind;                // of generated sets that differ in their size alone; else the label
  double statements = 0;           // in the mean over its rows
  bool seeded = false;
  std::vector<const Json*> rows;
};
/// All that there are, in the order of the rows.
std::vector<FloodSet> flood_sets(const std::vector<Json>& rows);

/// One value a unit of resampling: of sets with seeds the mean over a seed's questions, of a file each question's. None
/// where the policy was not run.
std::vector<double> values_of(const FloodSet& set, const std::string& policy, const std::string& measure);
/// A value a question, of all seeds.
std::vector<double> each_of(const FloodSet& set, const std::string& policy, const std::string& measure);

/// The share of the questions that are answered within so many steps, by unit of resampling.
std::vector<double> answered_within(const FloodSet& set, const std::string& policy, double steps);

}  // namespace engram::experiments::flood
