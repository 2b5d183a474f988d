// SPDX-License-Identifier: MIT
// A conclusion as files: tables, plots, pictures, pages and the report.
#pragma once

#include <filesystem>

#include "experiments/reports/output.hpp"
#include "experiments/runs/spec.hpp"

namespace engram::experiments {

/// Writes tables/ (CSV, Markdown, LaTeX), plots/ (scripts, and SVG and PDF where gnuplot and Graphviz are
/// there), cues/, summary.json and report.html into the folder of a run.
/// Errors  std::system_error for the disk; std::runtime_error if gnuplot or Graphviz fails
void write_conclusion(const std::filesystem::path& folder, const Spec& spec, const Conclusion& conclusion);

}  // namespace engram::experiments
