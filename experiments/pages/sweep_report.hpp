// SPDX-License-Identifier: MIT
// Report and tables of a whole sweep: all points, methods and measures, with links to the report of each point.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"

namespace engram::experiments {

/// A point of a sweep, as listed in its plan sweep.json.
struct SweepFolder {
  std::string name;  // cells/..., relative to the folder of the sweep
  std::filesystem::path path;
  Json values;
};
/// Reads the points of a sweep from anybody.
/// Errors  SpecError if there are none, if a folder is not below cells/, or if points have values for different places
std::vector<SweepFolder> read_sweep(const std::filesystem::path& folder);

/// The part of the conclusion of a point that the sweep shows.
struct SweepPoint {
  std::string folder;  // relative to the folder of the sweep
  Json values;         // values of the swept places
  std::string question, answer;
  Table table;  // first table of the conclusion
};
SweepPoint sweep_point(std::string folder, const Json& values, const Conclusion& conclusion);

/// Combines the tables: a row for each point and row of its table, with the columns in order of appearance. Missing
/// values are dashes. Bold is the best within a point. Names of points link to their reports.
Table sweep_table(const std::vector<SweepPoint>& points);

/// One row for each number, for programs: the swept values, names of row and column, the number with all digits, and
/// the formatted number.
Table sweep_numbers(const std::vector<SweepPoint>& points);

/// Writes sweep.csv (sweep_numbers), sweep.md and sweep.tex (sweep_table), and report.html with the first 2000 rows.
/// There must be at least one point.  Errors  std::system_error
void write_sweep(const std::filesystem::path& folder, const std::vector<SweepPoint>& points);

}  // namespace engram::experiments
