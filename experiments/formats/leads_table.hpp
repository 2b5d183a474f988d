// SPDX-License-Identifier: MIT
// Leads (statistics/leads.hpp) as rows of tables.
#pragma once

#include <string>
#include <vector>

#include "experiments/formats/tables.hpp"
#include "experiments/statistics/leads.hpp"

namespace engram::experiments {

/// Cells of a lead: difference, p, corrected p, Cliff's delta, d_z, pairs, clear.
std::vector<Cell> lead_cells(const Lead& lead, int decimals);

/// Table with a row for each lead. `pairing` names the unit of pairing, such as "cue by cue".
Table leads_table(const Leads& leads, const std::string& pairing);

/// Marks the winners in a table whose rows are the labels in order. measures[i] is in column columns[i]. A measure
/// without a clear winner has no mark.
void mark_winners(Table& table, const Leads& leads, const std::vector<std::size_t>& measures,
                  const std::vector<std::size_t>& columns);

/// Sentences on ties, baselines and bold type, for captions.
std::string table_policy();

}  // namespace engram::experiments
