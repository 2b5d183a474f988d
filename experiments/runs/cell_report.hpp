// SPDX-License-Identifier: MIT
// Cells of a sweep: a run in its own folder, and the summary that the sweep needs.
#pragma once

#include <string>
#include <vector>

#include "experiments/runs/run.hpp"

namespace engram::experiments {

struct CellJob {
  const Spec& spec;
  RunOptions options;  // `out` is the folder of the cell
};

struct CellReport {
  Rejections rejections;
  std::vector<std::string> undrawn;
  std::string question, answer;
  Table table;  // first table of the conclusion; empty if nothing is compared
};

/// Runs the cell.  Errors  as run()
CellReport carry_out(const CellJob& cell);

/// JSON for sending a report between processes.  Errors  Json::exception
Json to_json(const CellReport& report);
CellReport cell_report_of(const Json& json);

}  // namespace engram::experiments
