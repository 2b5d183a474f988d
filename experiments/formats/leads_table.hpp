// SPDX-License-Identifier: MIT
// Leads as rows of tables.
#pragma once

#include <string>
#include <vector>

#include "experiments/formats/tables.hpp"
#include "experiments/statistics/leads.hpp"

namespace engram::experiments {

/// Difference, p, corrected p, Cliff's delta, d_z, pairs, clear: what tables show of a lead.
std::vector<Cell> lead_cells(const Lead& lead, int decimals);

/// A row a lead; `pairing` says what is paired, such as "cue by cue".
Table leads_table(const Leads& leads, const std::string& pairing);

/// Marks the winners of a table whose rows are the labels in their order: measures[i] stands in column
/// columns[i]. Without a winner nothing is marked.
void mark_winners(Table& table, const Leads& leads, const std::vector<std::size_t>& measures,
                  const std::vector<std::size_t>& columns);

/// What every caption says of ties, baselines and bold type.
std::string table_policy();

}  // namespace engram::experiments
