// SPDX-License-Identifier: MIT
// Dependence of a measure on the number of selected statements and on proof length: a table and curves.
#pragma once

#include <string>
#include <vector>

#include "experiments/answering/answering.hpp"

namespace engram::experiments::answering {

/// Table of a measure at the first gate, by the size of the first proof. Its name is "lengths_SET" for "whole", and
/// otherwise begins with the name of the measure: "answered_lengths_SET".
Table lengths_table(const RowSet& set, const std::string& of, const std::string& what,
                    const std::vector<std::string>& labels);

/// Adds curves of a measure, one for each label; plots with fewer than two points are left out. "whole_SET" plots
/// against the mean number of selected statements. "whole_by_capacity_SET" plots against the capacity (only gates that
/// are a number without a share). "whole_by_length_SET" plots the first gate against the size of the first proof.
void add_curves(const RowSet& set, const std::string& of, const std::string& title,
                const std::vector<std::string>& labels, std::vector<Plot>& plots);

}  // namespace engram::experiments::answering
