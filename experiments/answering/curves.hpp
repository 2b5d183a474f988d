// SPDX-License-Identifier: MIT
// How a measure goes with what is given and with how long proofs are: a table, and curves.
#pragma once

#include <string>
#include <vector>

#include "experiments/answering/answering.hpp"

namespace engram::experiments::answering {

/// A measure ("whole") at the first gate by how many statements the first proof has: table "lengths_SET", of
/// "whole", else "answered_lengths_SET".
Table lengths_table(const RowSet& set, const std::string& of, const std::string& what,
                    const std::vector<std::string>& labels);

/// The measure of these labels, a curve each, as far as there are two points: "whole_SET" against how many
/// statements were given on average, "whole_by_capacity_SET" against how many there was room for (gates that
/// are a number without a share), and "whole_by_length_SET" at the first gate against the first proof's
/// length.
void add_curves(const RowSet& set, const std::string& of, const std::string& title,
                const std::vector<std::string>& labels, std::vector<Plot>& plots);

}  // namespace engram::experiments::answering
