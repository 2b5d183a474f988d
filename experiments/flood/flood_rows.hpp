// SPDX-License-Identifier: MIT
// Rows of a flood, set by set.
#pragma once

#include "experiments/flood/flood.hpp"

namespace engram::experiments::flood {

using answering::RowSet;

/// All sets, with the rows of policies alone.
std::vector<RowSet> flood_sets(const FloodOptions& options, const std::vector<Json>& rows);
/// "families" of "families 500": generated sets of one kind differ in their size. Else the title.
std::string kind_of(const RowSet& set);
/// Statements in memory, in the mean over the rows.
double statements_of(const RowSet& set);

/// A value for each question, of all seeds.
std::vector<double> each_of(RowSet set, const std::string& policy, const std::string& measure);
/// The share of the questions that are answered within so many steps, by unit of resampling.
std::vector<double> answered_within(const RowSet& set, const std::string& policy, double steps);

}  // namespace engram::experiments::flood
