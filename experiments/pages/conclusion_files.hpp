// SPDX-License-Identifier: MIT
// Output files of a conclusion: tables, plots, pictures, pages and the report.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/formats/conclusion.hpp"
#include "experiments/pages/unread_lines.hpp"
#include "experiments/spec/spec.hpp"

namespace engram::experiments {

/// Writes tables/ (CSV, Markdown, LaTeX), plots/, cues/, summary.json and report.html into the folder of a run. plots/
/// has scripts, and SVG and PDF files if gnuplot and Graphviz are installed.
/// Returns  pictures that could not be drawn, with reasons; a missing picture does not fail a run
/// Errors   std::system_error for the disk; exceptions of core::check_cancelled() while a program draws
std::vector<std::string> write_conclusion(const std::filesystem::path& folder, const Spec& spec,
                                          const Conclusion& conclusion, const UnreadLines& unread);

}  // namespace engram::experiments
