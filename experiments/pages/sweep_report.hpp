// SPDX-License-Identifier: MIT
// The pages and tables of a sweep as a whole: every point, method and measure, with the way to each point's
// report.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"

namespace engram::experiments {

/// A point of a sweep, as its plan sweep.json names it.
struct SweepFolder {
  std::string name;  // cells/..., from the sweep's
  std::filesystem::path path;
  Json values;
};
/// The points of a sweep, which may be anybody's.  Errors  SpecError unless there are some, all of folders
/// under cells/ and with values for the same places
std::vector<SweepFolder> read_sweep(const std::filesystem::path& folder);

/// What of a point's conclusion its sweep shows.
struct SweepPoint {
  std::string folder;  // from the sweep's
  Json values;         // of the places that the sweep names
  std::string question, answer;
  Table table;  // the first one
};
SweepPoint sweep_point(std::string folder, const Json& values, const Conclusion& conclusion);

/// A row a point and row of its table, columns as the points have them, in the order in which they come up;
/// what a point has not is a dash. Bold is the best within its point. Names of points lead to their reports.
Table sweep_table(const std::vector<SweepPoint>& points);

/// One row a number, as programs read it best: the values, the row's and the column's name, the number in
/// full, and as people read it.
Table sweep_numbers(const std::vector<SweepPoint>& points);

/// Writes sweep.csv (sweep_numbers), sweep.md and sweep.tex (sweep_table) and report.html; the page shows the
/// first 2000 rows. There must be a point.  Errors  std::system_error
void write_sweep(const std::filesystem::path& folder, const std::vector<SweepPoint>& points);

}  // namespace engram::experiments
