// SPDX-License-Identifier: MIT
// Rows of experiment `flood`, grouped by set.
#pragma once

#include "experiments/flood/flood.hpp"

namespace engram::experiments::flood {

using answering::RowSet;

/// All sets, with only the rows of policies.
std::vector<RowSet> flood_sets(const FloodOptions& options, const std::vector<Json>& rows);
/// Kind of a set: "families" for "families 500", because generated sets of one kind differ in size; otherwise its
/// title.
std::string kind_of(const RowSet& set);
/// Mean number of statements in memory, over the rows.
double statements_of(const RowSet& set);

/// Values of a measure, one for each question of all seeds.
std::vector<double> each_of(RowSet set, const std::string& policy, const std::string& measure);
/// Share of the questions answered within `steps` steps, one value for each unit of resampling.
std::vector<double> answered_within(const RowSet& set, const std::string& policy, double steps);

}  // namespace engram::experiments::flood
