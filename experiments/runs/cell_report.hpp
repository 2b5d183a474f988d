// SPDX-License-Identifier: MIT
// A cell of a sweep: a run in a folder of its own, and what the sweep needs to know of it.
#pragma once

#include <string>
#include <vector>

#include "experiments/runs/run.hpp"

namespace engram::experiments {

struct CellJob {
  const Spec& spec;
  RunOptions options;  // `out`: the cell's folder
};

struct CellReport {
  Rejections rejections;
  std::vector<std::string> undrawn;
  std::string question, answer;
  Table table;  // the first of its conclusion; empty where there is nothing to compare
};

/// Carries out the run.  Errors  those of run()
CellReport carry_out(const CellJob& cell);

/// As another process tells it, and back.  Errors  Json::exception
Json to_json(const CellReport& report);
CellReport cell_report_of(const Json& json);

}  // namespace engram::experiments
